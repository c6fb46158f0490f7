from __future__ import annotations

from exporter.records import Reason, RunState, SpendPeriod
from exporter.store import Store
from tests.store.facts import NOW, a_grade, reserve, settle, start_run


def test_an_orphan_is_booked_as_estimated_spend_once(store: Store) -> None:
    run = start_run(store)
    settle(store, reserve(store, run))
    reserve(store, run, tokens=1000, usd=0.10)
    assert store.book_orphans(NOW + 60) == 1
    assert store.book_orphans(NOW + 61) == 0
    day = store.spend("bot", NOW)[SpendPeriod.DAY]
    assert (day.usd, day.estimated_usd, day.tokens, day.reserved_usd, day.requests) == (0.14, 0.10, 1140, 0.0, 2)
    counters = store.counters("bot")
    assert (counters.requests, counters.spend_usd, counters.spend_estimated_usd) == (2, 0.14, 0.10)
    assert dict(counters.request_failures) == {Reason.INTERRUPTED: 1}


def test_an_orphan_without_a_price_is_booked_in_tokens(store: Store) -> None:
    reserve(store, start_run(store), usd=None)
    assert store.book_orphans(NOW) == 1
    day = store.spend("bot", NOW)[SpendPeriod.DAY]
    assert (day.usd, day.estimated_usd, day.tokens) == (None, 0.0, 1000)


def test_orphans_of_other_runs_are_left_alone(store: Store) -> None:
    run, other = start_run(store), start_run(store, "cat")
    reserve(store, run)
    reserve(store, other)
    assert store.book_orphans(NOW, run_ids=[run.id]) == 1
    assert store.spend("cat", NOW)[SpendPeriod.DAY].reserved_usd == 0.10


def test_runs_with_open_reservations_are_told_by_target(store: Store) -> None:
    first, second, cat, done = start_run(store), start_run(store, due_at=NOW + 1), start_run(store, "cat"), start_run(store, "done")
    for run in (cat, first, second, second):
        reserve(store, run)
    settle(store, reserve(store, done))
    assert store.open_reservations() == {"bot": (first.id, second.id), "cat": (cat.id,)}
    store.book_orphans(NOW)
    assert store.open_reservations() == {}


def test_the_end_of_a_run_books_its_orphans(store: Store) -> None:
    run, other = start_run(store), start_run(store, "cat")
    reserve(store, run)
    reserve(store, other)
    store.close_run(run.id, RunState.FAILED, Reason.DEADLINE, "", NOW)
    assert store.spend("bot", NOW)[SpendPeriod.DAY].estimated_usd == 0.10
    assert store.spend("cat", NOW)[SpendPeriod.DAY].reserved_usd == 0.10


def test_an_answer_to_an_orphan_moves_no_figure_but_its_grade_is_kept(store: Store) -> None:
    run = start_run(store)
    reservation = reserve(store, run)
    store.book_orphans(NOW)
    before = (store.spend("bot", NOW), store.counters("bot"))
    assert not settle(store, reservation, grade=a_grade("q1"))
    assert (store.spend("bot", NOW), store.counters("bot")) == before
    assert store.check(run.check_id).runs[0].grades == (a_grade("q1"),)


def test_an_answer_after_the_end_of_its_run_is_dropped(store: Store) -> None:
    run = start_run(store)
    reservation = reserve(store, run)
    store.close_run(run.id, RunState.FAILED, Reason.DEADLINE, "", NOW)
    assert not settle(store, reservation, grade=a_grade("q1"))
    assert store.check(run.check_id).runs[0].grades == ()


def test_the_first_grade_of_a_try_stands(store: Store) -> None:
    """Two programs that ask the same: both are paid for, one is graded."""
    run = start_run(store)
    first, second = reserve(store, run), reserve(store, run)
    settle(store, first, grade=a_grade("q1", right=True))
    assert settle(store, second, grade=a_grade("q1", right=False))
    assert [grade.right for grade in store.check(run.check_id).runs[0].grades] == [True]
    assert store.spend("bot", NOW)[SpendPeriod.DAY].usd == 0.08
