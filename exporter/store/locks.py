"""Locks that PostgreSQL holds until the end of a transaction. SQLite needs none: there one transaction writes at a time."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sqlalchemy import ColumnElement, Connection, Table, func, select, text

_OF_TARGETS, _OF_THE_STORE = 7_264_811_093, 7_264_811_094
"""Mixed into each lock's number, so that neither another program in the same database nor a target that is called "events" happens to
use it. Programs of several versions may share a store: a number that changes keeps them from waiting for each other."""

_MIGRATION_SECONDS = 600


def needs_locks(connection: Connection) -> bool:
    """Whether several transactions write at once."""
    return connection.dialect.name == "postgresql"


def locking(target: Any) -> ColumnElement[Any]:
    """A column that has the lock of `target` once its row is read; to be asked for where `needs_locks`."""
    return func.pg_advisory_xact_lock(func.hashtextextended(target, _OF_TARGETS))


def lock(connection: Connection, what: str) -> None:
    """Wait until no other transaction has the lock of `what` in the whole store, and have it until the end of this one."""
    if needs_locks(connection):
        connection.execute(select(func.pg_advisory_xact_lock(func.hashtextextended(what, _OF_THE_STORE))))


def take_time(connection: Connection, seconds: int = _MIGRATION_SECONDS) -> None:
    """Let this transaction's statements take, and wait for each other, as long as they have to."""
    if needs_locks(connection):
        for setting in ("statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"):
            connection.execute(text(f"SET LOCAL {setting} = '{seconds}s'"))


def lock_tables(connection: Connection, tables: Iterable[Table]) -> None:
    """Let nobody else write in these tables until the end of this transaction; everybody may read."""
    if needs_locks(connection):
        connection.execute(text(f"LOCK TABLE {', '.join(table.name for table in tables)} IN SHARE ROW EXCLUSIVE MODE"))
