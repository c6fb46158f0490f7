"""What is read all the time is found through an index: it costs the same after ten years as after a month."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from sqlalchemy import event

from exporter.records import SpendPeriod
from exporter.store import Cap, GradesOf, Store
from tests.store.facts import DAY_SECONDS, NOW, do_check, reserve, settle, start_run

GROWING = ("checks", "runs", "grades", "requests", "request_sums", "verdicts", "spend_days")
"""Tables that have more rows every day."""

SHORT = ("INDEX ix_checks_open", "INDEX ix_requests_open")
"""Indexes of what is open at this moment, which may be walked through."""

READ: dict[str, Callable[[Store], object]] = {
    "last_verdict": lambda store: store.last_verdict("bot"),
    "verdict_changed_at": lambda store: store.verdict_changed_at("bot"),
    "progress": lambda store: store.progress("bot"),
    "last_due_at": lambda store: store.last_due_at("bot", NOW),
    "last_closed": lambda store: store.last_closed("bot", 12),
    "first_runs": lambda store: store.first_runs("bot", 5),
    "counters": lambda store: store.counters("bot"),
    "activity": lambda store: store.activity(),
    "served": lambda store: store.served("bot"),
    "errors": lambda store: store.errors("bot", 30),
    "events": lambda store: store.events("bot"),
    "decided_since": lambda store: store.decided_since(0),
    "spend": lambda store: store.spend("bot", NOW),
    "spend of all": lambda store: store.spend(None, NOW),
    "open_checks": lambda store: store.open_checks("bot"),
    "open_checks of all": lambda store: store.open_checks(),
    "checks": lambda store: store.checks("bot", 12),
    "history": lambda store: store.history("bot", limit=64),
    "history with all grades": lambda store: store.history("bot", limit=5, grades=GradesOf.ALL_RUNS),
    "runs": lambda store: store.runs("bot", [1, 2]),
    "past": lambda store: store.past("bot", limit=40),
    "require_room": lambda store: store.require_room("bot", [Cap(None, SpendPeriod.MONTH, limit_usd=1e6)], tokens=1, usd=1.0, now=NOW),
    "a check": lambda store: do_check(store, "bot", NOW + 100 * DAY_SECONDS),
    "book_orphans": lambda store: store.book_orphans(NOW),
    "prune_grades": lambda store: store.prune_grades("bot", [1], NOW),
    "condense_requests": lambda store: store.condense_requests([1, 2]),
}


@pytest.fixture
def full(store: Store) -> Store:
    """A month of two targets, and a check that is open."""
    with store.batch():
        for day in range(30):
            for target in ("bot", "other"):
                do_check(store, target, NOW + day * DAY_SECONDS)
        run = start_run(store, due_at=NOW + 40 * DAY_SECONDS)
        settle(store, reserve(store, run))
        reserve(store, run)
    return store


def plans(store: Store, act: Callable[[Store], object]) -> list[str]:
    """The steps of every statement that is made, as SQLite plans it."""
    made: list[str] = []
    store.close()
    event.listen(store._database.engine, "connect", lambda driver, _: driver.set_trace_callback(made.append))
    act(store)
    store.close()
    steps = []
    with store._database.engine.connect() as connection:
        for statement in tuple(made):
            if statement.split(None, 1)[0] in ("SELECT", "UPDATE", "DELETE", "INSERT", "WITH"):
                readable = statement.replace("-Inf", "-9e999")  # SQLite does not read the infinity that it writes
                steps += [f"{row[3]}" for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {readable}").all()]
    return steps


@pytest.mark.parametrize("name", READ)
def test_nothing_that_grows_is_walked_through(full: Store, name: str) -> None:
    walked = [
        step for step in plans(full, READ[name]) if step.startswith("SCAN") and step.split()[1] in GROWING and not step.endswith(SHORT)
    ]
    assert walked == []


def test_a_walk_through_a_table_would_be_seen(full: Store) -> None:
    assert [step for step in plans(full, lambda store: store.verify()) if step.startswith("SCAN requests")] != []
