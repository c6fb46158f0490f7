"""The token test: answers that grew or shrank, and input that is counted another way."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from exporter.config import Decision
from exporter.records import OVERALL, Question, TestName, TestResult
from exporter.statistics.intervals import prediction_interval
from exporter.statistics.stratified import Stratum, Tails, exact_test, two_sided
from exporter.verdicts.baseline import Baseline
from exporter.verdicts.measured import MeasuredRun, mean

SWING_CONFIDENCE = 0.99
"""A day's mean must lie outside the baseline runs' own by this two-sided prediction interval (99.5 % each side)."""


@dataclass(frozen=True, slots=True)
class TokenTest:
    """Both tails (upper: longer answers) and the mean log ratio of output tokens, None where nothing can be compared."""

    tails: Tails
    mean_log_ratio: float | None

    @property
    def is_known(self) -> bool:
        """Whether there were lengths to compare: a provider may stop telling them, and that is no sign of the old ones."""
        return self.mean_log_ratio is not None

    @property
    def p_value(self) -> float:
        """Two-sided p-value."""
        return two_sided(self.tails)

    def result(self, threshold: float, *, passed: bool) -> TestResult:
        """The test as it is told, held against `threshold`."""
        return TestResult(TestName.TOKENS, OVERALL, self.p_value, self.p_value, threshold, passed)


def examine_tokens(baseline: Baseline, runs: Sequence[MeasuredRun], questions: Sequence[Question]) -> TokenTest:
    """Test the new runs' answer lengths against the baseline's, whole set, both ways."""
    strata = []
    for key in _compared(baseline, questions):
        before = [run.token_scores[key] for run in baseline.by_question[key] if key in run.token_scores]
        after = [run.token_scores[key] for run in runs if key in run.token_scores]
        if before and after:
            smallest = min(*before, *after)
            strata.append(Stratum(tuple(score - smallest for score in before), tuple(score - smallest for score in after)))
    return TokenTest(exact_test(strata), _mean_known([_run_shift(baseline, run, questions) for run in runs]))


def confirms_tokens(
    baseline: Baseline, pooled: TokenTest, runs: Sequence[MeasuredRun], questions: Sequence[Question], decision: Decision
) -> bool:
    """Whether all runs of a check together show a shift, and the last of them alone; `pooled` is the test of all."""
    second = examine_tokens(baseline, runs[-1:], questions) if len(runs) > 1 else pooled
    return is_token_shift(pooled, second, [_run_shift(baseline, run, questions) for run in baseline.runs], decision)


def is_token_shift(pooled: TokenTest, second: TokenTest, baseline_shifts: Sequence[float | None], decision: Decision) -> bool:
    """Whether the shift of two runs is significant, seen by the second alone, large, and beyond the days' own swing.

    `baseline_shifts` are the mean log ratios of the baseline's own runs.
    """
    if pooled.mean_log_ratio is None or abs(pooled.mean_log_ratio) < decision.token_min_log_ratio:
        return False
    longer = pooled.mean_log_ratio > 0
    alone = second.tails.upper if longer else second.tails.lower
    pooled_tail = pooled.tails.upper if longer else pooled.tails.lower
    if 2 * pooled_tail > decision.token_alpha or min(1.0, 2 * alone) > decision.second_run_alpha:
        return False
    swing = prediction_interval([shift for shift in baseline_shifts if shift is not None], SWING_CONFIDENCE)
    return swing is not None and not swing[1] <= pooled.mean_log_ratio <= swing[2]


def token_shift_ratio(baseline: Baseline, runs: Sequence[MeasuredRun], questions: Sequence[Question]) -> float | None:
    """Output tokens now / baseline as the geometric mean over questions; 1 is the same."""
    shift = _mean_known([_run_shift(baseline, run, questions) for run in runs])
    return None if shift is None else math.exp(shift)


def input_token_shift_ratio(baseline: Baseline, runs: Sequence[MeasuredRun], questions: Sequence[Question]) -> float | None:
    """Input tokens now / baseline for the same prompts: another tokenizer or template shows here."""
    shifts = []
    for key in _compared(baseline, questions):
        before = [run.log_input_tokens[key] for run in baseline.by_question[key] if key in run.log_input_tokens]
        after = [run.log_input_tokens[key] for run in runs if key in run.log_input_tokens]
        if before and after:
            shifts.append(mean(after) - mean(before))
    shift = _mean_known(shifts)
    return None if shift is None else math.exp(shift)


def _run_shift(baseline: Baseline, run: MeasuredRun, questions: Sequence[Question]) -> float | None:
    """The run's mean log tokens less the baseline's, question by question, so that a missing answer shifts nothing."""
    means = _baseline_means(baseline, questions)
    return _mean_known([run.log_tokens[key] - before for key, before in means.items() if key in run.log_tokens])


def _baseline_means(baseline: Baseline, questions: Sequence[Question]) -> Mapping[str, float]:
    means = {}
    for key in _compared(baseline, questions):
        if known := [run.log_tokens[key] for run in baseline.by_question[key] if key in run.log_tokens]:
            means[key] = mean(known)
    return means


def _compared(baseline: Baseline, questions: Sequence[Question]) -> list[str]:
    return [question.key for question in questions if baseline.tests(question.key)]


def _mean_known(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return mean(known) if known else None
