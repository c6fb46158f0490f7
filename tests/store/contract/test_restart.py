from __future__ import annotations

from typing import Any

from exporter.records import BaselineEvent, EventKind, Reason, RunState, VerdictKind
from exporter.store import GradesOf, Store
from tests.store.facts import DAY_SECONDS, NOW, a_cap, a_failed_answer, do_check, reserve, settle, start_run


def a_busy_store(store: Store) -> None:
    for day in range(3):
        do_check(store, due_at=NOW + day * DAY_SECONDS, kind=VerdictKind.STABLE if day else VerdictKind.COLLECTING)
    store.add_event(BaselineEvent(0, "bot", EventKind.PIN, NOW, run_ids=(1, 2)))
    run = start_run(store, due_at=NOW + 3 * DAY_SECONDS)
    settle(store, reserve(store, run), answer=a_failed_answer(Reason.OVERLOADED, "busy"))
    store.close_run(run.id, RunState.MEASURED, None, "", NOW)
    store.set_confirming(run.check_id, NOW + 9 * DAY_SECONDS)
    reserve(store, start_run(store, "cat", due_at=NOW + 2 * DAY_SECONDS), caps=(a_cap("day", usd=1, scope=None),))


def everything(store: Store) -> dict[str, Any]:
    now = NOW + 2 * DAY_SECONDS
    return {
        target: (
            store.history(target, grades=GradesOf.ALL_RUNS),
            store.open_checks(target),
            store.verdicts(target, 100),
            store.verdict_changed_at(target),
            store.progress(target),
            store.last_due_at(target),
            store.events(target),
            store.counters(target),
            store.spend(target, now),
            store.spend(None, now),
            store.errors(target, 100),
            store.served(target),
        )
        for target in ("bot", "cat", "nobody")
    } | {"all": (store.activity(),)}


def test_a_restart_shows_the_same_values(store: Store, backend: Any) -> None:
    a_busy_store(store)
    before = everything(store)
    store.close()
    again = backend.open()
    assert everything(again) == before
    again.close()


def test_what_was_done_adds_up(store: Store) -> None:
    a_busy_store(store)
    assert store.verify() == ()
    store.book_orphans(NOW)
    assert store.verify() == ()


def test_an_empty_store_adds_up(store: Store) -> None:
    assert store.verify() == ()
