"""The batch and the product's own code, case by case: equal figures, equal findings."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from exporter.config import Decision
from exporter.records import Question, Signal
from exporter.simulation.answers import Conditions
from exporter.simulation.judging import FAR, Bench, least_z, z_scores
from exporter.simulation.models import make_questions
from exporter.statistics import Stratum, exact_test
from exporter.verdicts import Subject
from exporter.verdicts.accuracy import examine_accuracy
from exporter.verdicts.findings import asks_for_second_run
from exporter.verdicts.holds import Finding, Outcome
from exporter.verdicts.judge import _test
from exporter.verdicts.tokens import examine_tokens
from tests.simulation.made_up import as_baseline, as_today, draw_batch

TARGETS = 700
CASES = (
    ({"a": 5, "b": 4, "c": 3, "d": 2}, 9, Decision(), Conditions()),
    ({"a": 12}, 19, Decision(tries=3), Conditions(sticky=0.3)),
    ({"a": 4, "b": 6}, 7, Decision(samples=2, tries=2, screen_alpha=0.1, alpha=0.01), Conditions(swing=0.6, token_swing=0.1)),
    ({"a": 6, "b": 6}, 9, Decision(tries=1, alpha=0.01), Conditions(unusable=0.2)),
)


@pytest.mark.parametrize("case", range(len(CASES)))
def test_batch_and_single_judging_find_the_same(case: int) -> None:
    areas, members, decision, conditions = CASES[case]
    questions = make_questions(areas)
    norms, runs = draw_batch(case, TARGETS, members, len(questions), decision, conditions)
    bench = Bench(questions, decision, tokens=True)
    outcomes: Counter[tuple[Outcome, Outcome]] = Counter()
    for target, found in enumerate(bench.judge(norms, runs)):
        first, second = as_today(runs, target, questions)
        baseline = as_baseline(norms, target, questions)
        screens = examine_accuracy(baseline, [first], questions, decision.overall_share), examine_tokens(baseline, [first], questions)
        assert found.seconded == asks_for_second_run(*screens, decision)
        assert found.alone == (screens[0].p_value <= decision.alpha)
        accuracy, tokens = single(questions, decision, baseline, (first, second) if found.seconded else (first,))
        assert (found.accuracy, found.tokens) == (accuracy, tokens)
        outcomes[accuracy.outcome, tokens.outcome] += 1
    # a comparison of quiet days alone would prove little
    assert (
        {accuracy for accuracy, _ in outcomes}
        == {tokens for _, tokens in outcomes}
        == {Outcome.CONFIRMED, Outcome.NEITHER, Outcome.NEGATIVE}
    )


def single(questions: tuple[Question, ...], decision: Decision, baseline: object, runs: tuple[object, ...]) -> tuple[Finding, Finding]:
    """What the product finds."""
    tested = _test(Subject("bot", "", questions, decision), baseline, runs)  # type: ignore[arg-type]  # as made_up builds them
    return tested.findings[Signal.ACCURACY], tested.findings[Signal.TOKENS]


@pytest.mark.parametrize("new", [(0,), (1,), (0, 1)])
def test_batch_and_single_p_values_are_equal(new: tuple[int, ...]) -> None:
    areas, members, decision, conditions = CASES[0]
    questions = make_questions(areas)
    norms, runs = draw_batch(7, TARGETS, members, len(questions), decision, conditions)
    chosen = runs.at(np.s_[:, list(new)])
    bench = Bench(questions, decision, tokens=True)
    for target, (accuracy, tokens) in enumerate(zip(bench.test_accuracy(norms, chosen), bench.test_tokens(norms, chosen), strict=True)):
        baseline, today = as_baseline(norms, target, questions), as_today(runs, target, questions)
        single = examine_accuracy(baseline, [today[run] for run in new], questions, decision.overall_share)
        assert accuracy.p_value == pytest.approx(single.p_value, abs=1e-12)
        assert accuracy.adjusted == pytest.approx(dict(single.adjusted), abs=1e-12)
        assert [tails.upper for tails in accuracy.tails.values()] == pytest.approx([t.upper for t in single.tails.values()], abs=1e-12)
        one = examine_tokens(baseline, [today[run] for run in new], questions)
        assert (tokens.tails.upper, tokens.tails.lower) == pytest.approx((one.tails.upper, one.tails.lower), abs=1e-12)
        assert tokens.mean_log_ratio == pytest.approx(one.mean_log_ratio, abs=1e-12)


def test_a_tie_with_a_level_is_settled_by_the_product_s_own_test() -> None:
    """One question is among the worst three of ten, one the worst: p is 3/100, and of the 60 % exactly the screen's 5 %."""
    questions = make_questions({"a": 3, "b": 3})
    norms, runs = draw_batch(1, 300, 9, 6, Decision(), Conditions())
    norms.runs.scores[:], runs.scores[:], norms.present[:] = 0, 0, True
    norms.runs.scores[:, :2, 0] = runs.scores[:, 0, [0]] = runs.scores[:, 0, [3]] = 1
    first, _ = as_today(runs, 0, questions)
    expected = examine_accuracy(as_baseline(norms, 0, questions), [first], questions, 0.6).p_value
    assert expected == pytest.approx(0.05, abs=1e-15)
    found = {test.p_value for test in Bench(questions, Decision(), tokens=False).test_accuracy(norms, runs.at(np.s_[:, :1]))}
    assert found == {expected}


@pytest.mark.parametrize("level", [0.005, 0.001 / 3, 0.01 / 3])
@pytest.mark.parametrize("drawn", [1, 7, 28])
def test_a_test_that_is_not_carried_out_could_not_have_passed(level: float, drawn: int) -> None:
    rng = np.random.default_rng(drawn)
    cases, members, questions = 1500, 15, 6
    # scores of every shape: rare and high, rare and low, even; in half of the cases the new ones are worse
    powers = rng.choice([0.2, 1.0, 5.0], (cases, 1, questions))
    scores = np.floor(6 * rng.random((cases, members + drawn, questions)) ** powers).astype(np.int64)
    worse = rng.random((cases, 1, questions)) < rng.choice([0, 0.5], (cases, 1, 1))
    scores[:, members:] = np.where(worse, np.maximum(scores[:, members:], 4), scores[:, members:])
    far = z_scores(scores[:, :members], np.ones((cases, members), dtype=np.bool_), scores[:, members:]) < least_z(level)
    assert 0 < far.sum() < cases
    for case in np.flatnonzero(far):
        strata = [Stratum(tuple(column[:members].tolist()), tuple(column[members:].tolist())) for column in scores[case].T]
        assert exact_test(strata).upper > level


def test_lengths_are_not_looked_at_where_the_procedure_does_not() -> None:
    questions = make_questions({"a": 8})
    norms, runs = draw_batch(1, 200, 9, 8, Decision(), Conditions())
    with_tokens, without = (Bench(questions, Decision(), tokens=tokens).judge(norms, runs) for tokens in (True, False))
    assert any(found.tokens.outcome is Outcome.CONFIRMED for found in with_tokens)
    assert {found.tokens.outcome for found in without} == {Outcome.NEGATIVE}
    assert FAR.upper > Decision().token_screen_alpha
