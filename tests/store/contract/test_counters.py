from __future__ import annotations

from exporter.records import Counters, Reason, RunState, VerdictKind
from exporter.store import Store
from tests.store.facts import NOW, a_failed_answer, a_grade, an_answer, do_check, finish_check, reserve, settle, start_run


def test_counters_start_at_nothing(store: Store) -> None:
    assert store.counters("bot") == Counters()


def test_a_settled_attempt_is_counted_with_its_tokens_and_money(store: Store) -> None:
    settle(store, reserve(store, start_run(store)), usd=0.04)
    settle(store, reserve(store, start_run(store, "cat")))
    assert store.counters("bot") == Counters(requests=1, input_tokens=100, output_tokens=40, reasoning_tokens=30, spend_usd=0.04)


def test_an_open_reservation_is_not_counted(store: Store) -> None:
    reserve(store, start_run(store))
    assert store.counters("bot") == Counters()


def test_a_failed_attempt_is_counted_by_its_reason(store: Store) -> None:
    run = start_run(store)
    for reason in (Reason.RATE_LIMITED, Reason.TIMEOUT, Reason.RATE_LIMITED):
        settle(store, reserve(store, run), answer=a_failed_answer(reason), usd=0.0, tokens=0)
    assert store.counters("bot") == Counters(requests=3, request_failures={Reason.RATE_LIMITED: 2, Reason.TIMEOUT: 1})


def test_an_estimate_counts_as_spend_and_as_estimate(store: Store) -> None:
    settle(store, reserve(store, start_run(store)), answer=an_answer(usage=None), usd=0.10, estimated=True)
    assert store.counters("bot") == Counters(requests=1, spend_usd=0.10, spend_estimated_usd=0.10)


def test_a_grade_that_could_not_be_had_is_no_failed_request(store: Store) -> None:
    run = start_run(store)
    settle(store, reserve(store, run), grade=a_grade(right=None, reason=Reason.SANDBOX_ERROR))
    assert dict(store.counters("bot").request_failures) == {}


def test_a_verdict_counts_its_check_and_its_measurement_errors(store: Store) -> None:
    do_check(store, due_at=NOW, kind=VerdictKind.STABLE)
    do_check(store, due_at=NOW + 1, kind=VerdictKind.STABLE, measurement_errors=((Reason.TIMEOUT, 2),))
    run = start_run(store, due_at=NOW + 2)
    store.close_run(run.id, RunState.FAILED, Reason.AUTH, "", NOW)
    finish_check(store, run, VerdictKind.MEASUREMENT_FAILED, measurement_errors=((Reason.AUTH, 30), (Reason.TIMEOUT, 4)))
    counters = store.counters("bot")
    assert dict(counters.checks) == {VerdictKind.STABLE: 2, VerdictKind.MEASUREMENT_FAILED: 1}
    assert dict(counters.measurement_errors) == {Reason.AUTH: 30, Reason.TIMEOUT: 6}
