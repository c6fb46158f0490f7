from __future__ import annotations

import asyncio
import threading

from exporter.probing.grades import grade_of, rule
from exporter.probing.runner import run_questions
from exporter.records import Answer, Identity, Question, Reason, Ruling, RunState
from tests.probing.builders import Scene, plan, question, target
from tests.probing.fakes import right


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


def test_answers_are_graded_by_their_suite_unless_told_otherwise() -> None:
    scene = Scene(plan([question("q1"), question("q2", grader={"kind": "exact", "answers": ["left"]})], decision={"tries": 1}))
    outcome = asyncio.run(run_questions(scene.plan, scene.provider, scene.ledger, scene.clock, run=scene.run))
    assert [grade.right for grade in outcome.grades] == [True, False]
