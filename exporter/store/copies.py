"""A copy of a store, to be worked on and thrown away, or kept."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from sqlalchemy import Connection, insert, select

from exporter.store.database import connect
from exporter.store.schema import migrate
from exporter.store.tables import metadata

_ROWS_AT_ONCE = 1000


def copy_all(connection: Connection, path: Path) -> None:
    """Everything as it is at one moment, in a file at `path`; whoever writes in the store goes on meanwhile."""
    original = connection.connection.driver_connection
    if isinstance(original, sqlite3.Connection):
        with closing(sqlite3.connect(path)) as copy:
            original.backup(copy)
        return
    database = connect(f"sqlite:///{path.absolute()}", read_only=False, busy_timeout_seconds=5.0)
    try:
        migrate(database)
        with database.write("open") as copying:
            copy_rows(connection, copying)
    finally:
        database.engine.dispose()


def copy_rows(connection: Connection, empty: Connection) -> None:
    """Every row into a store of the newest version that has none, parents before children; between any two kinds of database."""
    for table in metadata.sorted_tables:
        with connection.execution_options(stream_results=True).execute(select(table)) as rows:
            for part in rows.mappings().partitions(_ROWS_AT_ONCE):
                empty.execute(insert(table), [dict(row) for row in part])
