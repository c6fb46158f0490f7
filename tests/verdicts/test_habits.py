"""Tests that inform: literal runs in, literal p-values out, and a life in which they never decide."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exporter.records import INFORMING, Question, Reason, Signal, TestName, TestResult, Verdict, VerdictKind
from exporter.reports import notices
from exporter.verdicts import needs_second_run
from exporter.verdicts.baseline import form_baseline
from exporter.verdicts.habits import examine_habits
from exporter.verdicts.measured import measure
from tests.verdicts.lives import Life, make_questions

REFUSED = tuple(f"reasoning-{number}" for number in range(1, 7))
FLAGS = (TestName.REFUSALS, TestName.TRUNCATED, TestName.REASONING_IN_CONTENT)


def live(days: int) -> Life:
    life = Life()
    life.live(days)
    return life


def p_values(verdict: Verdict) -> dict[TestName, float]:
    return {test.test: test.adjusted_p_value for test in verdict.tests if test.test in INFORMING}


def passed(verdict: Verdict) -> list[TestName]:
    return [test.test for test in verdict.tests if test.test in INFORMING and test.passed]


def require_quiet(verdict: Verdict, kind: VerdictKind = VerdictKind.STABLE) -> None:
    """Fail unless nothing is signalled and one run was enough."""
    assert (verdict.kind, verdict.standing, verdict.runs) == (kind, kind, 1)
    assert not any(state.confirmed or state.conclusive for state in verdict.signals)


def refuse(life: Life, *question_ids: str, reason: Reason = Reason.REFUSAL) -> None:
    life.marks = lambda question, run_id: reason if question.id in question_ids else 0


def test_on_a_quiet_day_each_test_says_1_and_there_is_nothing_to_tell() -> None:
    verdict = live(6).checks[-1].verdict
    assert verdict is not None
    assert p_values(verdict) == dict.fromkeys(INFORMING, 1.0)
    assert [test.threshold for test in verdict.tests if test.test in INFORMING] == [0.001] * 4
    assert notices(verdict) == ()


def test_before_the_baseline_is_ready_nothing_is_tested() -> None:
    assert [p_values(life_day) for life_day in (live(3).check(), live(4).check())] == [{}, {}]


def test_a_template_that_counts_more_input_from_day_9_on_informs_and_the_verdict_stays_stable() -> None:
    life = live(8)
    life.input_tokens = lambda question, run_id: 56
    verdict = life.check()
    require_quiet(verdict)
    assert passed(verdict) == [TestName.INPUT_TOKENS]
    assert p_values(verdict)[TestName.INPUT_TOKENS] < 1e-20
    assert notices(verdict)[0].startswith("prompts count 12 % more input tokens than in the baseline (p = ")
    assert notices(verdict)[0].endswith("; informs only): template or tokenizer changed")
    for _ in range(30):
        require_quiet(life.check())


def test_a_single_token_less_for_each_prompt_is_seen() -> None:
    life = live(5)
    life.input_tokens = lambda question, run_id: 49
    verdict = life.check()
    assert passed(verdict) == [TestName.INPUT_TOKENS]
    assert "prompts count 2 % fewer input tokens" in notices(verdict)[0]


def test_a_few_prompts_that_count_otherwise_are_no_news() -> None:
    """Four questions at their largest of six: 2 / 6^4 = 0.0015."""
    life = live(5)
    life.input_tokens = lambda question, run_id: 60 if question.id in REFUSED[:4] else 50
    verdict = life.check()
    assert p_values(verdict)[TestName.INPUT_TOKENS] == pytest.approx(2 / 6**4)
    assert passed(verdict) == []


@pytest.mark.parametrize(("refused", "p_value"), [(1, 2 / 6), (4, 2 / 6**4), (5, 2 / 6**5), (6, 2 / 6**6)])
def test_more_refusals_inform_from_five_on_and_are_no_drift(refused: int, p_value: float) -> None:
    life = live(5)
    refuse(life, *REFUSED[:refused])
    verdict = life.check()
    require_quiet(verdict)
    assert p_values(verdict)[TestName.REFUSALS] == pytest.approx(p_value)
    assert passed(verdict) == ([TestName.REFUSALS] if refused >= 5 else [])
    assert verdict.refusal_ratio == pytest.approx(refused / 34)
    assert verdict.baseline_refusal_ratio == 0


def test_more_refusals_are_told_with_their_shares() -> None:
    life = live(5)
    refuse(life, *REFUSED)
    assert notices(life.check()) == ("18 % of answers are refusals, 0 % in the baseline (p = 4.3e-05; informs only)",)


def test_refusals_of_the_baseline_count_though_they_have_no_mark() -> None:
    """Six questions refused every second day: refusing them today is what the model does."""
    life = Life()
    life.marks = lambda question, run_id: Reason.REFUSAL if question.id in REFUSED and run_id % 2 else 0
    life.live(5)
    refuse(life, *REFUSED)
    verdict = life.check()
    # each score is one of the four largest of six
    assert p_values(verdict)[TestName.REFUSALS] == pytest.approx(2 * (4 / 6) ** 6)
    assert verdict.baseline_refusal_ratio == pytest.approx(18 / 170)


def test_a_question_that_is_always_refused_says_nothing() -> None:
    life = Life()
    refuse(life, *REFUSED)
    assert p_values(life.live(6))[TestName.REFUSALS] == 1.0


def test_refusals_that_end_are_told_too() -> None:
    life = Life()
    refuse(life, *REFUSED)
    life.live(5)
    life.lose()
    assert notices(life.check()) == ("0 % of answers are refusals, 18 % in the baseline (p = 4.3e-05; informs only)",)


def test_answers_cut_off_inform() -> None:
    life = live(5)
    refuse(life, *REFUSED, reason=Reason.TRUNCATED)
    verdict = life.check()
    require_quiet(verdict)
    assert notices(verdict) == ("18 % of answers are cut off at the token limit, 0 % in the baseline (p = 4.3e-05; informs only)",)


def test_reasoning_in_the_content_informs() -> None:
    life = live(5)
    life.reasons_aloud = lambda question: True
    verdict = life.check()
    require_quiet(verdict)
    assert passed(verdict) == [TestName.REASONING_IN_CONTENT]
    assert "100 % of answers carry reasoning in their text, 0 % in the baseline" in notices(verdict)[0]


@pytest.mark.parametrize("reason", [Reason.TIMEOUT, Reason.NETWORK, Reason.EMPTY_RESPONSE])
def test_an_answer_that_never_came_was_not_heard_and_counts_neither_way(reason: Reason) -> None:
    life = live(5)
    life.marks = lambda question, run_id: reason if question.id in REFUSED else 0
    measured = measure(life.run(1), 5)
    assert measured.heard == {question.id for question in life.questions} - set(REFUSED)
    assert p_values(life.check())[TestName.REFUSALS] == 1.0


def test_a_refusal_by_another_model_is_not_this_models() -> None:
    life = live(5)
    refuse(life, *REFUSED)
    life.identity = lambda question: "fallback" if question.id in REFUSED else "model-1"
    assert p_values(life.check())[TestName.REFUSALS] == 1.0


def test_a_check_that_failed_for_its_refusals_is_tested_for_them_and_for_nothing_that_decides() -> None:
    life = live(5)
    refuse(life, *(question.id for question in life.questions if question.area == "reasoning"))
    verdict = life.check()
    require_quiet(verdict, VerdictKind.MEASUREMENT_FAILED)
    assert {test.test for test in verdict.tests} == INFORMING
    assert passed(verdict) == [TestName.REFUSALS]
    assert notices(verdict) == ("38 % of answers are refusals, 0 % in the baseline (p = 1.5e-10; informs only)",)


def test_with_several_samples_a_question_counts_how_many_of_them_were_refused() -> None:
    life = Life(questions=make_questions({"one": 1}))
    life.live(5)
    run = life.run(1)
    refused = tuple(run.grades[0]._replace(sample=sample, right=None, reason=Reason.REFUSAL) for sample in (1, 2))
    measured = measure(replace(run, grades=(*run.grades, *refused)), 5)
    assert (measured.refused, measured.heard) == ({"one-1": 2}, frozenset({"one-1"}))


def test_no_sign_that_informs_asks_for_a_second_run() -> None:
    life = live(5)
    refuse(life, *REFUSED)
    life.input_tokens = lambda question, run_id: 90
    life.reasons_aloud = lambda question: True
    assert not needs_second_run(life.subject, life.history, life.run(1))


@settings(max_examples=10)
@given(
    flagged=st.lists(st.sets(st.integers(0, 5)), min_size=6, max_size=6),
    inputs=st.lists(st.integers(1, 400), min_size=6, max_size=6),
    flag=st.sampled_from(FLAGS),
)
def test_whatever_the_habits_no_signal_is_confirmed(flagged: list[set[int]], inputs: list[int], flag: TestName) -> None:
    life = Life(questions=make_questions({"small": 34}), page_signals=tuple(Signal))
    reason = Reason.TRUNCATED if flag is TestName.TRUNCATED else Reason.REFUSAL

    def mark(question: Question, run_id: int) -> int | Reason:
        return reason if int(question.id.split("-")[1]) in flagged[run_id - 1] else 0

    life.marks = mark
    life.input_tokens = lambda question, run_id: inputs[run_id - 1]
    require_quiet(life.live(6))


def test_the_tests_of_a_run_against_itself_as_the_baseline_find_nothing() -> None:
    life = live(5)
    baseline = form_baseline(life.subject, life.history)
    results = examine_habits(baseline, baseline.runs[0], life.questions)
    assert results == tuple(TestResult(name, "overall", 1.0, 1.0, 0.001, passed=False) for name in (TestName.INPUT_TOKENS, *FLAGS))
