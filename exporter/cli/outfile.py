"""A file that is written whole or not at all."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from exporter.errors import Problem, UsageError


def write_whole(path: Path, text: str, flag: str) -> None:
    """Replace `path` in one step; who reads it sees the old text or the new one. Raises UsageError, the old text stays then.

    `flag` is what told the path.
    """
    where = f"{flag}: {path}"
    place = path.resolve()
    if place.exists() and not place.is_file():
        raise UsageError(Problem(where, "is no file that can be replaced", "name a file"))
    part = place.with_name(f".{place.name}.{os.getpid()}.part")
    try:
        with part.open("x", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        part.replace(place)
    except OSError as error:
        raise UsageError(Problem(where, f"cannot be written: {error.strerror}", "name a file in a folder that can be written")) from None
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)
