from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from exporter.errors import StoreError, StoreVersionError
from exporter.store import Store, migrations, open_store, schema
from exporter.store.database import connect
from exporter.store.tables import metadata
from tests.store.conftest import SqliteBackend
from tests.store.facts import NOW, do_check, start_run

FOLDER = Path(migrations.__file__).parent
HEAD = schema.newest_version()

NEXT_STEP = """
import sqlalchemy as sa
from alembic import op

revision = "9001"
down_revision = "{head}"
branch_labels = None
depends_on = None


def upgrade():
    op.add_column("events", sa.Column("author", sa.Text()))
    op.create_table("leases", sa.Column("check_id", sa.Integer(), primary_key=True))
    {then}
"""


def columns_of(path: Path, table: str) -> set[str]:
    with closing(sqlite3.connect(path)) as connection:
        return {row[1] for row in connection.execute(f"PRAGMA table_info({table})")}


@pytest.fixture
def a_next_step(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A program one version ahead; writing `step.py` says what its step does."""
    versions = tmp_path / "versions"
    versions.mkdir()
    config = schema._alembic_config()
    config.set_main_option("path_separator", "os")
    config.set_main_option("version_locations", f"{FOLDER / 'versions'}:{versions}")
    monkeypatch.setattr(schema, "_alembic_config", lambda: config)
    monkeypatch.setattr(schema, "_scripts", lambda: ScriptDirectory.from_config(config))
    monkeypatch.setattr(schema, "newest_version", lambda: "9001")
    return versions / "9001_step.py"


def test_the_steps_lead_to_the_tables_that_the_code_knows(store: Store) -> None:
    options = {"version_table": schema.VERSION_TABLE, "compare_type": True}
    with store._database.read() as connection:
        assert compare_metadata(MigrationContext.configure(connection, opts=options), metadata) == []


def test_the_steps_are_one_line_and_numbered() -> None:
    steps = list(reversed(list(schema._scripts().walk_revisions())))
    assert [step.down_revision for step in steps] == [None, *(step.revision for step in steps[:-1])]
    assert [step.revision for step in steps] == [f"{number:04}" for number in range(1, len(steps) + 1)]
    assert all(re.fullmatch(r"\d{4}_[a-z_]+\.py", Path(step.path).name) for step in steps)


def test_an_empty_file_is_filled(tmp_path: Path) -> None:
    (tmp_path / "history.db").touch()
    store = open_store(f"sqlite:///{tmp_path}/history.db")
    do_check(store)
    assert store.verify() == ()
    store.close()


def test_a_store_of_the_version_before_is_brought_up_to_date_with_all_it_has(backend: SqliteBackend, a_next_step: Path) -> None:
    with pytest.MonkeyPatch.context() as before:
        before.setattr(schema, "newest_version", lambda: HEAD)
        a_next_step.write_text(NEXT_STEP.format(head=HEAD, then=""))
        store = backend.open()
        said = do_check(store)
        store.close()
        assert "author" not in columns_of(backend.path, "events")
    store = backend.open()
    assert store.last_verdict("bot") == said
    assert store.verify() == ()
    store.close()
    assert "author" in columns_of(backend.path, "events")
    backend.open().close()


def write_first_version(url: str) -> None:
    """A store as the first version left it: one measured run of one question."""
    database = connect(url, read_only=False, busy_timeout_seconds=5)
    config = schema._alembic_config()
    with database.write("open") as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "0001")
        for statement in (
            "INSERT INTO checks VALUES (1, 'bot', 'scheduled', 1, 1, 'closed', NULL, 2, 0, 0, 0, 0, 0)",
            "INSERT INTO runs VALUES (1, 1, 'bot', 1, 'p1', 1, 601, 'measured', 2, NULL, '')",
            "INSERT INTO grades VALUES (1, 'key', 0, 1, 'q1', 'c', 'a', true, 1, NULL, '', 100, 40, 'gpt', 'fp', 'h', false, false, 1.5)",
        ):
            connection.exec_driver_sql(statement)
    database.engine.dispose()


def test_grades_of_the_first_version_are_kept_and_nobody_knows_their_host(backend: SqliteBackend) -> None:
    backend.path.unlink()
    write_first_version(backend.url)
    store = backend.open()
    (grade,) = store.check(1).runs[0].grades
    assert (grade.question_id, grade.right, grade.identity, grade.fingerprint, grade.latency_seconds) == ("q1", True, "gpt", "fp", 1.5)
    assert (grade.host, grade.tier, grade.region) == (None, None, None)
    start_run(store, due_at=NOW)
    store.close()


def test_a_step_that_fails_changes_nothing(backend: SqliteBackend, a_next_step: Path) -> None:
    a_next_step.write_text(NEXT_STEP.format(head=HEAD, then='op.execute("INSERT INTO nowhere VALUES (1)")'))
    with pytest.raises(StoreError, match="the database refused: no such table: nowhere; nothing was changed"):
        backend.open()
    assert "author" not in columns_of(backend.path, "events")
    assert columns_of(backend.path, "leases") == set()


def test_a_reader_does_not_migrate(backend: SqliteBackend, a_next_step: Path) -> None:
    a_next_step.write_text(NEXT_STEP.format(head=HEAD, then=""))
    message = "was written by an older version of this program; run serve or check once, they bring it up to date"
    with pytest.raises(StoreVersionError, match=message):
        open_store(backend.url, read_only=True)
    assert "author" not in columns_of(backend.path, "events")
