"""Two replicas at the same moment: whatever both want, one gets."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from exporter.errors import BudgetExceededError
from exporter.records import BaselineEvent, CheckKind, EventKind, RunState, SpendPeriod
from exporter.store import Store, open_store
from tests.store.conftest import PostgresBackend
from tests.store.facts import NOW, a_cap, a_grade, a_verdict, do_check, reserve, settle, start_run


def at_once(*calls: Callable[[], Any]) -> list[Any]:
    """What each call returned or raised, all of them made at the same moment."""
    gate, results = threading.Barrier(len(calls)), [None] * len(calls)

    def call(index: int) -> None:
        gate.wait()
        try:
            results[index] = calls[index]()
        except Exception as error:  # it is what the test asks for
            results[index] = error

    threads = [threading.Thread(target=call, args=(index,)) for index in range(len(calls))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


@pytest.mark.parametrize("scope", ["bot", None])
def test_the_last_dollar_is_one_replicas(store: Store, other: Store, scope: str | None) -> None:
    run, caps = start_run(store), (a_cap("day", usd=1.0, scope=scope),)
    reserve(store, run, usd=0.5)
    for _ in range(10):
        results = at_once(*(lambda each=each: reserve(each, run, usd=0.5, caps=caps) for each in (store, other)))
        assert [isinstance(result, BudgetExceededError) for result in results].count(True) == 1, results
        (reservation,) = [result for result in results if isinstance(result, int)]
        assert store.spend(scope, NOW)[SpendPeriod.DAY].usd == 1.0
        settle(store, reservation, usd=0.0, tokens=0)
    assert store.verify() == ()


def test_the_last_dollar_of_all_targets_is_one_replicas_also_in_batches(store: Store, other: Store) -> None:
    runs, cap = (start_run(store), start_run(store, "cat")), a_cap("day", usd=0.5, scope=None)

    def spend(mine: Store, index: int) -> int:
        spent = 0
        try:
            while True:
                with mine.batch():
                    for _ in range(3):
                        reservation = reserve(mine, runs[index], usd=0.01, caps=(cap,))
                        settle(mine, reservation, usd=0.01, grade=a_grade(f"{index}-{spent}"))
                        spent += 1
        except BudgetExceededError:
            return spent

    results = at_once(lambda: spend(store, 0), lambda: spend(other, 1))
    assert store.spend(None, NOW)[SpendPeriod.DAY].usd <= 0.5, results
    assert store.verify() == ()


def test_a_due_time_is_claimed_by_one(store: Store, other: Store) -> None:
    for due in range(20):
        asked = [partial(each.claim_check, "bot", CheckKind.SCHEDULED, NOW + due, NOW) for each in (store, other)]
        claims = at_once(*asked)
        assert sorted(claim is None for claim in claims) == [False, True], claims


def test_a_reservation_is_settled_by_one(store: Store, other: Store) -> None:
    run = start_run(store)
    for number in range(10):
        reservation = reserve(store, run)
        settled = at_once(*(lambda each=each, r=reservation, n=number: settle(each, r, grade=a_grade(f"q{n}")) for each in (store, other)))
        assert sorted(settled) == [False, True], settled
    assert store.counters("bot").requests == 10
    assert store.verify() == ()


def test_an_end_of_a_run_and_a_reservation_in_it_do_not_cross(store: Store, other: Store) -> None:
    for number in range(10):
        run = start_run(store, due_at=NOW + number)
        at_once(lambda run=run: store.close_run(run.id, RunState.MEASURED, None, "", NOW), lambda run=run: reserve(other, run))
        store.close_check(run.check_id, a_verdict(check_id=run.check_id), NOW)
    assert store.verify() == ()


def test_totals_that_both_add_to_lose_nothing_and_nobody_waits_for_ever(store: Store, other: Store) -> None:
    """Other checks of the same targets, in the opposite order: only totals are shared."""

    def work(mine: Store, targets: tuple[str, str], due_at: float) -> None:
        runs = [start_run(mine, target, due_at) for target in targets]
        for number in range(10):
            with mine.batch():
                for run in runs:
                    settle(mine, reserve(mine, run), grade=a_grade(f"q{number}"), identity=None)

    assert at_once(lambda: work(store, ("bot", "cat"), NOW), lambda: work(other, ("cat", "bot"), NOW + 1)) == [None, None]
    assert store.counters("bot").requests == store.counters("cat").requests == 20
    assert store.spend(None, NOW)[SpendPeriod.DAY].requests == 40
    assert store.verify() == ()


def test_what_two_replicas_tidy_at_once_is_condensed_by_one(store: Store, other: Store) -> None:
    for day in range(10):
        do_check(store, due_at=NOW + day)
        ids = store.old_requests(NOW + 1e9, 0, 100)
        condensed = at_once(lambda ids=ids: store.condense_requests(ids), lambda ids=ids: other.condense_requests(ids))
        assert sorted(condensed) == [0, len(ids)], condensed
    assert store.verify() == ()


def test_events_are_seen_in_their_order(store: Store, other: Store) -> None:
    """Whoever has seen the newest has seen all before it."""
    reset = BaselineEvent(0, "bot", EventKind.RESET, NOW)
    stop, missed = threading.Event(), []

    def watch() -> None:
        seen = 0
        while not stop.is_set():
            events = store.events("bot")
            if len(events) < seen or [event.id for event in events] != list(range(1, len(events) + 1)):
                missed.append(events)
            seen = len(events)

    watching = threading.Thread(target=watch)
    watching.start()
    at_once(*(lambda each=each: [each.add_event(reset) for _ in range(25)] for each in (store, other)))
    stop.set()
    watching.join()
    assert missed == []
    assert len(store.events("bot")) == 50


def test_programs_that_make_the_tables_at_the_same_moment_share_them(backend: PostgresBackend) -> None:
    url = backend.server.make_database("made_at_once")
    opened = at_once(*(lambda: open_store(url) for _ in range(3)))
    assert [type(each).__name__ for each in opened] == ["Store"] * 3, opened
    assert sorted(each.claim_check("bot", CheckKind.SCHEDULED, NOW, NOW) is None for each in opened) == [False, True, True]
    for each in opened:
        each.close()
