"""A target under a new name, with everything it has."""

from __future__ import annotations

from sqlalchemy import Connection, select, update

from exporter.errors import Problem, StoreError
from exporter.store.locks import lock
from exporter.store.pending import pending_of
from exporter.store.tables import metadata, turns

_TABLES = [table for table in metadata.sorted_tables if "target" in table.c and table is not turns]


def rename_target(connection: Connection, old: str, new: str) -> bool:
    """Move all rows of `old` to `new`. False where `old` has none: it was moved before, or never was.

    Raises StoreError where `new` has rows of its own: two histories cannot be told apart again once they are one.
    """
    lock(connection, "renames")
    pending_of(connection).write(connection)
    if old == new or not _has_rows(connection, old):
        return False
    if _has_rows(connection, new):
        what = f"both {old} and {new} have a history, they cannot become one"
        raise StoreError(Problem(f"target {new}", what, "take formerly out of the config, or give the target a name that is new"))
    for table in _TABLES:
        connection.execute(update(table).where(table.c.target == old).values(target=new))
    return True


def target_names(connection: Connection) -> list[str]:
    """Every target that was ever checked, sorted."""
    checks = metadata.tables["checks"]
    return list(connection.execute(select(checks.c.target).distinct().order_by(checks.c.target)).scalars())


def _has_rows(connection: Connection, target: str) -> bool:
    return any(connection.execute(select(table.c.target).where(table.c.target == target).limit(1)).first() for table in _TABLES)
