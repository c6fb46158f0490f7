from __future__ import annotations

from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from exporter.errors import StoreError, StoreVersionError
from exporter.store import Store, open_store, schema
from exporter.store.tables import metadata
from tests.postgres import PostgresServer
from tests.store.facts import NOW, start_run
from tests.store.postgres.test_races import at_once
from tests.store.test_migrations import HEAD, NEXT_STEP, a_next_step, write_first_version

__all__ = ["a_next_step"]  # a fixture


def columns_of(postgres: PostgresServer, database: str, table: str) -> set[str]:
    with postgres.connect(database) as connection:
        query = "SELECT column_name FROM information_schema.columns WHERE table_name = %s"
        return {name for (name,) in connection.execute(query, (table,)).fetchall()}


def test_the_steps_lead_to_the_tables_that_the_code_knows(store: Store) -> None:
    options = {"version_table": schema.VERSION_TABLE, "compare_type": True}
    with store._database.read() as connection:
        assert compare_metadata(MigrationContext.configure(connection, opts=options), metadata) == []


def test_a_database_of_the_first_version_is_brought_up_to_date_by_one_of_several_programs(postgres: PostgresServer) -> None:
    url = postgres.make_database("first_version")
    write_first_version(url)
    with pytest.raises(StoreVersionError, match="was written by an older version of this program"):
        open_store(url, read_only=True)
    opened = at_once(*[lambda: open_store(url)] * 3)
    assert [type(each) for each in opened] == [Store] * 3, opened
    for each in opened:
        (grade,) = each.check(1).runs[0].grades
        assert (grade.question_id, grade.right, grade.identity, grade.latency_seconds, grade.host) == ("q1", True, "gpt", 1.5, None)
    with postgres.connect("first_version") as admin:  # the first version wrote its ids by hand in this test
        admin.execute("SELECT setval('checks_id_seq', 10), setval('runs_id_seq', 10)")
    start_run(opened[0], due_at=NOW)
    for each in opened:
        each.close()


def test_a_step_that_fails_changes_nothing(postgres: PostgresServer, a_next_step: Path) -> None:
    url = postgres.make_database("before_a_step")
    with pytest.MonkeyPatch.context() as before:
        before.setattr(schema, "newest_version", lambda: HEAD)
        a_next_step.write_text(NEXT_STEP.format(head=HEAD, then='op.execute("INSERT INTO nowhere VALUES (1)")'))
        before.setattr(schema.command, "upgrade", _to(HEAD, schema.command.upgrade))
        open_store(url).close()
    with pytest.raises(StoreError):
        open_store(url)
    assert "author" not in columns_of(postgres, "before_a_step", "events")
    assert columns_of(postgres, "before_a_step", "leases") == set()


def _to(revision: str, upgrade: object) -> object:
    return lambda config, _head: upgrade(config, revision)  # type: ignore[operator]  # alembic's own
