"""Files that are written whole or not at all, and files that must be new."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO

from exporter.errors import Problem, UsageError

_PRIVATE, _ORDINARY = 0o600, 0o666


def write_whole(path: Path, text: str, flag: str, *, private: bool = False) -> None:
    """Replace `path` in one step; who reads it sees the old text or the new one. Raises UsageError, the old text stays then.

    `flag` is what told the path. A private file is for its owner alone.
    """
    with written_whole(path, flag, private=private) as file:
        file.write(text)


@contextmanager
def written_whole(path: Path, flag: str, *, private: bool = False) -> Iterator[TextIO]:
    """The same for a text that is too long to be held: what the block writes is there once it has ended well, else nothing of it."""
    where = f"{flag}: {path}"
    place = path.resolve()
    if place.exists() and not place.is_file():
        raise UsageError(Problem(where, "is no file that can be replaced", "name a file"))
    part = place.with_name(f".{place.name}.{os.getpid()}.part")
    try:
        with _new_file(part, _PRIVATE if private else _ORDINARY) as file:
            yield file
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
        with _new_file(path, _PRIVATE) as file:
            file.write(text)
    except FileExistsError:
        raise UsageError(Problem(where, "is there already, and is not replaced", "name a new file")) from None
    except OSError as error:
        raise UsageError(Problem(where, f"cannot be written: {error.strerror}", "name a file in a folder that can be written")) from None


def make_folder(path: Path, flag: str) -> Path:
    """A folder to write in, made where there is none. Raises UsageError."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(Problem(f"{flag}: {path}", f"cannot be made: {error.strerror}", "name a folder that can be written")) from None
    return path


@contextmanager
def _new_file(path: Path, mode: int) -> Iterator[TextIO]:
    with open(path, "x", encoding="utf-8", opener=lambda name, flags: os.open(name, flags, mode)) as file:
        yield file
        file.flush()
        os.fsync(file.fileno())
