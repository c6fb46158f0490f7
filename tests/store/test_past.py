"""History told forwards, with what each check added."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce

from exporter.daemon.past_amounts import add_counters
from exporter.records import CheckKind, Counters, Reason, RunState, VerdictKind
from exporter.store import Store
from tests.store.facts import DAY_SECONDS, NOW, a_failed_answer, a_grade, a_verdict, do_check, reserve, settle, start_run


def test_closed_checks_come_oldest_first_page_after_page(store: Store) -> None:
    for day in range(3):
        do_check(store, due_at=NOW + day * DAY_SECONDS)
        do_check(store, "other", due_at=NOW + day * DAY_SECONDS)
    store.claim_check("bot", CheckKind.SCHEDULED, NOW + 9 * DAY_SECONDS, NOW + 9 * DAY_SECONDS)
    first = store.past("bot", limit=2)
    rest = store.past("bot", after=first[-1].check.id, limit=2)
    assert [past.check.due_at - NOW for past in (*first, *rest)] == [0, DAY_SECONDS, 2 * DAY_SECONDS]
    assert [len(past.check.runs) for past in first] == [1, 1]
    assert {past.check.verdict.kind for past in first if past.check.verdict} == {VerdictKind.STABLE}
    assert store.past("bot", after=rest[-1].check.id, limit=2) == []


def test_a_check_is_told_with_what_it_cost_and_what_failed_in_it(store: Store) -> None:
    run = start_run(store)
    settle(store, reserve(store, run), grade=a_grade("q1", input_tokens=100, output_tokens=40))
    settle(store, reserve(store, run), answer=a_failed_answer(Reason.TIMEOUT), usd=0.1, tokens=1000, estimated=True, identity=None)
    settle(store, reserve(store, run), answer=a_failed_answer(Reason.TIMEOUT), usd=0.0, tokens=0, identity=None)
    store.close_run(run.id, RunState.MEASURED, None, "", NOW)
    errors = ((Reason.TIMEOUT, 1),)
    store.close_check(run.check_id, a_verdict(VerdictKind.COLLECTING, check_id=run.check_id, measurement_errors=errors), NOW)
    (past,) = store.past("bot", limit=9)
    assert past.tokens == 1140
    assert past.added == Counters(
        measurement_errors={Reason.TIMEOUT: 1},
        checks={VerdictKind.COLLECTING: 1},
        requests=3,
        request_failures={Reason.TIMEOUT: 2},
        input_tokens=100,
        output_tokens=40,
        spend_usd=0.14,
        spend_estimated_usd=0.1,
    )


def test_all_checks_together_added_what_the_counters_say(store: Store) -> None:
    for day, kind in enumerate((VerdictKind.COLLECTING, VerdictKind.STABLE, VerdictKind.STABLE)):
        do_check(store, due_at=NOW + day * DAY_SECONDS, kind=kind, measurement_errors=((Reason.REFUSAL, day),))
    added = reduce(add_counters, (past.added for past in store.past("bot", limit=9)), Counters())
    told = replace(added, measurement_errors={reason: number for reason, number in added.measurement_errors.items() if number})
    assert told == replace(store.counters("bot"), reasoning_tokens=0)


def test_a_check_without_a_run_added_nothing_but_itself(store: Store) -> None:
    check = store.claim_check("bot", CheckKind.SCHEDULED, NOW, NOW)
    assert check is not None
    store.close_check(check.id, a_verdict(VerdictKind.MEASUREMENT_FAILED, check_id=check.id), NOW)
    (past,) = store.past("bot", limit=1)
    assert (past.added, past.tokens) == (Counters(checks={VerdictKind.MEASUREMENT_FAILED: 1}), 0)
