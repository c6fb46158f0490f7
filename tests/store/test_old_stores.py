"""Stores as each earlier version of the tables left them, written by that version: three stable checks, a drift, a check under way."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from exporter.errors import StoreVersionError
from exporter.records import EventKind, Reason, RunState
from exporter.store import back_up, open_store, schema
from tests.store.facts import DAY_SECONDS, NOW, a_grade, do_check

FOLDER = Path(__file__).parent / "old_stores"
EARLIER = [step.revision for step in reversed(list(schema._scripts().walk_revisions())) if step.revision != schema.newest_version()]
"""Where a version is added, its predecessor is to be kept: dump a store of `do_check` with `sqlite3 history.db .dump` before."""


@pytest.fixture(params=[path.stem for path in sorted(FOLDER.glob("*.sql"))])
def old(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / "history.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript((FOLDER / f"{request.param}.sql").read_text(encoding="utf-8"))
        connection.execute("PRAGMA journal_mode = WAL")
    return path


def test_there_is_a_store_of_every_earlier_version_that_was_ever_used() -> None:
    kept = {path.stem for path in FOLDER.glob("*.sql")}
    assert kept <= set(EARLIER)
    assert {"0001", "0002"} <= kept


def test_an_old_store_is_brought_up_to_date_with_all_it_has(old: Path) -> None:
    store = open_store(f"sqlite:///{old}")
    assert store.verify() == ()
    assert [verdict.kind.value for verdict in store.verdicts("bot", 10)] == ["drift", "stable", "stable", "stable"]
    assert store.verdict_changed_at("bot") == NOW + 3 * DAY_SECONDS + 60
    assert [(event.kind, event.run_ids) for event in store.events("bot")] == [(EventKind.FREEZE, (1, 2))]
    assert store.runs("bot", [1])[0].grades == (a_grade("q1"), a_grade("q2"))
    (under_way,) = store.open_checks("bot")
    assert (under_way.runs[0].state, [grade.right for grade in under_way.runs[0].grades]) == (RunState.OPEN, [False])
    assert store.counters("bot").request_failures == {Reason.TIMEOUT: 1}
    assert [error.message for error in store.errors("bot", 5)] == ["no answer"]
    assert store.book_orphans(NOW) == 1
    do_check(store, due_at=NOW + 9 * DAY_SECONDS)
    assert store.prune_grades("bot", store.old_runs("bot", NOW + 2.5 * DAY_SECONDS), NOW) == 2
    assert store.condense_requests(store.old_requests(NOW + 2.5 * DAY_SECONDS, 0, 100)) == 6
    assert store.verify() == ()
    store.close()


def test_an_old_store_can_be_backed_up_before_it_is_brought_up_to_date_and_not_read(old: Path) -> None:
    url = f"sqlite:///{old}"
    with pytest.raises(StoreVersionError, match="was written by an older version of this program; run serve or check once"):
        open_store(url, read_only=True)
    assert back_up(url, old.parent / "copy.db").problems == ()
    with closing(sqlite3.connect(old)) as connection, closing(sqlite3.connect(old.parent / "copy.db")) as copied:
        assert list(copied.iterdump()) == list(connection.iterdump())
