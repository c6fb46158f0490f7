"""What a database complains of, in words a person can act on."""

from __future__ import annotations

import re
import sqlite3

from exporter.errors import (
    Problem,
    StoreCorruptError,
    StoreError,
    StoreFullError,
    StoreLockedError,
    StoreReadOnlyError,
    StoreUnreachableError,
)

Fault = tuple[type[StoreError], str, str]


class DeadlockError(StoreLockedError):
    """The database undid a transaction for the sake of another one: made again, it succeeds."""


_LOCKED: Fault = (StoreLockedError, "is locked by another program", "stop that program, or try again when it is done")
_FULL: Fault = (StoreFullError, "has no room left to write", "free some disk space; nothing was half written")

# The low byte of an SQLite result code is its family; the rest only says how it came about (https://sqlite.org/rescode.html).
_FAMILIES: dict[int, Fault] = {
    sqlite3.SQLITE_BUSY: _LOCKED,
    sqlite3.SQLITE_LOCKED: _LOCKED,
    sqlite3.SQLITE_READONLY: (StoreReadOnlyError, "cannot be written", "let this user write the file and its folder"),
    sqlite3.SQLITE_PERM: (StoreReadOnlyError, "cannot be written", "let this user write the file and its folder"),
    sqlite3.SQLITE_CANTOPEN: (StoreError, "cannot be opened", "let this user read and write the file and its folder"),
    sqlite3.SQLITE_NOTADB: (StoreCorruptError, "is not a database", "name another file, or move this one away to start anew"),
    sqlite3.SQLITE_CORRUPT: (StoreCorruptError, "is damaged", "restore it from a backup, or move it away to start anew"),
    sqlite3.SQLITE_FULL: _FULL,
    sqlite3.SQLITE_IOERR: (StoreError, "cannot be read or written, the disk reports an error", "look at the disk and the system log"),
}

_CUT_OFF: Fault = (StoreUnreachableError, "has cut the connection", "look at the server's log; the connection is made again by itself")
_DAMAGED: Fault = (StoreCorruptError, "is damaged", "look at the server's log, and restore it from a backup")
_NO_ENTRY = "check the user, its password in storage_password_file, and the server's pg_hba.conf"
_READ_ONLY: Fault = (StoreReadOnlyError, "cannot be written, the server is read-only", "name the primary server, or promote this standby")

# https://www.postgresql.org/docs/current/errcodes-appendix.html
_SQLSTATES: dict[str, Fault] = {
    "22003": (StoreError, "a number is too large", "nothing was changed"),
    "25006": _READ_ONLY,
    "25P03": _CUT_OFF,
    "28000": (StoreError, "does not let this user in", _NO_ENTRY),
    "28P01": (StoreError, "does not let this user in", _NO_ENTRY),
    "3D000": (StoreError, "there is no such database", "create it, or name another one"),
    "3F000": (StoreError, "has no schema to work in", "create the schema public, or let this user use it"),
    "40001": (DeadlockError, *_LOCKED[1:]),
    "40P01": (DeadlockError, *_LOCKED[1:]),
    "42501": (StoreReadOnlyError, "cannot be written, this user may not", "let this user create and change tables in this database"),
    "42P01": (StoreError, "its tables were removed while the program runs", "restore them from a backup, or start the program again"),
    "53100": _FULL,
    "53300": (StoreUnreachableError, "has no connection left", "raise max_connections of the server, or run fewer replicas"),
    "55P03": _LOCKED,
    "57014": (StoreUnreachableError, "did not answer in time", "look at the load of the server"),
    "57P01": _CUT_OFF,
    "57P02": _CUT_OFF,
    "57P03": (StoreUnreachableError, "is not ready, the server starts or stops", "wait, it is tried again"),
    "58030": (StoreError, "cannot be read or written, the disk reports an error", "look at the disk and the server's log"),
    "XX001": _DAMAGED,
    "XX002": _DAMAGED,
}

# A connection that is refused has no SQLSTATE in libpq: its words are all there is, in English unless the server speaks otherwise.
_REFUSALS: tuple[tuple[str, str], ...] = (
    (r"password authentication failed|no password supplied|no pg_hba\.conf entry|role .* does not exist", "28P01"),
    (r"database .* does not exist", "3D000"),
    (r"session is read-only|server is in hot standby mode", "25006"),
    (r"the database system is (?:starting up|shutting down|in recovery mode|not yet accepting connections)", "57P03"),
    (r"too many (?:clients|connections)|remaining connection slots", "53300"),
)
_REASON_CHARACTERS = 200


def explain_sqlite(where: str, error: BaseException) -> StoreError:
    """The StoreError that tells of `error`, a driver's exception or SQLAlchemy's wrapping of one."""
    original = getattr(error, "orig", None) or error
    code = getattr(original, "sqlite_errorcode", None)
    if code is not None and (code & 0xFF) in _FAMILIES:
        return _told(where, _FAMILIES[code & 0xFF])
    # All text that is written here is UTF-8; a file, or the words of SQLite about it, that is not has been changed by something else.
    is_garbled = isinstance(original, UnicodeDecodeError) or str(original).startswith("Could not decode to UTF-8")
    return _told(where, _FAMILIES[sqlite3.SQLITE_CORRUPT]) if is_garbled else _unknown(where, original)


def explain_postgres(where: str, error: BaseException) -> StoreError:
    """The StoreError that tells of `error`, psycopg's or SQLAlchemy's wrapping of one."""
    original = getattr(error, "orig", None) or error
    state = getattr(original, "sqlstate", None)
    words = str(original)
    if state is None:
        state = next((state for pattern, state in _REFUSALS if re.search(pattern, words)), None)
    if state is None and (type(original).__name__ in ("OperationalError", "InterfaceError", "ConnectionTimeout", "TimeoutError")):
        reason = _last_words(words)
        return StoreUnreachableError(Problem(where, f"cannot be reached: {reason}", "check host, port and TLS, and that the server runs"))
    if state is not None and state in _SQLSTATES:
        return _told(where, _SQLSTATES[state])
    return _told(where, _CUT_OFF) if state is not None and state.startswith("08") else _unknown(where, original)


def _told(where: str, fault: Fault) -> StoreError:
    kind, what, fix = fault
    return kind(Problem(where, what, fix))


def _unknown(where: str, original: BaseException) -> StoreError:
    return StoreError(Problem(where, f"the database refused: {_first_line(original)}", "nothing was changed"))


def _first_line(original: BaseException) -> str:
    """What follows on a server's first line may quote a statement, and what was to be written with it."""
    return str(original).partition("\n")[0]


def _last_words(words: str) -> str:
    """Of libpq's several lines the end of the first one that gives a reason."""
    line = next((line for line in words.splitlines() if "failed: " in line or "error: " in line), words.partition("\n")[0])
    return re.split(r"failed: (?:FATAL: +)?|error: ", line)[-1].strip()[:_REASON_CHARACTERS]
