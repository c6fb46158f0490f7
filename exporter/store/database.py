"""Transactions: where one begins, what is kept of it, how its failures are counted and told. Which database it is, is not known here."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager

from sqlalchemy import Connection, Engine, make_url
from sqlalchemy.exc import ArgumentError

from exporter.config import require_postgres_url
from exporter.errors import ExporterError, Problem, StoreError, StoreTakenError, split_told
from exporter.store.backend import Backend
from exporter.store.pending import pending_in, pending_of
from exporter.store.postgres import PostgresBackend, ReadPassword
from exporter.store.sqlite import SqliteBackend

OPERATIONS = ("open", "claim", "reserve", "settle", "close", "event", "rename", "prune", "read", "verify")
"""The closed set of what can go wrong, by name: the label of store_errors_total."""


RequireTurns = Callable[[Connection, Collection[str]], None]
"""Raises StoreTakenError unless all these targets are still this program's to work on."""


class BatchError(Exception):
    """The database failed one write of a batch: the whole batch is undone, and each write has to be made by itself."""


class Database:
    """A backend that tells reads from writes and turns every failure into a StoreError, counted by operation."""

    def __init__(self, backend: Backend) -> None:
        self.backend = backend
        self._error_counts = dict.fromkeys(OPERATIONS, 0)
        self._counting = threading.Lock()
        self._batch = threading.local()
        self._ends_of_batches: tuple[type[BaseException], ...] = (*backend.failures, StoreTakenError)
        self.require_turns: RequireTurns = lambda connection, targets: None

    @property
    def where(self) -> str:
        """The database as messages name it, without a password."""
        return self.backend.where

    @property
    def engine(self) -> Engine:
        """Where connections come from."""
        return self.backend.engine

    @property
    def error_counts(self) -> Mapping[str, int]:
        """Failures of this process by operation; every operation is present from the start."""
        return self._error_counts

    @contextmanager
    def read(self, operation: str = "read") -> Iterator[Connection]:
        """One transaction that sees one state of the database and writes nothing. Inside a batch: what the batch has written so far."""
        shared = self._shared
        if shared is not None:
            with self._part_of_batch():
                pending_of(shared).write(shared)
                yield shared
            return
        reading: Connection | None = getattr(self._batch, "reading", None)
        if reading is not None:
            with self.guard(operation):
                yield reading
            return
        with self.guard(operation), self.backend.reads.begin() as connection:
            yield connection

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Let all reads of this thread inside see one state of the database, in one transaction. One inside another is a part of it."""
        if getattr(self._batch, "reading", None) is not None:
            yield
            return
        with self.guard("read"), self.backend.reads.begin() as connection:
            self._batch.reading = connection
            try:
                yield
            finally:
                self._batch.reading = None

    @contextmanager
    def write(self, operation: str, *, refuses_early: bool = False) -> Iterator[Connection]:
        """One transaction of which all is kept, or nothing.

        `refuses_early`: whoever raises an ExporterError or a ValueError inside has not written anything yet. In a batch that
        spares a savepoint, two statements of the few that an answer takes.
        """
        shared = self._shared
        if shared is None:
            with self.guard(operation), self._begin_writing() as connection:
                yield connection
            return
        if refuses_early:
            with self._part_of_batch(ours=(ExporterError, ValueError)):
                yield shared
        else:
            with self._part_of_batch(), pending_of(shared).part(), shared.begin_nested():
                yield shared

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
        except self._ends_of_batches as error:
            raise BatchError from error

    @contextmanager
    def _part_of_batch(self, ours: tuple[type[Exception], ...] = (Exception,)) -> Iterator[None]:
        """Give the batch up where the database fails, or anything raises that is none of `ours`."""
        try:
            yield
        except self.backend.failures as error:
            raise BatchError from error
        except ours:
            raise
        except Exception as error:
            raise BatchError from error

    @property
    def _shared(self) -> Connection | None:
        """The connection of the batch that this thread is in."""
        connection: Connection | None = getattr(self._batch, "connection", None)
        return connection

    @contextmanager
    def _begin_writing(self) -> Iterator[Connection]:
        self.backend.require_there()
        with self.backend.writes.begin() as connection, pending_in(connection) as pending:
            yield connection
            self.backend.require_sound(connection)
            if pending.targets:
                self.require_turns(connection, pending.targets)
            pending.write(connection)

    @contextmanager
    def guard(self, operation: str) -> Iterator[None]:
        """Raise the StoreError that tells of a database failure inside, and count it."""
        try:
            yield
        except self.backend.failures as error:
            with self._counting:
                self._error_counts[operation] += 1
            raise self.backend.explain(error) from error


def connect(url: str, *, read_only: bool, busy_timeout_seconds: float, read_password: ReadPassword | None = None) -> Database:
    """The database that `url` names. A missing file is created, with its folder, unless `read_only`. Reads nothing yet."""
    if url.lower().startswith("postgres"):
        try:
            require_postgres_url(url)
        except ValueError as error:
            raise StoreError(Problem("storage", *split_told(error))) from None
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError) as error:
        raise StoreError(Problem("storage", "is not a database URL", "write sqlite:///data/history.db")) from error
    where = f"storage {url if parsed.password is None else parsed.render_as_string(hide_password=True)}"
    if parsed.get_backend_name() == "postgresql":
        return Database(
            PostgresBackend(parsed, where, read_only=read_only, lock_timeout_seconds=busy_timeout_seconds, read_password=read_password)
        )
    if parsed.get_backend_name() != "sqlite":
        raise StoreError(Problem(where, "this kind of database is not supported", "write sqlite:///data/history.db"))
    return Database(SqliteBackend(parsed, where, read_only=read_only, busy_timeout_seconds=busy_timeout_seconds))
