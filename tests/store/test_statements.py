from __future__ import annotations

from contextlib import closing

import pytest
from sqlalchemy import bindparam, insert, update
from sqlalchemy.exc import ProgrammingError

from exporter.store.statements import Statement
from exporter.store.tables import checks, errors
from tests.store.conftest import PostgresBackend, SqliteBackend

NOTE = Statement(insert(errors), ("target", "happened_at", "reason", "message", "question_id"))
CLOSE = Statement(update(checks).where(checks.c.id == bindparam("check_id")), ("state", "closed_at"))
FORGOTTEN = [
    (NOTE, {"target": "bot", "happened_at": 1.0, "reason": "timeout", "message": "late"}, "question_id"),
    (NOTE, {"happened_at": 1.0, "reason": "timeout", "message": "late", "question_id": None}, "target"),
    (CLOSE, {"check_id": 1, "state": "closed"}, "closed_at"),
    (CLOSE, {"state": "closed", "closed_at": 1.0}, "check_id"),
]


def run_on(backend: SqliteBackend | PostgresBackend, statement: Statement, values: dict[str, object]) -> None:
    with closing(backend.open()) as store, store._database.engine.connect() as connection:
        statement.run(connection, values)


@pytest.mark.parametrize(("statement", "values", "missing"), FORGOTTEN)
def test_a_value_that_was_forgotten_is_not_written_as_something_else(
    sqlite_backend: SqliteBackend, statement: Statement, values: dict[str, object], missing: str
) -> None:
    with pytest.raises(KeyError, match=f"^'{missing}'$"):
        run_on(sqlite_backend, statement, values)


@pytest.mark.parametrize(("statement", "values", "missing"), FORGOTTEN)
def test_a_value_that_was_forgotten_is_not_written_to_a_server_either(
    postgres_backend: PostgresBackend, statement: Statement, values: dict[str, object], missing: str
) -> None:
    with pytest.raises(ProgrammingError, match=f"query parameter missing: {missing}"):
        run_on(postgres_backend, statement, values)
