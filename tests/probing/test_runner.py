from __future__ import annotations

import pytest

from exporter.probing.outcome import RunOutcome
from exporter.records import Charge, Grade, Identity, Reason, RunState, Usage
from exporter.records.marks import mark_of
from tests.probing.builders import Scene, plan, question
from tests.probing.fakes import FakeProvider, failed, right, wrong


def marks_of(outcome: RunOutcome, tries: int = 6) -> dict[str, int | None]:
    by_id: dict[str, list[Grade]] = {}
    for grade in outcome.grades:
        by_id.setdefault(grade.question_id, []).append(grade)
    return {question_id: mark_of(grades, tries) for question_id, grades in by_id.items()}


def test_every_question_is_asked_once_when_all_answers_are_right() -> None:
    scene = Scene(plan(4))
    outcome = scene.outcome()
    assert (outcome.state, outcome.reason, outcome.message) == (RunState.MEASURED, None, "")
    assert marks_of(outcome) == {"q1": 0, "q2": 0, "q3": 0, "q4": 0}
    assert sorted(scene.provider.prompts) == ["q1", "q2", "q3", "q4"]
    assert scene.ledger.open == {}
    assert sorted(scene.ledger.grades, key=lambda grade: grade.question_id) == list(outcome.grades)


def test_a_wrong_answer_is_asked_again_until_it_is_right_or_the_tries_are_used_up() -> None:
    script = {"q1": [wrong(), wrong(), right()], "q2": [wrong()]}
    scene = Scene(plan(3), FakeProvider(script))
    assert marks_of(scene.outcome()) == {"q1": 2, "q2": 6, "q3": 0}
    assert scene.provider.prompts.count("q1") == 3
    assert scene.provider.prompts.count("q2") == 6
    assert [grade.attempt for grade in scene.ledger.grades if grade.question_id == "q2"] == [1, 2, 3, 4, 5, 6]


def test_a_grade_says_what_the_provider_said() -> None:
    said = wrong(
        usage=Usage(31, 12),
        identity=Identity(served_model="m-2026", fingerprint="fp-9"),
        latency_seconds=1.5,
        reasoning_in_content=True,
    )
    scene = Scene(plan(1, decision={"tries": 1}), FakeProvider({"q1": [said]}))
    assert scene.outcome().grades == (
        Grade(
            question_key="key of q1",
            question_id="q1",
            suite="core",
            area="reasoning",
            sample=0,
            attempt=1,
            right=False,
            graded_at=scene.clock.now(),
            input_tokens=31,
            output_tokens=12,
            identity="m-2026",
            fingerprint="fp-9",
            answer_hash="hash of wrong",
            reasoning_in_content=True,
            latency_seconds=1.5,
        ),
    )
    assert scene.ledger.identities == ["m-2026"]


def test_every_question_is_asked_in_every_sample_with_tries_of_its_own() -> None:
    scene = Scene(plan(2, decision={"samples": 3, "tries": 2}, concurrency=1), FakeProvider({"q1": [right(), wrong(), right()]}))
    outcome = scene.outcome()
    assert [(g.question_id, g.sample, g.attempt, g.right) for g in outcome.grades] == [
        ("q1", 0, 1, True),
        ("q2", 0, 1, True),
        ("q1", 1, 1, False),
        ("q1", 1, 2, True),
        ("q2", 1, 1, True),
        ("q1", 2, 1, True),
        ("q2", 2, 1, True),
    ]
    assert scene.provider.prompts == ["q1", "q2", "q1", "q1", "q2", "q1", "q2"]


def test_no_more_requests_are_under_way_than_the_target_allows() -> None:
    scene = Scene(plan(9, concurrency=3), FakeProvider(turns=20))
    scene.outcome()
    assert scene.provider.most_under_way == 3


def test_a_failure_is_sent_again_within_the_same_try() -> None:
    script = {"q1": [failed(Reason.OVERLOADED), failed(Reason.NETWORK), wrong(), failed(Reason.SERVER_ERROR), right()]}
    scene = Scene(plan(1, concurrency=1), FakeProvider(script))
    outcome = scene.outcome()
    assert [(grade.attempt, grade.right) for grade in outcome.grades] == [(1, False), (2, True)]
    assert len(scene.ledger.settled) == 5
    assert len(scene.clock.slept) == 3


def test_retry_after_is_waited_for() -> None:
    scene = Scene(plan(1), FakeProvider({"q1": [failed(Reason.RATE_LIMITED, retry_after_seconds=30.0), right()]}))
    assert marks_of(scene.outcome()) == {"q1": 0}
    assert 30.0 <= scene.clock.slept[0] < 34.0


def test_an_answer_that_stays_unusable_is_no_mark() -> None:
    scene = Scene(plan(6), FakeProvider({"q2": [failed(Reason.NETWORK, "connection reset")]}))
    outcome = scene.outcome()
    assert outcome.state is RunState.MEASURED
    assert marks_of(outcome) == {"q1": 0, "q2": None, "q3": 0, "q4": 0, "q5": 0, "q6": 0}
    assert scene.provider.prompts.count("q2") == 5
    assert next((g.reason, g.message) for g in outcome.grades if g.question_id == "q2") == (Reason.NETWORK, "connection reset")


def test_a_re_asked_answer_that_stays_unusable_keeps_the_mark_so_far() -> None:
    scene = Scene(plan(2), FakeProvider({"q1": [wrong(), wrong(), failed(Reason.TRUNCATED)]}))
    assert marks_of(scene.outcome()) == {"q1": 2, "q2": 0}


@pytest.mark.parametrize("reason", [Reason.REFUSAL, Reason.TRUNCATED, Reason.CONTENT_FILTER, Reason.BAD_REQUEST, Reason.UNKNOWN_STOP])
def test_what_is_not_worth_sending_again_is_sent_once(reason: Reason) -> None:
    scene = Scene(plan(6), FakeProvider({"q1": [failed(reason)]}))
    scene.outcome()
    assert scene.provider.prompts.count("q1") == 1


def test_a_stored_response_sent_again_measures_nothing_and_is_paid_for() -> None:
    scene = Scene(plan(6), FakeProvider({"q3": [right(cached=True)]}))
    outcome = scene.outcome()
    grade = next(grade for grade in outcome.grades if grade.question_id == "q3")
    assert (grade.right, grade.reason, grade.answer_hash) == (None, Reason.CACHED, None)
    assert scene.ledger.spent_tokens == 6 * 30


def test_a_provider_that_raises_costs_one_answer_and_not_the_run() -> None:
    scene = Scene(plan(6), FakeProvider({"q1": [RuntimeError("secret detail")]}))
    outcome = scene.outcome()
    grade = next(grade for grade in outcome.grades if grade.question_id == "q1")
    assert outcome.state is RunState.MEASURED
    assert (grade.right, grade.reason) == (None, Reason.BAD_RESPONSE)
    assert grade.message == "a defect of this program, please report it: RuntimeError"
    assert scene.ledger.open == {}
    assert scene.ledger.estimated_tokens > 0


def test_progress_is_told_from_none_to_all() -> None:
    scene = Scene(plan(3, concurrency=1), FakeProvider({"q2": [wrong(), right()]}))
    scene.outcome()
    assert scene.progress == [(0, 3), (1, 3), (2, 3), (3, 3)]


def test_equal_questions_are_asked_as_one() -> None:
    scene = Scene(plan([question("q1"), question("q1", id="the same")]))
    scene.outcome()
    assert scene.provider.prompts == ["q1"]


def test_a_request_carries_the_settings_of_its_target() -> None:
    planned = plan(
        [question("q1", 101)],
        system="Be brief.",
        reasoning_effort="low",
        sampling={"temperature": 0},
        extra_body={"seed": 1},
        stream=True,
        max_tokens_scale=2.5,
        request_timeout="30s",
    )
    scene = Scene(planned)
    scene.outcome()
    [request] = scene.provider.asked
    assert (request.model, request.prompt, request.max_tokens, request.timeout_seconds) == ("m", "q1", 253, 30.0)
    assert (request.system, request.reasoning_effort, request.stream) == ("Be brief.", "low", True)
    assert (request.sampling, request.extra_body) == ({"temperature": 0}, {"seed": 1})


def test_what_was_never_billed_costs_nothing_and_what_is_not_known_is_estimated() -> None:
    script = {"q1": [failed(Reason.RATE_LIMITED), failed(Reason.TIMEOUT, charge=Charge.UNKNOWN), right()]}
    scene = Scene(plan(1), FakeProvider(script))
    scene.outcome()
    expected = scene.plan.costs["key of q1"].tokens
    assert scene.ledger.spent_tokens == 0 + expected + 30
    assert scene.ledger.estimated_tokens == expected
