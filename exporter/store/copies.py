"""A history from one database in another: read in the order of its keys, written into tables that have none, between any two kinds."""

from __future__ import annotations

import sqlite3
from collections.abc import Generator, Iterable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Row, Table, Text, func, insert, select, text

from exporter.store.database import connect
from exporter.store.locks import needs_locks
from exporter.store.schema import migrate
from exporter.store.tables import configs, metadata, replicas, turns

HISTORY: tuple[Table, ...] = tuple(table for table in metadata.sorted_tables if table not in (turns, replicas, configs))
"""What is worth copying, parents before children. The others tell who is at work with this database, and nobody is with the other."""

ROWS_AT_ONCE = 2000

Rows = Sequence[Row[Any]]


def copy_all(connection: Connection, path: Path) -> None:
    """The history as it is at one moment, in a file at `path`; whoever writes in the store goes on meanwhile."""
    original = connection.connection.driver_connection
    if isinstance(original, sqlite3.Connection):
        with closing(sqlite3.connect(path)) as copy:
            original.backup(copy)
        return
    database = connect(f"sqlite:///{path.absolute()}", read_only=False, busy_timeout_seconds=5.0)
    try:
        migrate(database)
        with database.write("open") as copying:
            for table in HISTORY:
                write_rows(copying, table, read_rows(connection, table))
    finally:
        database.engine.dispose()


def read_rows(connection: Connection, table: Table) -> Generator[Rows]:
    """Every row, a few at a time, in the order of the primary key, which is the same in every database: text goes by its bytes."""
    by_bytes = needs_locks(connection)  # a server may sort text by the rules of a language
    key = [column.collate("C") if by_bytes and isinstance(column.type, Text) else column for column in table.primary_key]
    query = select(table).order_by(*key)
    with connection.execution_options(stream_results=True).execute(query) as rows:
        yield from rows.partitions(ROWS_AT_ONCE)


def write_rows(connection: Connection, table: Table, parts: Iterable[Rows]) -> None:
    """All these rows into a table that has none. What numbers new rows goes on after them."""
    if not needs_locks(connection):
        names = table.columns.keys()
        for part in parts:
            connection.execute(insert(table), [dict(zip(names, row, strict=True)) for row in part])
        return
    quote = connection.dialect.identifier_preparer.quote
    columns = ", ".join(quote(name) for name in table.columns.keys())  # noqa: SIM118 - a mapping by name that is a list of columns
    driver: Any = connection.connection.driver_connection
    with driver.cursor() as cursor, cursor.copy(f"COPY {quote(table.name)} ({columns}) FROM STDIN") as copying:
        for part in parts:
            for row in part:
                copying.write_row(row)
    numbered = table.autoincrement_column
    if numbered is not None:
        newest = func.max(numbered)
        sequence = func.pg_get_serial_sequence(table.name, numbered.name)
        connection.execute(select(func.setval(sequence, func.coalesce(newest, 1), newest.is_not(None))))
    connection.execute(text(f"ANALYZE {quote(table.name)}"))  # else the first queries are planned for an empty table
