"""The trend test: many days together show a loss that no single day can."""

from __future__ import annotations

from collections.abc import Sequence

from exporter.config import Decision
from exporter.records import OVERALL, Question, TestName, TestResult
from exporter.statistics.stratified import Stratum, exact_test
from exporter.verdicts.accuracy import score_totals, strata
from exporter.verdicts.baseline import Baseline
from exporter.verdicts.measured import MeasuredRun


def examine_trend(baseline: Baseline, today: MeasuredRun, questions: Sequence[Question], decision: Decision) -> TestResult | None:
    """The trend test over the windows that end today; None before the freeze or the first full window.

    `adjusted_p_value` is the smallest p times the number of windows. It passes where the same figure for whole-run totals
    (one stratum: the run), which a swing of single days cannot fake, is as small.
    """
    runs = [run for run in baseline.later if run.id != today.id]
    runs.append(today)
    windows = [size for size in decision.trend_windows if size <= len(runs)]
    if not baseline.frozen or not windows:
        return None
    p_value = min(exact_test(strata(baseline, runs[-size:], questions)).upper for size in windows)
    adjusted = min(1.0, len(decision.trend_windows) * p_value)
    passed = adjusted <= decision.trend_alpha and _totals_agree(baseline, runs, questions, windows, decision)
    return TestResult(TestName.TREND, OVERALL, p_value, adjusted, decision.trend_alpha, passed)


def _totals_agree(
    baseline: Baseline, runs: Sequence[MeasuredRun], questions: Sequence[Question], windows: Sequence[int], decision: Decision
) -> bool:
    keys = [question.key for question in questions if baseline.tests(question.key)]
    before = tuple(round(total) for total in score_totals(baseline, baseline.runs, keys))
    after = tuple(round(total) for total in score_totals(baseline, runs, keys))
    p_value = min(exact_test([Stratum(before, after[-size:])]).upper for size in windows)
    return len(decision.trend_windows) * p_value <= decision.trend_alpha
