"""SQLite: one file of this machine, one writer at a time, each transaction on the disk before it counts."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from urllib.parse import quote

from sqlalchemy import URL, Connection, QueuePool, create_engine, event
from sqlalchemy.exc import SQLAlchemyError

from exporter.errors import Problem, StoreError, StoreMissingError, StoreReadOnlyError
from exporter.store.backend import Backend
from exporter.store.faults import explain_sqlite
from exporter.store.statements import run_text

_WRITES = "exporter_writes"


class _FileGoneError(Exception):
    """The file is not the one that was opened."""


class SqliteBackend(Backend):
    """The file at `path`."""

    failures = (SQLAlchemyError, sqlite3.Error, OverflowError, UnicodeDecodeError, _FileGoneError)

    def __init__(self, url: URL, where: str, *, read_only: bool, busy_timeout_seconds: float) -> None:
        self.path = _find_file(url, where)
        if os.path.isdir(self.path):
            raise StoreError(Problem(where, "is a folder", "name a file in it"))
        if read_only and not os.path.exists(self.path):
            raise StoreMissingError(Problem(where, "there is no such file", "run serve or check first, they create it"))
        if not read_only:
            _create_file(self.path, where)
        self._read_only = read_only
        self._busy_timeout_seconds = busy_timeout_seconds
        self._file = _identify(self.path)
        self.missing = Problem(where, "there is nothing in the file yet", "run serve or check first, they fill it")
        engine = create_engine("sqlite://", creator=self._open, poolclass=QueuePool)
        event.listen(engine, "begin", _begin)
        super().__init__(where, engine, engine, engine.execution_options(**{_WRITES: True}))

    def explain(self, error: BaseException) -> StoreError:
        """In words about files and disks."""
        if isinstance(error, _FileGoneError):
            what = "was removed or replaced while the program runs"
            return StoreError(Problem(self.where, what, "put it back, or start the program again"))
        return explain_sqlite(self.where, error)

    def require_there(self) -> None:
        """SQLite goes on writing into a file that was deleted under it, and all of that would be gone at the next start."""
        if _identify(self.path) != self._file:
            raise _FileGoneError

    def require_sound(self, connection: Connection) -> None:
        """A transaction whose statement failed can still be committed, and keeps what the others did."""

    def write_ahead(self) -> None:
        """Let readers and the writer go on beside each other, from now on and for every program."""
        connection = self.engine.raw_connection()
        try:
            connection.cursor().execute("PRAGMA journal_mode = WAL")
        finally:
            connection.close()

    def _open(self) -> sqlite3.Connection:
        uri = f"file:{quote(str(self.path))}?{_open_mode(self.path, read_only=self._read_only)}"
        connection = sqlite3.connect(uri, uri=True, timeout=self._busy_timeout_seconds, isolation_level=None, check_same_thread=False)
        try:
            connection.execute("PRAGMA foreign_keys = ON")
            connection.execute("PRAGMA synchronous = FULL")
        except sqlite3.Error:
            connection.close()
            raise
        return connection


def _begin(connection: Connection) -> None:
    # A deferred transaction that turns into a writing one fails at once where another writes: the busy timeout is of no use to it.
    run_text(connection, "BEGIN IMMEDIATE" if connection.get_execution_options().get(_WRITES) else "BEGIN", ())


def _find_file(url: URL, where: str) -> Path:
    if url.query:
        raise StoreError(Problem(where, "parameters after ? are not supported", "leave them out"))
    if url.database in (None, "", ":memory:"):
        raise StoreError(Problem(where, "names no file, and a store must outlive the program", "write sqlite:///data/history.db"))
    return Path(str(url.database)).absolute()


def _create_file(path: Path, where: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if not os.path.exists(path):
            path.touch()
    except OSError as error:
        what = f"cannot be created: {error.strerror}"
        fix = f"let this user create {path.name} in {path.parent}, or name another place"
        raise StoreReadOnlyError(Problem(where, what, fix)) from error


def _open_mode(path: Path, *, read_only: bool) -> str:
    if not read_only:
        return "mode=rw"
    # Even a reader needs the -wal and -shm files. Where it may not make them and nobody else has, nobody is writing either.
    writable = os.access(path.parent, os.W_OK, effective_ids=os.access in os.supports_effective_ids)
    resting = not writable and not os.path.exists(f"{path}-wal")
    return "mode=ro&immutable=1" if resting else "mode=ro"


def _identify(path: Path) -> tuple[int, int] | None:
    """What tells a file from another one that has its name; None where there is no file."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_dev, status.st_ino
