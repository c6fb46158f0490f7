"""Corners of a model's life in which a verdict is easily lost, doubled or never reached."""

from __future__ import annotations

from dataclasses import replace

from exporter.records import Check, CheckKind, CheckState, EventKind, Evidence, Question, Reason, RunState, Signal, TestName, VerdictKind
from exporter.verdicts import judge, needs_second_run
from exporter.verdicts.measured import measure
from tests.verdicts.lives import DAY, Life, make_grades, make_question, make_questions

LOST = tuple(f"reasoning-{number}" for number in range(1, 5))


def test_an_area_that_the_second_run_cannot_measure_whole_is_judged_by_what_it_has() -> None:
    """The area has three questions and the second run marks two of them."""
    life = Life(questions=make_questions({"small": 3, "large": 20}))
    life.live(5)
    second = len(life.runs) + 2

    def mark(question: Question, run_id: int) -> int | Reason:
        if question.area != "small":
            return 0
        return Reason.TIMEOUT if run_id == second and question.id == "small-3" else 5

    life.marks = mark
    verdict = life.check()
    assert (verdict.kind, verdict.runs, verdict.signal(Signal.ACCURACY).confirmed) == (VerdictKind.DRIFT, 2, True)


def test_a_changed_model_that_is_gone_again_before_the_baseline_is_ready_is_no_longer_signalled() -> None:
    life = Life()
    life.live(2)
    life.identity = lambda question: "model-2"
    assert life.check().standing is VerdictKind.MODEL_CHANGED
    life.identity = lambda question: "model-1"
    back = life.check()
    assert (back.standing, back.signal(Signal.IDENTITY).confirmed, back.notes) == (VerdictKind.COLLECTING, False, ())


def test_a_changed_model_stays_signalled_while_another_protocol_collects_its_baseline() -> None:
    life = Life()
    life.live(5)
    life.identity = lambda question: "model-2"
    life.check()
    life.protocol = "protocol-2"
    assert [life.check().standing.value for _ in range(5)] == ["model_changed"] * 4 + ["baseline_ready"]


def test_names_that_prove_nothing_do_not_keep_runs_out_of_the_baseline() -> None:
    life = Life(evidence=Evidence.NONE)
    life.live(2)
    life.identity = lambda question: "another name"
    assert [life.check().baseline.runs for _ in range(3)] == [3, 4, 5]
    life.identity = lambda question: "a third name"
    assert [life.check().baseline.runs for _ in range(3)] == [5, 5, 6]


def test_a_single_answer_that_names_a_new_model_among_answers_that_name_none_is_no_changed_model() -> None:
    life = Life()
    life.live(5)
    life.identity = lambda question: "model-2" if question.id == "japanese-1" else None
    verdict = life.check()
    assert (verdict.kind, verdict.measurement_errors) == (VerdictKind.STABLE, ((Reason.REROUTED, 1),))


def test_a_run_that_failed_for_rerouted_answers_joins_no_baseline() -> None:
    life = Life()
    life.live(2)
    life.identity = lambda question: "fallback" if question.area == "japanese" else "model-1"
    failed = life.check()
    assert (failed.kind, failed.reason, failed.baseline.run_ids) == (VerdictKind.MEASUREMENT_FAILED, Reason.REROUTED, (1, 2))
    life.identity = lambda question: "model-1"
    assert life.check().baseline.run_ids == (1, 2, 4)


def test_answers_without_a_token_count_are_no_test_and_end_no_token_shift() -> None:
    life = Life()
    life.live(5)
    life.tokens = lambda question, run_id: 50
    life.check()
    life.tokens = lambda question, run_id: 0
    verdict = life.live(3)
    assert (verdict.kind, verdict.standing) == (VerdictKind.STABLE, VerdictKind.TOKEN_SHIFT)
    assert [test.test for test in verdict.tests if test.test is TestName.TOKENS] == []


def test_a_pin_of_all_questions_replaces_an_older_one_of_a_single_suite() -> None:
    life = Life()
    life.lose(*LOST)
    life.live(5)
    life.lose()
    life.live(5)
    life.decide(EventKind.PIN, run_ids=(1, 2, 3, 4, 5), suite="made-up")
    life.decide(EventKind.PIN, run_ids=(6, 7, 8, 9, 10))
    verdict = life.check()
    assert (verdict.kind, verdict.accuracy[0].baseline_ratio) == (VerdictKind.STABLE, 1.0)


def test_a_pin_of_one_suite_outlives_the_freeze_of_the_others() -> None:
    life = Life()
    life.lose(*LOST)
    life.live(5)
    life.decide(EventKind.PIN, run_ids=(1, 2, 3, 4, 5), suite="made-up")
    life.live(13)
    assert [event.kind for event in life.events] == [EventKind.PIN, EventKind.FREEZE]
    life.lose()
    verdict = life.check()
    assert verdict.accuracy[0].baseline_ratio is not None
    assert round(verdict.accuracy[0].baseline_ratio, 3) == 0.882


def test_a_question_that_was_not_asked_in_every_sample_has_no_mark() -> None:
    life = Life()
    run = life.run(1)
    question = life.questions[0]
    twice = tuple(grade._replace(sample=1) for each in life.questions[1:] for grade in make_grades(each, 1, 5))
    measured = measure(replace(run, state=RunState.MEASURED, grades=(*run.grades, *twice)), 5)
    assert question.key not in measured.scores
    assert measured.scores[life.questions[1].key] == 1


def test_a_decision_ends_what_is_held_even_if_the_clock_was_set_back_before_it() -> None:
    life = Life()
    life.live(5)
    life.lose(*LOST)
    life.check()
    life.now -= 10 * DAY
    life.decide(EventKind.RESET)
    shown = life.shown()
    assert shown is not None
    assert shown.standing is VerdictKind.COLLECTING
    assert not any(state.confirmed for state in life.check().signals)


def test_a_held_signal_is_not_ended_by_a_check_in_which_only_new_questions_could_be_used() -> None:
    life = Life(questions=make_questions({"reasoning": 4}))
    life.live(5)
    life.lose(*LOST)
    assert life.check().standing is VerdictKind.DRIFT
    old = {question.id for question in life.questions}
    life.questions = (*life.questions, *(make_question(f"new-{number}", "new") for number in range(20)))
    life.marks = lambda question, run_id: Reason.TIMEOUT if question.id in old else 0
    verdict = life.check()
    assert (verdict.kind, verdict.standing) == (VerdictKind.COLLECTING, VerdictKind.DRIFT)


def test_runs_that_were_asked_in_another_way_than_now_are_not_held_against_todays_baseline() -> None:
    """The config went back to the protocol of an older baseline while the check of the newer one waited."""
    life = Life()
    life.live(5)
    life.protocol = "protocol-2"
    life.lose(*LOST)
    life.identity = lambda question: "model-2"
    life.now += DAY
    runs = (life.run(1), life.run(2))
    life.protocol = "protocol-1"
    assert not needs_second_run(life.subject, life.history, runs[0])
    check = Check(6, "bot", CheckKind.SCHEDULED, life.now, life.now, CheckState.CLOSED, runs=runs)
    verdict = judge(life.subject, life.history, check, life.now + 7200).verdict
    assert (verdict.kind, verdict.tests, verdict.baseline.run_ids) == (VerdictKind.COLLECTING, (), (1, 2, 3, 4, 5))
    assert not any(state.confirmed for state in verdict.signals)
