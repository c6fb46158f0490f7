"""INSERT … ON CONFLICT, the two ways it is used here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Table
from sqlalchemy.dialects import sqlite


def insert_new(connection: Connection, table: Table, row: dict[str, Any]) -> bool:
    """Write `row` unless a unique key of it is taken. False where it was: what is there stays as it is."""
    return connection.execute(sqlite.insert(table).on_conflict_do_nothing(), row).rowcount == 1


def add_up(connection: Connection, table: Table, rows: Sequence[dict[str, Any]], sums: Sequence[str]) -> None:
    """Write each row, or add its `sums` columns to the row that has the same primary key."""
    insert = sqlite.insert(table)
    added = {name: table.c[name] + insert.excluded[name] for name in sums}
    connection.execute(insert.on_conflict_do_update(index_elements=list(table.primary_key), set_=added), list(rows))
