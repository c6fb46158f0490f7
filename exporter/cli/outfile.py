"""Files that are written whole or not at all, and files that must be new."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from exporter.errors import Problem, UsageError

_PRIVATE, _ORDINARY = 0o600, 0o666


def write_whole(path: Path, text: str, flag: str, *, private: bool = False) -> None:
    """Replace `path` in one step; who reads it sees the old text or the new one. Raises UsageError, the old text stays then.

    `flag` is what told the path. A private file is for its owner alone.
    """
    where = f"{flag}: {path}"
    place = path.resolve()
    if place.exists() and not place.is_file():
        raise UsageError(Problem(where, "is no file that can be replaced", "name a file"))
    part = place.with_name(f".{place.name}.{os.getpid()}.part")
    try:
        _write_new(part, text, _PRIVATE if private else _ORDINARY)
        part.replace(place)
    except OSError as error:
        raise UsageError(Problem(where, f"cannot be written: {error.strerror}", "name a file in a folder that can be written")) from None
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)


def write_new(path: Path, text: str, flag: str) -> None:
    """Write a private file that was not there before. Raises UsageError, also where there is one already."""
    where = f"{flag}: {path}"
    try:
        _write_new(path, text, _PRIVATE)
    except FileExistsError:
        raise UsageError(Problem(where, "is there already, and is not replaced", "name a new file")) from None
    except OSError as error:
        raise UsageError(Problem(where, f"cannot be written: {error.strerror}", "name a file in a folder that can be written")) from None


def _write_new(path: Path, text: str, mode: int) -> None:
    with open(path, "x", encoding="utf-8", opener=lambda name, flags: os.open(name, flags, mode)) as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
