from __future__ import annotations

import math

import pytest

from exporter.errors import BudgetExceededError, StoreError
from exporter.records import RunState, SpendPeriod
from exporter.store import Cap, Spent, Store
from tests.store.facts import DAY_SECONDS, NOW, a_cap, a_grade, finish_check, reserve, settle, start_run

OVER_A_CAP = [
    (
        a_cap("check", usd=0.25),
        "budget.usd_per_check of bot: $0.2 of $0.25 are spent or reserved, $0.1 more do not fit; ask fewer questions",
    ),
    (
        a_cap("day", usd=0.25),
        "budget.usd_per_day of bot: $0.2 of $0.25 are spent or reserved, $0.1 more do not fit; wait for the next day (UTC)",
    ),
    (
        a_cap("month", usd=0.25),
        "budget.usd_per_month of bot: $0.2 of $0.25 are spent or reserved, $0.1 more do not fit; wait for the next month (UTC)",
    ),
    (
        a_cap("day", usd=0.25, scope=None),
        "budget.total.usd_per_day: $0.2 of $0.25 are spent or reserved, $0.1 more do not fit; wait for the next day (UTC)",
    ),
    (
        a_cap("check", tokens=2999),
        "budget.tokens_per_check of bot: 2,000 of 2,999 tokens are spent or reserved, 1,000 more do not fit; ask fewer questions",
    ),
    (
        a_cap("month", tokens=2999, scope=None),
        "budget.total.tokens_per_month: 2,000 of 2,999 tokens are spent or reserved, 1,000 more do not fit; wait for the next month (UTC)",
    ),
]


@pytest.mark.parametrize(("cap", "message"), OVER_A_CAP)
def test_a_reservation_over_a_cap_is_refused_and_not_written(store: Store, cap: Cap, message: str) -> None:
    run = start_run(store)
    settle(store, reserve(store, run, caps=(cap,)), usd=0.10, tokens=1000)
    reserve(store, run, caps=(cap,))
    before = store.spend("bot", NOW)
    with pytest.raises(BudgetExceededError) as refused:
        reserve(store, run, caps=(cap,))
    assert str(refused.value) == f"{message} or raise the cap"
    assert (refused.value.scope, refused.value.period) == (cap.scope, cap.period)
    assert store.spend("bot", NOW) == before


def test_what_only_open_reservations_leave_no_room_for_may_pass(store: Store) -> None:
    run, cap = start_run(store), a_cap("day", usd=0.30, tokens=3000)
    settle(store, reserve(store, run), usd=0.10, tokens=1000)
    held = reserve(store, run)
    for usd, tokens, may_pass in ((0.20, 1001, True), (0.11, 2000, True), (0.200000001, 0, False), (0.0, 2001, False), (0.21, 1001, False)):
        with pytest.raises(BudgetExceededError) as refused:
            reserve(store, run, usd=usd, tokens=tokens, caps=(cap,))
        assert refused.value.may_pass is may_pass, (usd, tokens)
    settle(store, held, usd=0.0, tokens=0)
    reserve(store, run, usd=0.20, tokens=2000, caps=(cap,))


def test_of_two_caps_it_is_told_of_the_one_that_stays_broken(store: Store) -> None:
    run, other = start_run(store), start_run(store, "cat")
    settle(store, reserve(store, run), usd=0.10)
    reserve(store, other)
    caps = (a_cap("day", usd=0.25, scope=None), a_cap("day", usd=0.15))
    with pytest.raises(BudgetExceededError, match=r"^budget.usd_per_day of bot: \$0.1 of \$0.15 are spent") as refused:
        reserve(store, run, caps=caps)
    assert refused.value.may_pass is False


def test_a_cap_is_filled_to_the_last_cent(store: Store) -> None:
    """0.1 + 0.1 + 0.1 > 0.3 in floats."""
    run = start_run(store)
    for _ in range(3):
        reserve(store, run, usd=0.1, caps=(a_cap("day", usd=0.3),))
    with pytest.raises(BudgetExceededError):
        reserve(store, run, usd=0.000000001, caps=(a_cap("day", usd=0.3),))


def test_what_was_not_used_of_a_reservation_is_free_again(store: Store) -> None:
    run = start_run(store)
    caps = (a_cap("day", usd=0.10, tokens=1000),)
    settle(store, reserve(store, run, caps=caps), usd=0.0, tokens=0)
    reserve(store, run, caps=caps)


def test_a_request_that_was_not_sent_counts_nowhere(store: Store) -> None:
    run = start_run(store)
    caps = (a_cap("day", usd=0.10, tokens=1000), a_cap("month", usd=0.10, scope=None))
    nothing, none_counted = store.spend("bot", NOW), store.counters("bot")
    reservation = reserve(store, run, caps=caps)
    assert store.take_back(reservation)
    assert (store.spend("bot", NOW), store.counters("bot"), store.errors("bot", 5)) == (nothing, none_counted, [])
    reserve(store, run, caps=caps)
    assert store.verify() == ()


def test_room_of_a_request_that_was_not_sent_is_free_within_a_batch(store: Store) -> None:
    run = start_run(store)
    caps = (a_cap("day", usd=0.10, tokens=1000),)
    with store.batch():
        assert store.take_back(reserve(store, run, caps=caps))
        reserve(store, run, caps=caps)
        with pytest.raises(BudgetExceededError):
            reserve(store, run, caps=caps)
    assert store.spend("bot", NOW)[SpendPeriod.DAY].reserved_tokens == 1000


def test_what_was_booked_is_not_taken_back(store: Store) -> None:
    run = start_run(store)
    settled, orphan = reserve(store, run), reserve(store, run)
    settle(store, settled)
    store.book_orphans(NOW)
    before = store.spend("bot", NOW)
    assert (store.take_back(settled), store.take_back(orphan), store.take_back(12345)) == (False, False, False)
    assert store.spend("bot", NOW) == before


def test_an_unknown_price_breaks_only_caps_in_tokens(store: Store) -> None:
    run = start_run(store)
    reserve(store, run, usd=None, caps=(a_cap("day", usd=0.01, tokens=1500),))
    with pytest.raises(BudgetExceededError) as refused:
        reserve(store, run, usd=None, caps=(a_cap("day", usd=0.01, tokens=1500),))
    assert refused.value.unit == "tokens"


def test_a_cap_over_all_targets_counts_every_target(store: Store) -> None:
    caps = (a_cap("day", usd=0.15), a_cap("day", usd=0.15, scope=None))
    reserve(store, start_run(store), caps=caps)
    with pytest.raises(BudgetExceededError, match=r"^budget.total.usd_per_day: "):
        reserve(store, start_run(store, "cat"), caps=(a_cap("day", usd=0.15, scope="cat"), caps[1]))


def test_a_cap_of_another_target_is_a_mistake(store: Store) -> None:
    with pytest.raises(ValueError, match="a cap of cat does not hold here"):
        reserve(store, start_run(store), caps=(a_cap("day", usd=1, scope="cat"),))


def test_a_new_check_has_a_cap_of_its_own(store: Store) -> None:
    caps = (a_cap("check", usd=0.15),)
    first = start_run(store)
    settle(store, reserve(store, first, caps=caps), usd=0.10)
    finish_check(store, first)
    reserve(store, start_run(store, due_at=NOW + 1), caps=caps)


def test_the_second_run_shares_the_cap_of_its_check(store: Store) -> None:
    caps = (a_cap("check", usd=0.15),)
    first = start_run(store)
    settle(store, reserve(store, first, caps=caps), usd=0.10)
    store.close_run(first.id, RunState.MEASURED, None, "", NOW)
    second = store.open_run(first.check_id, 2, "p1", NOW, NOW + 600)
    with pytest.raises(BudgetExceededError):
        reserve(store, second, caps=caps)


def test_midnight_frees_the_day_and_the_first_frees_the_month(store: Store) -> None:
    run = start_run(store)
    day, month = (a_cap("day", usd=0.15),), (a_cap("month", usd=0.25),)
    reserve(store, run, caps=day, now=NOW)
    reserve(store, run, caps=day, now=NOW + DAY_SECONDS)
    with pytest.raises(BudgetExceededError):
        reserve(store, run, caps=month, now=NOW + 16 * DAY_SECONDS)  # 31 January
    reserve(store, run, caps=month, now=NOW + 17 * DAY_SECONDS)  # 1 February


def test_an_answer_after_midnight_counts_for_the_day_it_was_reserved_for(store: Store) -> None:
    run = start_run(store)
    settle(store, reserve(store, run, now=NOW), now=NOW + DAY_SECONDS)
    assert store.spend("bot", NOW)[SpendPeriod.DAY].usd == 0.04
    assert store.spend("bot", NOW + DAY_SECONDS)[SpendPeriod.DAY].usd == 0.0


def test_what_a_provider_bills_beyond_the_reservation_is_booked_and_ends_the_spending(store: Store) -> None:
    run = start_run(store)
    caps = (a_cap("day", usd=0.15),)
    settle(store, reserve(store, run, caps=caps), usd=0.20)
    assert store.spend("bot", NOW)[SpendPeriod.DAY].usd == 0.20
    with pytest.raises(BudgetExceededError):
        reserve(store, run, usd=0.0001, caps=caps)


def test_spend_includes_what_is_reserved(store: Store) -> None:
    run = start_run(store)
    settle(store, reserve(store, run), usd=0.04, tokens=140, estimated=True)
    reserve(store, run)
    reserve(store, start_run(store, "cat"))
    day = Spent(SpendPeriod.DAY, usd=0.14, estimated_usd=0.04, tokens=1140, reserved_usd=0.10, reserved_tokens=1000, requests=2)
    assert store.spend("bot", NOW)[SpendPeriod.DAY] == day
    assert list(store.spend("bot", NOW)) == ["check", "day", "month"]
    assert list(store.spend(None, NOW)) == ["day", "month"]
    assert store.spend(None, NOW)[SpendPeriod.MONTH].usd == 0.24


def test_spend_of_a_price_not_known_is_not_zero(store: Store) -> None:
    run = start_run(store)
    assert store.spend("bot", NOW)[SpendPeriod.CHECK] == Spent(SpendPeriod.CHECK, usd=0.0)
    settle(store, reserve(store, run, usd=None), usd=None, tokens=140)
    assert store.spend("bot", NOW)[SpendPeriod.CHECK] == Spent(SpendPeriod.CHECK, usd=None, tokens=140, requests=1)


def test_spend_before_the_first_check_is_zero(store: Store) -> None:
    assert [spent.usd for spent in store.spend("bot", NOW).values()] == [0.0, 0.0, 0.0]


def test_a_whole_run_is_tried_for_size_without_a_reservation(store: Store) -> None:
    run = start_run(store)
    caps = (a_cap("check", usd=0.25), a_cap("day", usd=0.30))
    reserve(store, run)
    store.require_room("bot", caps, tokens=9000, usd=0.15, now=NOW, check_id=run.check_id)
    with pytest.raises(BudgetExceededError, match=r"^budget.usd_per_check of bot: "):
        store.require_room("bot", caps, tokens=9000, usd=0.16, now=NOW, check_id=run.check_id)
    store.require_room("bot", caps, tokens=9000, usd=0.20, now=NOW)
    with pytest.raises(BudgetExceededError, match=r"^budget.usd_per_day of bot: "):
        store.require_room("bot", caps, tokens=9000, usd=0.21, now=NOW)
    assert store.spend("bot", NOW)[SpendPeriod.DAY].requests == 1


def test_nothing_is_reserved_in_a_run_that_has_ended(store: Store) -> None:
    run = start_run(store)
    store.close_run(run.id, RunState.MEASURED, None, "", NOW)
    with pytest.raises(StoreError, match=r"^run 1: is not open; nothing can be asked in it$"):
        reserve(store, run)


def test_a_reservation_is_settled_once(store: Store) -> None:
    run = start_run(store)
    reservation = reserve(store, run)
    assert settle(store, reservation, grade=a_grade("q1"))
    before = (store.spend("bot", NOW), store.counters("bot"))
    assert not settle(store, reservation, usd=9.0, tokens=9, grade=a_grade("q2"))
    assert (store.spend("bot", NOW), store.counters("bot")) == before
    assert store.check(run.check_id).runs[0].grades == (a_grade("q1"),)


def test_an_unknown_reservation_is_not_settled(store: Store) -> None:
    with pytest.raises(StoreError, match=r"^reservation 5: is not known; reserve before a request is sent$"):
        settle(store, 5)


@pytest.mark.parametrize("usd", [-0.01, math.nan, math.inf])
def test_what_is_no_money_is_refused_and_nothing_is_booked(store: Store, usd: float) -> None:
    run = start_run(store)
    with pytest.raises(ValueError, match="is not an amount in USD"):
        reserve(store, run, usd=usd)
    reservation = reserve(store, run)
    with pytest.raises(ValueError, match="is not an amount in USD"):
        settle(store, reservation, usd=usd, grade=a_grade())
    assert store.spend("bot", NOW)[SpendPeriod.DAY].reserved_usd == 0.10
    assert store.check(run.check_id).runs[0].grades == ()


def test_a_negative_number_of_tokens_is_refused(store: Store) -> None:
    run = start_run(store)
    with pytest.raises(ValueError, match="-1 is not a number of tokens"):
        reserve(store, run, tokens=-1)


def test_a_number_that_no_database_holds_is_refused_and_nothing_is_booked(store: Store) -> None:
    reservation = reserve(store, start_run(store))
    with pytest.raises(StoreError, match="too large"):
        settle(store, reservation, tokens=10**30)
    assert store.spend("bot", NOW)[SpendPeriod.DAY].reserved_tokens == 1000
    assert store.error_counts["settle"] == 1
