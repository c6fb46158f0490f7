from __future__ import annotations

import pytest

from exporter.errors import StoreError
from exporter.records import Check, CheckKind, CheckState, Reason, Run, RunState, VerdictKind
from exporter.store import Store, claims
from tests.store.facts import NOW, a_grade, a_verdict, do_check, finish_check, reserve, settle, start_run


def test_a_claim_is_a_running_check_without_runs(store: Store) -> None:
    claimed = store.claim_check("bot", CheckKind.RECHECK, NOW, NOW + 5)
    assert claimed == Check(1, "bot", CheckKind.RECHECK, NOW, NOW + 5, CheckState.RUNNING)


@pytest.mark.parametrize("kind", list(CheckKind))
def test_a_due_time_is_claimed_once(store: Store, kind: CheckKind) -> None:
    store.claim_check("bot", CheckKind.SCHEDULED, NOW, NOW)
    assert store.claim_check("bot", kind, NOW, NOW + 1) is None
    assert len(store.checks("bot", 10)) == 1


def test_a_due_time_of_another_target_is_free(store: Store) -> None:
    store.claim_check("bot", CheckKind.SCHEDULED, NOW, NOW)
    assert store.claim_check("cat", CheckKind.SCHEDULED, NOW, NOW) is not None


def test_a_closed_check_keeps_its_due_time(store: Store) -> None:
    do_check(store)
    assert store.claim_check("bot", CheckKind.SCHEDULED, NOW, NOW + 900) is None


def test_an_open_run_has_no_end_and_no_grades(store: Store) -> None:
    check = store.claim_check("bot", CheckKind.SCHEDULED, NOW, NOW)
    assert check is not None
    assert store.open_run(check.id, 1, "p1", NOW + 1, NOW + 601) == Run(1, check.id, "bot", 1, "p1", NOW + 1, NOW + 601, RunState.OPEN)


def test_a_run_number_is_opened_once(store: Store) -> None:
    run = start_run(store)
    with pytest.raises(StoreError, match=r"^check 1: its run 1 was opened before; go on with that one$"):
        store.open_run(run.check_id, 1, "p1", NOW, NOW + 600)


def test_a_run_of_an_unknown_check_is_refused(store: Store) -> None:
    with pytest.raises(StoreError, match=r"^check 7: is not known; claim a check before it is run$"):
        store.open_run(7, 1, "p1", NOW, NOW + 600)


def test_a_run_of_a_closed_check_is_refused(store: Store) -> None:
    do_check(store)
    with pytest.raises(StoreError, match=r"^check 1: is closed; claim another one$"):
        store.open_run(1, 2, "p1", NOW, NOW + 600)


def test_a_refused_run_is_opened_and_failed_at_once(store: Store) -> None:
    check = store.claim_check("bot", CheckKind.SCHEDULED, NOW, NOW)
    assert check is not None
    refused = store.refuse_run(check.id, 1, "p1", NOW + 1, NOW + 601, Reason.BUDGET, "no room")
    assert refused == Run(1, check.id, "bot", 1, "p1", NOW + 1, NOW + 601, RunState.FAILED, NOW + 1, Reason.BUDGET, "no room")
    assert store.check(check.id).runs == (refused,)


def test_a_run_that_cannot_be_refused_whole_is_not_opened(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    check = store.claim_check("bot", CheckKind.SCHEDULED, NOW, NOW)
    assert check is not None

    def die(*_: object) -> bool:
        raise KeyboardInterrupt

    monkeypatch.setattr(claims, "close_run", die)
    with pytest.raises(KeyboardInterrupt):
        store.refuse_run(check.id, 1, "p1", NOW + 1, NOW + 601, Reason.BUDGET, "no room")
    assert store.check(check.id).runs == ()


def test_a_check_waits_for_its_second_run_and_then_runs_again(store: Store) -> None:
    run = start_run(store)
    store.close_run(run.id, RunState.MEASURED, None, "", NOW + 60)
    store.set_confirming(run.check_id, NOW + 3600)
    (waiting,) = store.open_checks()
    assert (waiting.state, waiting.confirm_at) == (CheckState.CONFIRMING, NOW + 3600)
    store.open_run(run.check_id, 2, "p1", NOW + 3600, NOW + 4200)
    (running,) = store.open_checks()
    assert (running.state, running.confirm_at) == (CheckState.RUNNING, NOW + 3600)
    assert [each.number for each in running.runs] == [1, 2]


def test_a_closed_check_waits_for_nothing(store: Store) -> None:
    do_check(store)
    with pytest.raises(StoreError, match=r"^check 1: is closed; claim another one$"):
        store.set_confirming(1, NOW + 3600)


def test_open_checks_come_with_what_was_graded(store: Store) -> None:
    do_check(store)
    run = start_run(store, due_at=NOW + 10)
    settle(store, reserve(store, run), grade=a_grade("q1"))
    other = start_run(store, target="cat", due_at=NOW + 20)
    assert [check.id for check in store.open_checks()] == [run.check_id, other.check_id]
    assert [check.id for check in store.open_checks("cat")] == [other.check_id]
    assert store.open_checks("bot")[0].runs[0].grades == (a_grade("q1"),)


def test_a_failed_run_says_why(store: Store) -> None:
    run = start_run(store)
    assert store.close_run(run.id, RunState.FAILED, Reason.AUTH, "the key was refused", NOW + 3)
    (ended,) = store.check(run.check_id).runs
    assert (ended.state, ended.reason, ended.message, ended.ended_at) == (
        RunState.FAILED,
        Reason.AUTH,
        "the key was refused",
        NOW + 3,
    )


def test_a_run_ends_once(store: Store) -> None:
    run = start_run(store)
    assert store.close_run(run.id, RunState.MEASURED, None, "", NOW + 60)
    assert not store.close_run(run.id, RunState.FAILED, Reason.DEADLINE, "late", NOW + 99)
    assert store.check(run.check_id).runs[0].state is RunState.MEASURED


def test_an_unknown_run_is_not_closed(store: Store) -> None:
    with pytest.raises(StoreError, match=r"^run 9: is not known; open a run before it is closed$"):
        store.close_run(9, RunState.MEASURED, None, "", NOW)


def test_a_check_is_not_closed_over_an_open_run(store: Store) -> None:
    run = start_run(store)
    with pytest.raises(StoreError, match=r"^check 1: a run of it is still open; close the run first$"):
        store.close_check(run.check_id, a_verdict(), NOW)
    assert store.last_verdict("bot") is None


def test_the_first_verdict_of_a_check_stands(store: Store) -> None:
    run = start_run(store)
    said = finish_check(store, run, VerdictKind.DRIFT)
    assert not store.close_check(run.check_id, a_verdict(VerdictKind.STABLE), NOW + 99)
    assert store.check(run.check_id).verdict == said
    assert dict(store.counters("bot").checks) == {VerdictKind.DRIFT: 1}


def test_a_check_refused_for_its_budget_is_closed_without_a_run(store: Store) -> None:
    check = store.claim_check("bot", CheckKind.SCHEDULED, NOW, NOW)
    assert check is not None
    store.close_check(check.id, a_verdict(VerdictKind.MEASUREMENT_FAILED, reason=Reason.BUDGET), NOW)
    closed = store.check(check.id)
    assert (closed.state, closed.closed_at, closed.runs) == (CheckState.CLOSED, NOW, ())
    assert closed.verdict is not None
    assert closed.verdict.reason is Reason.BUDGET
