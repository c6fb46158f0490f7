from __future__ import annotations

import pytest

from exporter.records import BaselineEvent, EventKind, Reason
from exporter.store import Store
from tests.store.facts import DAY_SECONDS, NOW, a_failed_answer, a_grade, do_check, finish_check, reserve, settle, start_run

LATER = NOW + 400 * DAY_SECONDS


def three_checks(store: Store, target: str = "bot") -> None:
    """On three days, two questions each: runs 1 to 3."""
    for day in range(3):
        do_check(store, target, NOW + day * DAY_SECONDS)


def graded_runs(store: Store, target: str = "bot") -> list[int]:
    return [run.id for check in store.history(target) for run in check.runs if run.grades]


def condense(store: Store, before: float) -> int:
    """Three at a time."""
    after = done = 0
    while ids := store.old_requests(before, after, 3):
        done, after = done + store.condense_requests(ids), ids[-1]
    return done


def test_grades_older_than_asked_are_found_and_removed(store: Store) -> None:
    three_checks(store)
    old = store.old_runs("bot", NOW + 1.5 * DAY_SECONDS)
    assert old == [1, 2]
    assert store.prune_grades("bot", old, LATER) == 4
    assert graded_runs(store) == [3]
    assert [check.runs[0].grades_pruned_at for check in store.history("bot")] == [LATER, LATER, None]
    assert store.old_runs("bot", NOW + 1.5 * DAY_SECONDS) == []
    assert store.prune_grades("bot", old, LATER + 1) == 0
    assert store.verify() == ()


@pytest.mark.parametrize("kind", [EventKind.FREEZE, EventKind.PIN])
def test_a_run_that_a_baseline_stands_on_is_kept_whatever_is_asked(store: Store, kind: EventKind) -> None:
    three_checks(store)
    store.add_event(BaselineEvent(0, "bot", kind, NOW, "p1", run_ids=(1, 3)))
    store.add_event(BaselineEvent(0, "bot", EventKind.RESET, NOW + 1, "p1"))
    assert store.old_runs("bot", LATER) == [2]
    assert store.prune_grades("bot", [1, 2, 3], LATER) == 2
    assert graded_runs(store) == [1, 3]


def test_a_run_that_was_pinned_after_it_was_found_is_kept(store: Store) -> None:
    three_checks(store)
    old = store.old_runs("bot", LATER)
    store.add_event(BaselineEvent(0, "bot", EventKind.PIN, NOW, "p1", run_ids=(2,)))
    assert store.prune_grades("bot", old, LATER) == 4
    assert graded_runs(store) == [2]


def test_the_grades_of_a_check_that_is_open_are_kept(store: Store) -> None:
    run = start_run(store)
    settle(store, reserve(store, run), grade=a_grade())
    assert store.old_runs("bot", LATER) == []
    assert store.prune_grades("bot", [run.id], LATER) == 0
    assert len(store.open_checks()[0].runs[0].grades) == 1


def test_another_targets_runs_are_not_touched(store: Store) -> None:
    three_checks(store)
    do_check(store, "other")
    assert store.old_runs("other", LATER) == [4]
    assert store.prune_grades("bot", [4], LATER) == 0
    assert graded_runs(store, "other") == [4]


def test_requests_become_sums_and_every_figure_stays_as_it_was(store: Store) -> None:
    three_checks(store)
    run = start_run(store, due_at=NOW + 3 * DAY_SECONDS)
    settle(store, reserve(store, run), answer=a_failed_answer(Reason.TIMEOUT), usd=None, tokens=0)
    settle(store, reserve(store, run), estimated=True, grade=a_grade())
    finish_check(store, run, now=NOW + 3 * DAY_SECONDS)
    before = store.past("bot", limit=10), store.counters("bot"), store.spend("bot", NOW)
    store.prune_grades("bot", store.old_runs("bot", LATER), LATER)
    assert store.old_requests(LATER, 0, 3) == [1, 2, 3]
    assert condense(store, LATER) == 8
    assert store.old_requests(LATER, 0, 3) == []
    told = store.past("bot", limit=10)
    assert [(past.added, past.tokens) for past in told] == [(past.added, past.tokens) for past in before[0]]
    assert told[3].added.request_failures == {Reason.TIMEOUT: 1}
    assert (told[3].added.input_tokens, told[3].added.output_tokens) == (100, 40)
    assert (store.counters("bot"), store.spend("bot", NOW)) == before[1:]
    assert store.verify() == ()


def test_requests_that_are_young_or_open_or_of_an_open_check_are_kept(store: Store) -> None:
    three_checks(store)
    run = start_run(store, due_at=NOW + 3 * DAY_SECONDS)
    settle(store, reserve(store, run))
    reserve(store, run)
    assert condense(store, NOW + 1.5 * DAY_SECONDS) == 4
    assert condense(store, LATER) == 2
    assert store.condense_requests([7, 8]) == 0
    assert store.book_orphans(NOW) == 1
    assert store.verify() == ()


def test_a_renamed_target_takes_its_sums_along(store: Store) -> None:
    three_checks(store)
    condense(store, LATER)
    assert store.rename_target("bot", "robot")
    assert store.verify() == ()


def test_errors_older_than_asked_are_removed(store: Store) -> None:
    run = start_run(store)
    for seconds in range(3):
        settle(store, reserve(store, run), answer=a_failed_answer(Reason.TIMEOUT, f"at {seconds}"), now=NOW + seconds)
    assert store.prune_errors(NOW + 2) == 2
    assert [error.message for error in store.errors("bot", 10)] == ["at 2"]
