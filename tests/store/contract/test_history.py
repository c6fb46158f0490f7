from __future__ import annotations

from dataclasses import replace

import pytest

from exporter.errors import StoreError
from exporter.records import Reason, RunState, Signal, SignalState, VerdictKind
from exporter.store import GradesOf, Store, reading
from tests.store.facts import DAY_SECONDS, NOW, a_grade, do_check, finish_check, reserve, settle, start_run

EVERY_FIELD = a_grade(
    "q2",
    sample=1,
    attempt=3,
    right=None,
    reason=Reason.TRUNCATED,
    message="raise max_tokens_scale",
    input_tokens=None,
    output_tokens=None,
    identity=None,
    fingerprint=None,
    answer_hash=None,
    answer_line_missing=True,
    reasoning_in_content=True,
    latency_seconds=0.5,
    host="DeepInfra",
    tier="flex",
    region="eu",
)


def a_confirmed_check(store: Store, due_at: float) -> None:
    """Two runs with one grade each."""
    run = start_run(store, due_at=due_at)
    settle(store, reserve(store, run), grade=a_grade("q1"))
    store.close_run(run.id, RunState.MEASURED, None, "", due_at)
    second = store.open_run(run.check_id, 2, "p1", due_at, due_at + 600)
    settle(store, reserve(store, second), grade=a_grade("q1", right=False))
    finish_check(store, second, VerdictKind.DRIFT, due_at)


def test_a_grade_comes_back_as_it_was_given(store: Store) -> None:
    run = start_run(store)
    for grade in (EVERY_FIELD, a_grade("q1", right=False)):
        settle(store, reserve(store, run), grade=grade)
    assert store.check(run.check_id).runs[0].grades == (a_grade("q1", right=False), EVERY_FIELD)


@pytest.mark.parametrize("name", ["message", "identity", "fingerprint", "host", "tier", "region"])
def test_what_a_provider_wrote_is_kept_without_what_a_database_refuses(store: Store, name: str) -> None:
    run = start_run(store)
    settle(store, reserve(store, run), grade=a_grade("q1", **{name: "a\0\ud83d" + "!" * 300}))
    (grade,) = store.check(run.check_id).runs[0].grades
    assert getattr(grade, name) == "a\ufffd\ufffd" + "!" * 253


def test_what_the_schedule_goes_by_are_closed_checks_newest_first_with_verdicts_and_without_runs(store: Store) -> None:
    for day in range(3):
        do_check(store, due_at=NOW + day * DAY_SECONDS)
    do_check(store, "cat", due_at=NOW + 3 * DAY_SECONDS)
    start_run(store, due_at=NOW + 4 * DAY_SECONDS)
    assert store.last_closed("bot", 2) == [replace(check, runs=()) for check in store.history("bot")[:0:-1]]
    assert [check.verdict and check.verdict.kind for check in store.last_closed("bot", 2)] == [VerdictKind.STABLE] * 2
    assert store.last_closed("mouse", 2) == []


def test_an_estimate_rests_on_the_first_runs_of_closed_checks_oldest_first(store: Store) -> None:
    do_check(store, due_at=NOW)
    a_confirmed_check(store, NOW + DAY_SECONDS)
    do_check(store, due_at=NOW + 2 * DAY_SECONDS)
    do_check(store, "cat", due_at=NOW)
    start_run(store, due_at=NOW + 3 * DAY_SECONDS)
    assert store.first_runs("bot", 2) == [check.runs[0] for check in store.history("bot")[1:]]
    assert [grade.question_key for grade in store.first_runs("bot", 2)[0].grades] == ["key-q1"]


def test_a_verdict_in_brief_tells_what_later_ones_rest_on(store: Store) -> None:
    run = start_run(store)
    confirmed = SignalState(Signal.ACCURACY, confirmed=True, confirmed_checks=2, since_at=NOW)
    said = finish_check(store, run, standing=VerdictKind.DRIFT, signals=(confirmed,), event_id=7)
    (brief,), (whole,) = store.history("bot", brief=True), store.history("bot")
    assert whole.verdict == said
    assert brief.verdict is not None
    told = (brief.verdict.kind, brief.verdict.standing, brief.verdict.signals, brief.verdict.event_id, brief.verdict.decided_at)
    assert told == (VerdictKind.STABLE, VerdictKind.DRIFT, (confirmed,), 7, said.decided_at)
    assert (brief.verdict.protocol, brief.verdict.runs) == (said.protocol, 0)
    assert replace(brief, verdict=None) == replace(whole, verdict=None)


def test_history_is_closed_checks_oldest_first_with_first_runs_graded(store: Store) -> None:
    do_check(store, due_at=NOW)
    a_confirmed_check(store, NOW + DAY_SECONDS)
    do_check(store, "cat", due_at=NOW)
    start_run(store, due_at=NOW + 2 * DAY_SECONDS)
    history = store.history("bot")
    assert [check.due_at for check in history] == [NOW, NOW + DAY_SECONDS]
    assert [check.verdict and check.verdict.kind for check in history] == [VerdictKind.STABLE, VerdictKind.DRIFT]
    assert [len(run.grades) for check in history for run in check.runs] == [2, 1, 0]


@pytest.mark.parametrize(("grades", "counts"), [(GradesOf.NO_RUN, [0, 0]), (GradesOf.FIRST_RUNS, [1, 0]), (GradesOf.ALL_RUNS, [1, 1])])
def test_grades_are_read_where_they_are_asked_for(store: Store, grades: GradesOf, counts: list[int]) -> None:
    a_confirmed_check(store, NOW)
    (check,) = store.history("bot", grades=grades)
    assert [len(run.grades) for run in check.runs] == counts


def test_history_starts_where_it_is_asked_to(store: Store) -> None:
    for day in range(5):
        do_check(store, due_at=NOW + day * DAY_SECONDS)
    assert [check.id for check in store.history("bot", since=NOW + 3 * DAY_SECONDS)] == [4, 5]
    assert [check.id for check in store.history("bot", limit=2)] == [4, 5]
    assert [check.id for check in store.history("bot", since=NOW + DAY_SECONDS, limit=3)] == [3, 4, 5]


def test_a_history_read_in_parts_is_whole(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "IDS_A_QUERY", 2)
    for number in range(5):
        run = start_run(store, due_at=NOW + number)
        settle(store, reserve(store, run), grade=a_grade(f"q{number}"))
        finish_check(store, run)
    history = store.history("bot")
    assert [check.runs[0].grades[0].question_id for check in history] == ["q0", "q1", "q2", "q3", "q4"]
    assert [check.verdict and check.verdict.check_id for check in history] == [1, 2, 3, 4, 5]


def test_runs_are_found_by_their_ids(store: Store) -> None:
    do_check(store, due_at=NOW)
    a_confirmed_check(store, NOW + 1)
    do_check(store, "cat", due_at=NOW)
    runs = store.runs("bot", [3, 1, 4, 99])
    assert [(run.id, run.number, len(run.grades)) for run in runs] == [(1, 1, 2), (3, 2, 1)]


def test_checks_are_paged_newest_first(store: Store) -> None:
    for day in range(5):
        do_check(store, due_at=NOW + day)
    page = store.checks("bot", 2)
    assert [check.id for check in page] == [5, 4]
    assert [check.id for check in store.checks("bot", 2, before=page[-1].id)] == [3, 2]
    assert page[0].runs[0].grades == ()
    assert page[0].verdict is not None


def test_verdicts_come_newest_first(store: Store) -> None:
    said = [do_check(store, due_at=NOW + day, notes=(f"day {day}",)) for day in range(3)]
    assert store.verdicts("bot", 2) == [said[2], said[1]]
    assert store.last_verdict("bot") == said[2]
    assert store.last_verdict("cat") is None


def test_an_unknown_check_is_said_to_be_unknown(store: Store) -> None:
    with pytest.raises(StoreError, match=r"^check 3: is not known; list the checks of its target$"):
        store.check(3)


def test_every_target_ever_checked_is_listed(store: Store) -> None:
    start_run(store, "cat")
    do_check(store, "bot")
    assert store.targets() == ["bot", "cat"]
