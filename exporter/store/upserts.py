"""INSERT … ON CONFLICT, the three ways it is used here. Statements are made once: each answer comes by here several times."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from sqlalchemy import Connection, Table
from sqlalchemy.dialects import postgresql, sqlite


def insert_new(connection: Connection, table: Table, row: dict[str, Any]) -> bool:
    """Write `row` unless a unique key of it is taken. False where it was: what is there stays as it is."""
    inserted: int = connection.execute(_new(connection.dialect.name, table), row).rowcount
    return inserted == 1


def add_up(connection: Connection, table: Table, rows: Sequence[dict[str, Any]], sums: Sequence[str]) -> None:
    """Write each row, or add its `sums` columns to the row that has the same primary key."""
    connection.execute(_added(connection.dialect.name, table, tuple(sums)), list(rows))


def put(connection: Connection, table: Table, row: dict[str, Any], keep: Sequence[str] = ()) -> None:
    """Write `row`, over the one that has the same primary key but for its `keep` columns."""
    insert = _insert(connection.dialect.name, table)
    over = {name: insert.excluded[name] for name in row if name not in keep}
    connection.execute(insert.on_conflict_do_update(index_elements=list(table.primary_key), set_=over), row)


@cache
def _new(dialect: str, table: Table) -> Any:
    # Without inline() and the option PostgreSQL would be asked for the id, and the number of rows be lost.
    return _insert(dialect, table).on_conflict_do_nothing().inline().execution_options(preserve_rowcount=True)


@cache
def _added(dialect: str, table: Table, sums: tuple[str, ...]) -> Any:
    insert = _insert(dialect, table)
    added = {name: table.c[name] + insert.excluded[name] for name in sums}
    return insert.on_conflict_do_update(index_elements=list(table.primary_key), set_=added)


def _insert(dialect: str, table: Table) -> Any:
    return sqlite.insert(table) if dialect == "sqlite" else postgresql.insert(table)
