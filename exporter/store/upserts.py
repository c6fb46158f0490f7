"""INSERT … ON CONFLICT, the ways it is used here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from sqlalchemy import Connection, Table
from sqlalchemy.dialects import postgresql, sqlite

from exporter.store.statements import Rows, insert_rows, run_text


def insert_new(connection: Connection, table: Table, row: Mapping[str, Any]) -> int | None:
    """Write `row` unless a unique key of it is taken; its id. None where it was: what is there stays as it is."""
    columns, values = tuple(row), [tuple(row.values())]
    if connection.dialect.name == "sqlite":  # which with RETURNING would plan to walk through all that may refer to the new row
        insert_rows(connection, table, columns, values, "ON CONFLICT DO NOTHING")
        inserted = run_text(connection, "SELECT last_insert_rowid() WHERE changes() = 1", ())
    else:
        inserted = insert_rows(connection, table, columns, values, "ON CONFLICT DO NOTHING RETURNING id")
    return int(inserted[0][0]) if inserted else None


def add_new(connection: Connection, table: Table, columns: tuple[str, ...], rows: Rows) -> None:
    """Write each row, in the order of `columns`, unless a unique key of it is taken: what is there stays as it is."""
    insert_rows(connection, table, columns, rows, "ON CONFLICT DO NOTHING")


def add_up(connection: Connection, table: Table, key: tuple[str, ...], sums: tuple[str, ...], rows: Rows) -> None:
    """Write each row of `key` and `sums` columns, or add its sums to the row that has the same primary key. No key comes twice."""
    insert_rows(connection, table, (*key, *sums), rows, _added(table, sums))


def put(connection: Connection, table: Table, row: dict[str, Any], keep: Sequence[str] = ()) -> None:
    """Write `row`, over the one that has the same primary key but for its `keep` columns."""
    insert = _insert(connection.dialect.name, table)
    over = {name: insert.excluded[name] for name in row if name not in keep}
    connection.execute(insert.on_conflict_do_update(index_elements=list(table.primary_key), set_=over), row)


@cache
def _added(table: Table, sums: tuple[str, ...]) -> str:
    added = ", ".join(f"{name} = {table.name}.{name} + excluded.{name}" for name in sums)
    return f"ON CONFLICT ({', '.join(column.name for column in table.primary_key)}) DO UPDATE SET {added}"


def _insert(dialect: str, table: Table) -> Any:
    return sqlite.insert(table) if dialect == "sqlite" else postgresql.insert(table)
