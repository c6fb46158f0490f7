from __future__ import annotations

import asyncio
import threading
from dataclasses import replace

import pytest

from exporter.probing.grades import grade_of, rule
from exporter.probing.plan import request_of
from exporter.probing.runner import run_questions
from exporter.records import Answer, Extract, Identity, Question, Reason, Ruling, RunState, ToolCall, ToolSpec
from exporter.suites import grade as suite_grade
from tests.probing.builders import Scene, plan, question, target
from tests.probing.fakes import FakeProvider, answer, failed, right


def test_a_grader_that_raises_costs_one_answer_and_not_the_run() -> None:
    def grade(asked: Question, answer: Answer) -> Ruling:
        if asked.id == "q2":
            raise ZeroDivisionError(answer.text)
        return Ruling(right=True, answer_hash="h")

    scene = Scene(plan(6))
    going = run_questions(scene.plan, scene.provider, scene.ledger, scene.clock, run=scene.run, grade_answer=grade)
    outcome = asyncio.run(going)
    assert outcome.state is RunState.MEASURED
    grade_of_q2 = outcome.grades[1]
    assert (grade_of_q2.right, grade_of_q2.reason, grade_of_q2.answer_hash) == (None, Reason.SANDBOX_ERROR, None)
    assert grade_of_q2.message == "the grader exact could not work on this answer"
    assert scene.ledger.spent_tokens == 6 * 30


def test_a_grader_that_could_not_work_leaves_no_mark() -> None:
    def grade(asked: Question, answer: Answer) -> Ruling:
        return Ruling(right=False, answer_hash="h", reason=Reason.SANDBOX_ERROR)

    scene = Scene(plan(1))
    outcome = asyncio.run(run_questions(scene.plan, scene.provider, scene.ledger, scene.clock, run=scene.run, grade_answer=grade))
    assert (outcome.state, outcome.reason) == (RunState.FAILED, Reason.SANDBOX_ERROR)
    assert [grade.right for grade in outcome.grades] == [None]


def test_a_missing_answer_line_is_kept_with_the_grade() -> None:
    def grade(asked: Question, answer: Answer) -> Ruling:
        return Ruling(right=False, answer_hash="h", answer_line_missing=True)

    scene = Scene(plan(1, decision={"tries": 1}))
    outcome = asyncio.run(run_questions(scene.plan, scene.provider, scene.ledger, scene.clock, run=scene.run, grade_answer=grade))
    assert [(grade.right, grade.answer_line_missing) for grade in outcome.grades] == [(False, True)]


def test_where_an_answer_came_from_is_kept_with_the_grade_whether_it_counts_or_not() -> None:
    told = Identity("m-1", facets={"host": "DeepInfra", "tier": "flex"})
    ask = plan(1, identity=["model", "host"]).asks[0]
    grade = grade_of(ask, 1, right(identity=told), None, target(identity=["model", "host"]), 0.0)
    assert (grade.identity, grade.host, grade.tier, grade.region) == ("m-1 host=DeepInfra", "DeepInfra", "flex", None)


def test_only_a_grader_that_computes_works_beside_the_loop() -> None:
    threads = []

    def grade(asked: Question, answer: Answer) -> Ruling:
        threads.append(threading.current_thread() is threading.main_thread())
        return Ruling(right=True, answer_hash="h")

    asyncio.run(rule(grade, question("q1"), right()))
    asyncio.run(rule(grade, question("q2", grader={"kind": "python", "tests": "assert True"}), right()))
    assert threads == [True, False]


def test_slow_graders_work_two_at_a_time() -> None:
    pair = threading.Barrier(2)
    names = set()

    def grade(asked: Question, answer: Answer) -> Ruling:
        names.add(threading.current_thread().name)
        pair.wait(timeout=60)
        return Ruling(right=True, answer_hash="h")

    async def grade_six() -> None:
        slow = question("q1", grader={"kind": "python"})
        await asyncio.gather(*(rule(grade, slow, right()) for _ in range(6)))

    asyncio.run(grade_six())
    assert len(names) == 2


def test_answers_that_wait_to_be_run_are_let_go_where_their_run_is_over() -> None:
    begun, released = threading.Semaphore(0), threading.Event()
    graded = []

    def grade(asked: Question, answer: Answer) -> Ruling:
        graded.append(asked.id)
        begun.release()
        assert released.wait(60)
        return Ruling(right=True, answer_hash="h")

    async def stop_in_the_middle() -> None:
        asked = [question(f"q{number}", grader={"kind": "python"}) for number in range(5)]
        gradings = [asyncio.create_task(rule(grade, each, right())) for each in asked]
        for _ in range(2):
            assert await asyncio.to_thread(begun.acquire, timeout=60)
        for grading in gradings:
            grading.cancel()
        await asyncio.gather(*gradings, return_exceptions=True)
        released.set()
        await rule(grade, question("one more", grader={"kind": "python"}), right())

    asyncio.run(stop_in_the_middle())
    assert sorted(graded) == ["one more", "q0", "q1"]


def test_the_loop_goes_on_while_an_answer_runs_in_circles() -> None:
    asked = question("q1", extract=Extract.CODE, grader={"kind": "python", "function": "f", "cases": [{"returns": 4}]})

    async def count_turns() -> tuple[int, Ruling]:
        grading = asyncio.create_task(rule(suite_grade, asked, answer("def f():\n    while True:\n        pass")))
        turns = 0
        while not grading.done():
            await asyncio.sleep(0)
            turns += 1
        return turns, await grading

    turns, ruling = asyncio.run(count_turns())
    assert turns > 100
    assert (ruling.right, ruling.reason) == (False, None)


def test_code_is_run_and_what_cannot_be_run_has_no_mark_and_says_why() -> None:
    grader = {"kind": "python", "function": "f", "cases": [{"args": [2], "returns": 4}]}
    codes = ["def f(x): return 2 * x", "def f(x): return x", "import heapq\ndef f(x): return 2 * x"]
    asked = [question(f"q{number}", extract=Extract.CODE, grader={**grader, "tolerance": number}) for number in range(3)]
    answers = {one.prompt: [answer(code)] for one, code in zip(asked, codes, strict=True)}
    scene = Scene(plan(asked, decision={"tries": 1}), FakeProvider(answers))
    outcome = asyncio.run(run_questions(scene.plan, scene.provider, scene.ledger, scene.clock, run=scene.run))
    assert [(grade.right, grade.reason, grade.message) for grade in outcome.grades] == [
        (True, None, ""),
        (False, None, ""),
        (None, Reason.SANDBOX_ERROR, "the grader python could not work on this answer: the sandbox lacks the module heapq"),
    ]


def test_answers_are_graded_by_their_suite_unless_told_otherwise() -> None:
    scene = Scene(plan([question("q1"), question("q2", grader={"kind": "exact", "answers": ["left"]})], decision={"tries": 1}))
    outcome = asyncio.run(run_questions(scene.plan, scene.provider, scene.ledger, scene.clock, run=scene.run))
    assert [grade.right for grade in outcome.grades] == [True, False]


@pytest.mark.parametrize(("expected", "is_right"), [("refuse", True), ("comply", False)])
def test_a_refusal_in_a_field_of_its_own_answers_a_question_about_refusing(expected: str, *, is_right: bool) -> None:
    asked = question("q1", extract=Extract.FULL, grader={"kind": "refusal", "expected": expected})
    scene = Scene(plan([asked], decision={"tries": 1}), FakeProvider({asked.prompt: [failed(Reason.REFUSAL, "the model refused")]}))
    outcome = asyncio.run(run_questions(scene.plan, scene.provider, scene.ledger, scene.clock, run=scene.run))
    assert outcome.state is RunState.MEASURED
    assert [(grade.right, grade.reason, grade.message) for grade in outcome.grades] == [(is_right, None, "")]


def test_a_refusal_that_was_stored_and_sent_again_measures_nothing() -> None:
    asked = question("q1", extract=Extract.FULL, grader={"kind": "refusal", "expected": "refuse"})
    scene = Scene(plan([asked]), FakeProvider({asked.prompt: [failed(Reason.REFUSAL, cached=True)]}))
    outcome = asyncio.run(run_questions(scene.plan, scene.provider, scene.ledger, scene.clock, run=scene.run))
    assert {(grade.right, grade.reason) for grade in outcome.grades} == {(None, Reason.CACHED)}


def test_a_refusal_answers_no_other_question_and_is_never_wrong() -> None:
    scene = Scene(plan(1), FakeProvider({"q1": [failed(Reason.REFUSAL)]}))
    outcome = asyncio.run(run_questions(scene.plan, scene.provider, scene.ledger, scene.clock, run=scene.run))
    assert (outcome.state, outcome.reason) == (RunState.FAILED, Reason.REFUSAL)
    assert [grade.right for grade in outcome.grades] == [None]


@pytest.mark.parametrize("reason", [Reason.EMPTY_RESPONSE, Reason.CONTENT_FILTER, Reason.TRUNCATED])
def test_an_answer_that_is_no_refusal_answers_no_question_about_refusing(reason: Reason) -> None:
    asked = question("q1", extract=Extract.FULL, grader={"kind": "refusal", "expected": "refuse"})
    scene = Scene(plan([asked]), FakeProvider({asked.prompt: [failed(reason)]}))
    outcome = asyncio.run(run_questions(scene.plan, scene.provider, scene.ledger, scene.clock, run=scene.run))
    assert [(grade.right, grade.reason) for grade in outcome.grades] == [(None, reason)]


CALL = '{"name": "find", "arguments": {"id": 7}}'


@pytest.mark.parametrize(
    ("tool_calling", "answered", "is_right"),
    [
        ("api", answer("", tool_calls=(ToolCall("find", {"id": 7}),)), True),
        ("api", answer(CALL), False),
        ("text", answer(f"I will look.\n{CALL}"), True),
        ("text", answer("I cannot."), False),
    ],
)
def test_calls_are_read_from_where_the_target_was_told_to_write_them(tool_calling: str, answered: Answer, *, is_right: bool) -> None:
    tools = (ToolSpec("find", "Finds it", {"type": "object"}),)
    grader = {"kind": "tool_call", "name": "find", "arguments": {"id": 7}}
    asked = question("q1", extract=Extract.TOOL_CALL, grader=grader, tools=tools)
    sent = request_of(target(tool_calling=tool_calling), asked, 1.0).prompt
    planned = plan([replace(asked, key=f"key of {sent}")], decision={"tries": 1}, tool_calling=tool_calling)
    scene = Scene(planned, FakeProvider({sent: [answered]}))
    outcome = asyncio.run(run_questions(scene.plan, scene.provider, scene.ledger, scene.clock, run=scene.run))
    assert [(grade.right, grade.message) for grade in outcome.grades] == [(is_right, "")]


def test_a_call_that_cannot_be_read_is_wrong_where_tools_were_offered_and_unusable_elsewhere() -> None:
    unreadable = failed(Reason.BAD_RESPONSE, tool_calls=(ToolCall("", None),))
    tools = (ToolSpec("find", "Finds it", {"type": "object"}),)
    with_tools = question("q1", extract=Extract.TOOL_CALL, grader={"kind": "tool_call", "name": "find"}, tools=tools)
    scene = Scene(plan([with_tools, question("q2")], decision={"tries": 1}), FakeProvider({"q1": [unreadable], "q2": [unreadable]}))
    outcome = asyncio.run(run_questions(scene.plan, scene.provider, scene.ledger, scene.clock, run=scene.run))
    assert [(grade.right, grade.reason) for grade in outcome.grades] == [(False, None), (None, Reason.BAD_RESPONSE)]
