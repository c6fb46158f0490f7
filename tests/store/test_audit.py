from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from exporter.records import BaselineEvent, EventKind
from exporter.store import Store
from tests.store.conftest import SqliteBackend
from tests.store.facts import NOW, do_check, reserve, start_run

RESCUE = "restore it from a backup, or rescue what can be read, as docs/storage.md shows"
FIX = "restore it from a backup, or report this as a bug"
TAMPERED = [
    (
        "UPDATE spend_days SET tokens = tokens + 1 WHERE target = 'bot'",
        "spend of bot on 2027-01-15: (80000000, 0, 281, 2, 2) is written down, (80000000, 0, 280, 2, 2) is what its requests add up to",
    ),
    (
        "UPDATE spend_days SET usd_nanos = 0 WHERE target = ''",
        "spend of all targets on 2027-01-15: (0, 0, 280, 2, 2) is written down, (80000000, 0, 280, 2, 2) is what its requests add up to",
    ),
    (
        "DELETE FROM spend_days WHERE target = 'bot'",
        "spend of bot on 2027-01-15: None is written down, (80000000, 0, 280, 2, 2) is what its requests add up to",
    ),
    (
        "UPDATE checks SET estimated_usd_nanos = 5 WHERE id = 1",
        "spend of check 1: (80000000, 5, 280, 2, 2) is written down, (80000000, 0, 280, 2, 2) is what its requests add up to",
    ),
    (
        "UPDATE counters SET value = 3 WHERE family = 'requests'",
        "counter requests{} of bot: (3,) is written down, (2,) is what its requests add up to",
    ),
    (
        "UPDATE counters SET value = 7 WHERE family = 'checks'",
        "counter checks{stable} of bot: (7,) is written down, (1,) is what its requests add up to",
    ),
    ("UPDATE runs SET state = 'measured' WHERE id = 2", "reservation 3 of an ended run is open"),
    ("UPDATE runs SET state = 'open' WHERE id = 1", "run 1 of a closed check is open"),
    ("UPDATE checks SET state = 'closed' WHERE id = 2", "check 2 is closed and has no verdict"),
    ("UPDATE checks SET state = 'running' WHERE id = 1", "check 1 has a verdict and is not closed"),
    ("UPDATE verdicts SET record = substr(record, 1, 90)", "the verdict of check 1 cannot be read: not JSON"),
    ("UPDATE events SET run_ids = '[1, 2'", "event 1 of bot cannot be read"),
    ("UPDATE runs SET grades_pruned_at = 1 WHERE id = 1", "run 1 was pruned and has grades"),
]


@pytest.mark.parametrize(("statement", "what"), TAMPERED)
def test_what_does_not_add_up_is_named(store: Store, backend: SqliteBackend, statement: str, what: str) -> None:
    do_check(store)
    reserve(store, start_run(store, due_at=NOW + 1))
    store.add_event(BaselineEvent(0, "bot", EventKind.FREEZE, NOW, "p1", run_ids=(1,)))
    assert store.verify() == ()
    with closing(sqlite3.connect(backend.path)) as tampering, tampering:
        assert tampering.execute(statement).rowcount == 1
    found = [str(problem) for problem in store.verify()]
    assert f"{backend_name(backend)}: {what}; {FIX}" in found


def test_a_row_whose_parent_is_missing_is_named(store: Store, backend: SqliteBackend) -> None:
    do_check(store)
    with closing(sqlite3.connect(backend.path)) as tampering, tampering:
        tampering.execute("UPDATE grades SET run_id = 77 WHERE question_id = 'q1'")
    what = "row None of grades refers to a row of runs that is not there"
    assert [str(problem) for problem in store.verify()] == [f"{backend_name(backend)}: {what}; {RESCUE}"]


def test_a_damaged_index_is_named(store: Store, backend: SqliteBackend) -> None:
    do_check(store)
    with closing(sqlite3.connect(backend.path)) as tampering, tampering:
        tampering.execute("PRAGMA writable_schema = ON")
        tampering.execute("UPDATE sqlite_master SET sql = replace(sql, '(target, id)', '(kind, id)') WHERE name = 'ix_checks_target_id'")
    store.close()
    again = backend.open()
    assert any("the file is damaged: " in str(problem) for problem in again.verify())
    again.close()


def backend_name(backend: SqliteBackend) -> str:
    return f"storage {backend.url}"


def test_a_sum_of_condensed_requests_that_is_wrong_is_named(store: Store, backend: SqliteBackend) -> None:
    do_check(store)
    assert store.condense_requests([1, 2]) == 2
    assert store.verify() == ()
    with closing(sqlite3.connect(backend.path)) as tampering, tampering:
        tampering.execute("UPDATE request_sums SET tokens = tokens + 1")
    spent = "(80000000, 0, 280, 2, 2) is written down, (80000000, 0, 281, 2, 2) is what its requests add up to"
    wrong = ("spend of all targets on 2027-01-15", "spend of bot on 2027-01-15", "spend of check 1")
    assert [problem.what for problem in store.verify()] == [f"{name}: {spent}" for name in wrong]
