from __future__ import annotations

from exporter.records import SpendPeriod
from exporter.store import Store
from exporter.store.nouns import Booked, BookedDay, Spent
from tests.store.facts import DAY_SECONDS, NOW, do_check, finish_check, reserve, settle, start_run

TODAY = 20_833
"""2027-01-15, the day of NOW."""


def test_a_check_costs_what_its_requests_cost_and_what_is_reserved_for_it(store: Store) -> None:
    closed = do_check(store).check_id
    run = start_run(store, due_at=NOW + 100)
    settle(store, reserve(store, run), estimated=True)
    reserve(store, run, tokens=700, usd=0.10)
    assert store.spent_on_checks([closed, run.check_id, 999]) == {
        closed: Spent(SpendPeriod.CHECK, usd=0.08, tokens=280, requests=2),
        run.check_id: Spent(SpendPeriod.CHECK, 0.14, estimated_usd=0.04, tokens=840, reserved_usd=0.10, reserved_tokens=700, requests=2),
    }
    assert store.spent_on_checks([]) == {}


def test_a_check_of_a_price_not_known_has_no_amount_in_usd(store: Store) -> None:
    run = start_run(store)
    settle(store, reserve(store, run, usd=None), usd=None)
    assert store.spent_on_checks([run.check_id])[run.check_id].usd is None


def test_days_are_told_newest_first_from_the_one_that_is_asked_for(store: Store) -> None:
    for day in range(3):
        do_check(store, due_at=NOW + day * DAY_SECONDS)
    run = start_run(store, "cat", NOW + DAY_SECONDS)
    settle(store, reserve(store, run, usd=None, now=NOW + DAY_SECONDS), usd=None, now=NOW + DAY_SECONDS)
    each = Booked(0.08, 0.0, 280, 2)
    assert store.booked_days("bot", TODAY + 1) == [BookedDay(TODAY + 2, each), BookedDay(TODAY + 1, each)]
    assert store.booked_days("cat", TODAY) == [BookedDay(TODAY + 1, Booked(None, 0.0, 140, 1))]
    assert store.booked_days(None, TODAY + 1) == [BookedDay(TODAY + 2, each), BookedDay(TODAY + 1, Booked(0.08, 0.0, 420, 3))]
    assert store.booked_days("nobody", TODAY) == []


def test_what_was_booked_in_all_is_the_sum_of_the_days(store: Store) -> None:
    for day in range(3):
        do_check(store, due_at=NOW + day * DAY_SECONDS)
    finish_check(store, start_run(store, "cat"))
    reserve(store, start_run(store, "cat", NOW + 50))
    assert store.booked_in_all("bot") == store.booked_in_all(None) == Booked(0.24, 0.0, 840, 6)
    assert store.booked_in_all("cat") == Booked(0.0, 0.0, 0, 0)
