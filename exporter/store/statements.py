"""Statements that every request goes through, made into text once and handed to the driver.

SQLAlchemy's own way there is the same for a statement of any kind, and costs ten times what SQLite takes for one of these.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import chain
from typing import Any

from sqlalchemy import Column, Connection, Table
from sqlalchemy.sql import ClauseElement

ROWS_AT_ONCE = 256
"""Rows of one statement at the most: databases take only so many parameters."""

Rows = Sequence[Sequence[Any]]


class Statement:
    """A statement with named parameters; those of an INSERT or UPDATE that are named as columns are written there."""

    def __init__(self, clause: ClauseElement, columns: Iterable[str] = ()) -> None:
        self._clause = clause
        self._columns = list(columns) or None
        self._texts: dict[str, tuple[str, tuple[str, ...], dict[str, Any]]] = {}

    def run(self, connection: Connection, values: Mapping[str, Any]) -> Rows:
        """What it returns, if anything. A value has to be one that the driver knows.

        Raises KeyError on SQLite, or the driver's complaint about a parameter, where a value is missing.
        """
        dialect = connection.dialect.name
        if dialect not in self._texts:
            made: Any = self._clause.compile(dialect=connection.dialect, column_keys=self._columns)
            # A value that is not given is a mistake, not NULL. In `made.params` that of a column stands as a symbol, which is an int.
            constants = {name: bind.value for bind, name in made.bind_names.items() if not bind.required and bind.value is not None}
            self._texts[dialect] = str(made), tuple(made.positiontup or ()), constants
        text, names, constants = self._texts[dialect]
        given = {**constants, **values}
        return run_text(connection, text, [given[name] for name in names] if names else given)


def run_text(connection: Connection, text: str, values: Sequence[Any] | Mapping[str, Any]) -> Rows:
    """What the text of a statement returns, if anything. Raises what the driver does, or SQLAlchemy's wrapping of it."""
    if connection.dialect.name == "sqlite":
        driver: Any = connection.connection.driver_connection
        rows: Rows = driver.execute(text, values).fetchall()
        return rows
    # A connection that a server has cut is noticed there, and the others of the pool with it.
    result = connection.exec_driver_sql(text, values if isinstance(values, dict) else tuple(values))
    return result.fetchall() if result.returns_rows else ()


def rows_of_ids(connection: Connection, columns: Iterable[Column[Any]], column: Column[Any], ids: Sequence[int]) -> Rows:
    """The rows in which `column` is one of the ids, in the order of their table's key. One statement, whatever their number."""
    named, key = (", ".join(f'"{one.name}"' for one in some) for some in (columns, column.table.primary_key))
    marks = ", ".join(["?" if connection.dialect.name == "sqlite" else "%s"] * len(ids))
    text = f'SELECT {named} FROM {column.table} WHERE "{column.name}" IN ({marks}) ORDER BY {key}'  # noqa: S608 - all names are ours
    return run_text(connection, text, ids)


def insert_rows(connection: Connection, table: Table, columns: tuple[str, ...], rows: Rows, then: str) -> Rows:
    """Write rows, `then` being what follows them in the statement; what it returns. One statement, whatever their number."""
    returned: list[Sequence[Any]] = []
    for some in _portions(rows):
        named = ", ".join(f'"{name}"' for name in columns)
        text = f"INSERT INTO {table.name} ({named}) {_values_text(connection.dialect.name, len(columns), len(some))} {then}"
        returned += run_text(connection, text, tuple(chain.from_iterable(some)))
    return returned


def raise_rows(connection: Connection, table: Table, sums: Sequence[str], rows: Rows) -> None:
    """Add to the `sums` columns of rows that are there; each of `rows` is an id and the amounts."""
    for some in _portions(rows):
        raised = ", ".join(f"{name} = {table.name}.{name} + more.column{at}" for at, name in enumerate(sums, start=2))
        values = _values_text(connection.dialect.name, 1 + len(sums), len(some))
        text = f"UPDATE {table.name} SET {raised} FROM ({values}) AS more WHERE {table.name}.id = more.column1"  # noqa: S608 - all names are ours
        run_text(connection, text, tuple(chain.from_iterable(some)))


def _portions(rows: Rows) -> Iterable[Rows]:
    return (rows[start : start + ROWS_AT_ONCE] for start in range(0, len(rows), ROWS_AT_ONCE))


@cache
def _values_text(dialect: str, columns: int, rows: int) -> str:
    row = f"({', '.join(['?' if dialect == 'sqlite' else '%s'] * columns)})"
    return f"VALUES {', '.join([row] * rows)}"
