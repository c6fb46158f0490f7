"""A whole history moved to another database, of whichever kind: as it is at one moment, all of it or nothing, and compared afterwards."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass

from sqlalchemy import Connection, Table, func, inspect, select

from exporter.errors import Problem, StoreError, StoreLockedError
from exporter.store.copies import HISTORY, Rows, read_rows, write_rows
from exporter.store.database import Database, connect
from exporter.store.digests import Digest, digest
from exporter.store.leases import open_turns
from exporter.store.locks import lock_tables, needs_locks, take_time
from exporter.store.postgres import ReadPassword
from exporter.store.renames import target_names
from exporter.store.replicas import LIVE_SECONDS, read_replicas
from exporter.store.schema import current_version, migrate, require_newest
from exporter.store.tables import metadata

_LONGEST_SECONDS = 3600
"""One statement, or a side that waits for the other, of a history of any size."""

Progress = Callable[[str, int, int], None]
"""Told what is done (`copied`, then `compared`, a row of each side), to how many rows, and of how many."""


@dataclass(frozen=True, slots=True)
class CopiedTable:
    """What both sides have of a table, each read anew after the copying."""

    name: str
    source: Digest
    target: Digest


@dataclass(frozen=True, slots=True)
class Copied:
    """What was copied, table by table. `replicas` are programs that worked with the source: what they write from now on is not in the copy.

    Where any table is `different`, nothing was kept in the target.
    """

    source: str
    target: str
    tables: tuple[CopiedTable, ...]
    replicas: int

    @property
    def rows(self) -> int:
        """Of all tables together."""
        return sum(table.source.rows for table in self.tables)

    @property
    def different(self) -> tuple[CopiedTable, ...]:
        """Tables that do not hold the same on both sides."""
        return tuple(table for table in self.tables if table.source != table.target)


class _DifferentError(Exception):
    """Ends the transaction of the target, so that nothing is kept."""


def copy_history(
    source_url: str,
    target_url: str,
    *,
    read_source_password: ReadPassword | None = None,
    read_target_password: ReadPassword | None = None,
    progress: Progress = lambda what, done, total: None,
    busy_timeout_seconds: float = 5.0,
) -> Copied:
    """Copy the history at one URL into the database at the other, which has none; a file is made where there is none, a database is not.

    One transaction in the target: whoever is interrupted or killed leaves a store without a history. Raises StoreLockedError
    where checks are under way in the source or a program works with the target, StoreVersionError where the source is of
    another version, StoreError where the target has a history, and what `open_store` lists.
    """
    source = connect(source_url, read_only=True, busy_timeout_seconds=busy_timeout_seconds, read_password=read_source_password)
    try:
        require_newest(source)
        with source.read() as reading:
            take_time(reading, _LONGEST_SECONDS)
            _require_no_checks(source, reading)
            target = connect(target_url, read_only=False, busy_timeout_seconds=busy_timeout_seconds, read_password=read_target_password)
            try:
                return _copy(source, reading, target, progress)
            finally:
                target.engine.dispose()
    finally:
        source.engine.dispose()


def _copy(source: Database, reading: Connection, target: Database, progress: Progress) -> Copied:
    with target.read("open") as looking:
        current_version(looking, target.where)
        _require_empty(target, looking)  # before anything is migrated: a store that is not to be touched is not
    migrate(target)
    replicas = len(read_replicas(reading, ""))
    total = sum(reading.execute(select(func.count()).select_from(table)).scalar_one() for table in HISTORY)
    tables: list[CopiedTable] = []
    copied = Copied(source.where, target.where, (), replicas)
    try:
        with target.write("open") as writing:
            lock_tables(writing, metadata.sorted_tables)
            take_time(writing, _LONGEST_SECONDS)
            _require_empty(target, writing)
            _require_nobody(target, writing)
            shown = _Shown(progress, "copied", total)
            for table in HISTORY:
                with closing(_guarded(source, read_rows(reading, table))) as rows:
                    parts = shown.through(rows)
                    write_rows(writing, table, _holdable(source, table, parts) if needs_locks(writing) else parts)
            shown = _Shown(progress, "compared", 2 * total)
            for table in HISTORY:
                with closing(_guarded(source, read_rows(reading, table))) as rows, closing(read_rows(writing, table)) as copied_rows:
                    sides = digest(shown.through(rows)), digest(shown.through(copied_rows))
                tables.append(CopiedTable(table.name, *sides))
            copied = Copied(source.where, target.where, tuple(tables), replicas)
            if copied.different:
                raise _DifferentError
    except _DifferentError:
        pass
    return copied


def _require_no_checks(source: Database, reading: Connection) -> None:
    """What a check under way has sent and not booked yet would be booked twice, and its missing answers be asked twice."""
    held = open_turns(source, "").find_held(reading, target_names(reading))
    if held:
        named = "a target is" if len(held) == 1 else f"{len(held):,} targets are"
        what = f"{named} being checked at this moment: {held[0]}{', …' if len(held) > 1 else ''}"
        raise StoreLockedError(Problem(source.where, what, "stop that program, copy, and start it with the copy as its storage"))


def _require_empty(target: Database, looking: Connection) -> None:
    there = set(inspect(looking).get_table_names())
    for table in HISTORY:
        if table.name in there and looking.execute(select(1).select_from(table).limit(1)).first() is not None:
            what = "has a history already, and nothing is merged or replaced"
            raise StoreError(Problem(target.where, what, "name a new file or an empty database"))


def _require_nobody(target: Database, writing: Connection) -> None:
    if read_replicas(writing, ""):
        raise StoreLockedError(Problem(target.where, "a program works with it", f"stop it, and try again {LIVE_SECONDS:.0f} seconds later"))


def _guarded(database: Database, parts: Generator[Rows]) -> Generator[Rows]:
    """The same rows; a failure to read them is told of the database that they come from, and not of where they go."""
    with closing(parts):  # also where whoever writes gives up: a cursor has to go before its connection
        while True:
            with database.guard("read"):
                part = next(parts, None)
            if part is None:
                return
            yield part


def _holdable(source: Database, table: Table, parts: Iterable[Rows]) -> Iterator[Rows]:
    """The same rows. Raises StoreError for a text with a NUL, which this program never writes and PostgreSQL cannot hold."""
    for part in parts:
        for row in part:
            for column, value in zip(table.columns, row, strict=True):
                if isinstance(value, str) and "\0" in value:
                    what = f"{column.name} of a row of {table.name} holds a NUL character, which PostgreSQL cannot"
                    raise StoreError(Problem(source.where, what, "write another character in its place; nothing was copied"))
        yield part


class _Shown:
    """How far one pass over all tables is."""

    def __init__(self, progress: Progress, what: str, total: int) -> None:
        self._progress = progress
        self._what = what
        self._total = total
        self._done = 0

    def through(self, parts: Iterable[Rows]) -> Iterator[Rows]:
        """The same rows, counted when they are done with."""
        for part in parts:
            yield part
            self._done += len(part)
            self._progress(self._what, self._done, self._total)
