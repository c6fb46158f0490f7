"""The connection to the database: how it is opened, where a transaction begins, how its errors are counted and told."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from sqlalchemy import URL, Connection, Engine, QueuePool, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from exporter.errors import Problem, StoreError, StoreMissingError, StoreReadOnlyError
from exporter.store.faults import store_error

OPERATIONS = ("open", "claim", "reserve", "settle", "close", "event", "rename", "prune", "read", "verify")
"""The closed set of what can go wrong, by name: the label of store_errors_total."""

_WRITES = "exporter_writes"


class _FileGoneError(Exception):
    """The file is not the one that was opened."""


_FAILURES = (SQLAlchemyError, sqlite3.Error, OverflowError, _FileGoneError)


class BatchError(Exception):
    """The database failed one write of a batch: the whole batch is undone, and each write has to be made by itself."""


class Database:
    """An engine that tells reads from writes and turns every failure into a StoreError, counted by operation."""

    def __init__(self, engine: Engine, where: str, path: Path) -> None:
        self.where = where
        self.path = path
        self._file = _identify(path)
        self.engine = engine
        self._writes = engine.execution_options(**{_WRITES: True})
        self._error_counts = dict.fromkeys(OPERATIONS, 0)
        self._counting = threading.Lock()
        self._batch = threading.local()

    @property
    def error_counts(self) -> Mapping[str, int]:
        """Failures of this process by operation; every operation is present from the start."""
        return self._error_counts

    @contextmanager
    def read(self, operation: str = "read") -> Iterator[Connection]:
        """One transaction that sees one state of the database and writes nothing. Inside a batch: what the batch has written so far."""
        shared = self._shared
        if shared is not None:
            yield shared
            return
        with self.guard(operation), self.engine.begin() as connection:
            yield connection

    @contextmanager
    def write(self, operation: str) -> Iterator[Connection]:
        """One transaction that is alone in writing from its first statement on; all of it is kept, or nothing."""
        shared = self._shared
        if shared is None:
            with self.guard(operation), self._begin_writing() as connection:
                yield connection
            return
        try:
            with shared.begin_nested():
                yield shared
        except _FAILURES as error:
            raise BatchError from error

    @contextmanager
    def batch(self) -> Iterator[None]:
        """Make all writes of this thread inside one transaction, so that the disk is waited for once.

        A write that raises undoes itself alone. Raises BatchError, and keeps nothing, where the database fails.
        """
        try:
            with self._begin_writing() as connection:
                self._batch.connection = connection
                try:
                    yield
                finally:
                    self._batch.connection = None
        except _FAILURES as error:
            raise BatchError from error

    @property
    def _shared(self) -> Connection | None:
        """The connection of the batch that this thread is in."""
        connection: Connection | None = getattr(self._batch, "connection", None)
        return connection

    @contextmanager
    def _begin_writing(self) -> Iterator[Connection]:
        # SQLite goes on writing into a file that was deleted under it, and all of that would be gone at the next start.
        if _identify(self.path) != self._file:
            raise _FileGoneError
        with self._writes.begin() as connection:
            yield connection

    @contextmanager
    def guard(self, operation: str) -> Iterator[None]:
        """Raise the StoreError that tells of a database failure inside, and count it."""
        try:
            yield
        except _FileGoneError as error:
            self.count_error(operation)
            what = "was removed or replaced while the program runs"
            raise StoreError(Problem(self.where, what, "put it back, or start the program again")) from error
        except _FAILURES as error:
            self.count_error(operation)
            raise store_error(self.where, error) from error

    def count_error(self, operation: str) -> None:
        """One more failure of `operation`."""
        with self._counting:
            self._error_counts[operation] += 1


def connect(url: str, *, read_only: bool, busy_timeout_seconds: float) -> Database:
    """The database that `url` names. A missing file is created, with its folder, unless `read_only`. Reads nothing yet."""
    try:
        parsed = make_url(url)
    except ArgumentError as error:
        raise StoreError(Problem("storage", "is not a database URL", "write sqlite:///data/history.db")) from error
    where = f"storage {url if parsed.password is None else parsed.render_as_string(hide_password=True)}"
    path = _find_file(parsed, where)
    if os.path.isdir(path):
        raise StoreError(Problem(where, "is a folder", "name a file in it"))
    if read_only and not os.path.exists(path):
        raise StoreMissingError(Problem(where, "there is no such file", "run serve or check first, they create it"))
    if not read_only:
        _create_file(path, where)

    def open_connection() -> sqlite3.Connection:
        uri = f"file:{quote(str(path))}?{_open_mode(path, read_only=read_only)}"
        connection = sqlite3.connect(uri, uri=True, timeout=busy_timeout_seconds, isolation_level=None, check_same_thread=False)
        try:
            connection.execute("PRAGMA foreign_keys = ON")
            connection.execute("PRAGMA synchronous = FULL")
        except sqlite3.Error:
            connection.close()
            raise
        return connection

    engine = create_engine("sqlite://", creator=open_connection, poolclass=QueuePool)
    event.listen(engine, "begin", _begin)
    return Database(engine, where, path)


def _begin(connection: Connection) -> None:
    # A deferred transaction that turns into a writing one fails at once where another writes: the busy timeout is of no use to it.
    connection.exec_driver_sql("BEGIN IMMEDIATE" if connection.get_execution_options().get(_WRITES) else "BEGIN")


def _find_file(url: URL, where: str) -> Path:
    if url.get_backend_name() != "sqlite":
        raise StoreError(Problem(where, "this kind of database is not supported", "write sqlite:///data/history.db"))
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
