"""Whether an SQLite file is what SQLite wrote: every page, every index, every reference from one table to another."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

MOST_TOLD = 20


def damages(connection: sqlite3.Connection) -> Iterator[str]:
    """What is broken, a line each, 20 of each kind at the most; nothing where all is whole. Reads all of the file."""
    for (line,) in connection.execute(f"PRAGMA integrity_check({MOST_TOLD})"):
        if line != "ok":
            yield f"the file is damaged: {' '.join(line.split())}"
    for table, row_id, parent, _ in connection.execute("PRAGMA foreign_key_check").fetchmany(MOST_TOLD):
        yield f"row {row_id} of {table} refers to a row of {parent} that is not there"
