"""A run that goes on after a restart asks what is missing, and nothing else."""

from __future__ import annotations

from exporter.records import Reason, RunState
from tests.probing.builders import Scene, plan, question
from tests.probing.fakes import FakeProvider, failed, right, wrong


def test_only_what_is_missing_is_asked() -> None:
    before = Scene(
        plan(3, concurrency=1, decision={"tries": 3}), FakeProvider({"q1": [wrong(), wrong(), right()], "q2": [failed(Reason.REFUSAL)]})
    )
    before.outcome()
    done = [grade for grade in before.ledger.grades if (grade.question_id, grade.attempt) not in {("q1", 3), ("q3", 1)}]
    after = Scene(plan(3, concurrency=1, decision={"tries": 3}), FakeProvider({"q1": [wrong()]}))
    outcome = after.outcome(done=done)
    assert after.provider.prompts == ["q1", "q3"]
    assert [(grade.question_id, grade.attempt, grade.right) for grade in outcome.grades] == [
        ("q1", 1, False),
        ("q1", 2, False),
        ("q1", 3, False),
        ("q2", 1, None),
        ("q3", 1, True),
    ]
    assert after.progress == [(1, 3), (2, 3), (3, 3)]


def test_a_run_that_was_complete_asks_nothing_more() -> None:
    before = Scene(plan(3))
    outcome = before.outcome()
    after = Scene(plan(3))
    assert after.outcome(done=outcome.grades) == outcome
    assert after.provider.asked == []


def test_failures_from_before_count_among_the_first_requests() -> None:
    script = {f"q{number}": [failed(Reason.CONTENT_FILTER, "blocked")] for number in range(1, 21)}
    done = Scene(plan(4, concurrency=1), FakeProvider(script)).outcome().grades
    after = Scene(plan(20, concurrency=1), FakeProvider(script))
    outcome = after.outcome(done=done)
    assert after.provider.prompts == ["q5", "q6"]
    assert outcome.reason is Reason.CONTENT_FILTER


def test_an_answer_from_before_lets_the_first_requests_fail() -> None:
    script = {f"q{number}": [failed(Reason.CONTENT_FILTER, "blocked")] for number in range(2, 21)}
    done = Scene(plan(1), FakeProvider(script)).outcome().grades
    after = Scene(plan(20, concurrency=1), FakeProvider(script))
    after.outcome(done=done)
    assert len(after.provider.asked) == 19


def test_grades_of_questions_that_are_asked_no_more_are_left_out() -> None:
    done = Scene(plan([question("old")])).outcome().grades
    outcome = Scene(plan([question("new")])).outcome(done=done)
    assert outcome.state is RunState.MEASURED
    assert [grade.question_id for grade in outcome.grades] == ["new"]
