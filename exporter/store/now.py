"""The database's own clock: one and the same for all programs, whatever theirs say."""

from __future__ import annotations

from sqlalchemy import ColumnElement, Connection, Double, cast, func, literal


def database_now(connection: Connection) -> ColumnElement[float]:
    """Unix seconds at the moment at which the statement reads it."""
    if connection.dialect.name == "postgresql":
        return cast(func.extract("epoch", func.clock_timestamp()), Double)
    return (func.julianday("now") - literal(2440587.5)) * literal(86400.0)
