"""A copy of a store, to be worked on and thrown away, or kept."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from sqlalchemy import Connection


def copy_all(connection: Connection, path: Path) -> None:
    """Everything as it is at one moment, in a file at `path`; whoever writes in the store goes on meanwhile."""
    original = connection.connection.driver_connection
    if not isinstance(original, sqlite3.Connection):
        raise TypeError(f"{type(original).__name__} is no SQLite connection")
    with closing(sqlite3.connect(path)) as copy:
        original.backup(copy)
