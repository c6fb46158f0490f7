"""What a database complains of, in words a person can act on."""

from __future__ import annotations

import sqlite3

from exporter.errors import (
    Problem,
    StoreCorruptError,
    StoreError,
    StoreFullError,
    StoreLockedError,
    StoreReadOnlyError,
)

# The low byte of an SQLite result code is its family; the rest only says how it came about (https://sqlite.org/rescode.html).
_FAMILIES: dict[int, tuple[type[StoreError], str, str]] = {
    sqlite3.SQLITE_BUSY: (StoreLockedError, "is locked by another program", "stop that program, or try again when it is done"),
    sqlite3.SQLITE_LOCKED: (StoreLockedError, "is locked by another program", "stop that program, or try again when it is done"),
    sqlite3.SQLITE_READONLY: (StoreReadOnlyError, "cannot be written", "let this user write the file and its folder"),
    sqlite3.SQLITE_PERM: (StoreReadOnlyError, "cannot be written", "let this user write the file and its folder"),
    sqlite3.SQLITE_CANTOPEN: (StoreError, "cannot be opened", "let this user read and write the file and its folder"),
    sqlite3.SQLITE_NOTADB: (StoreCorruptError, "is not a database", "name another file, or move this one away to start anew"),
    sqlite3.SQLITE_CORRUPT: (StoreCorruptError, "is damaged", "restore it from a backup, or move it away to start anew"),
    sqlite3.SQLITE_FULL: (StoreFullError, "has no room left to write", "free some disk space; nothing was half written"),
    sqlite3.SQLITE_IOERR: (StoreError, "cannot be read or written, the disk reports an error", "look at the disk and the system log"),
}


def store_error(where: str, error: BaseException) -> StoreError:
    """The StoreError that tells of `error`, a driver's exception or SQLAlchemy's wrapping of one."""
    original = getattr(error, "orig", None) or error
    code = getattr(original, "sqlite_errorcode", None)
    if code is not None and (code & 0xFF) in _FAMILIES:
        kind, what, fix = _FAMILIES[code & 0xFF]
        return kind(Problem(where, what, fix))
    return StoreError(Problem(where, f"the database refused: {original}", "nothing was changed"))
