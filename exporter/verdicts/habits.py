"""Tests that inform and never decide: input counted another way, refusals, answers cut off, reasoning left in the content.

Each is the exact test of today's first run against the baseline's, both ways, over the whole set. They are of no signal.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from exporter.records import OVERALL, Question, TestName, TestResult
from exporter.statistics.stratified import Stratum, exact_test, two_sided
from exporter.verdicts.baseline import Baseline
from exporter.verdicts.measured import MeasuredRun

INFORM_ALPHA = 0.001
"""The level from which on a difference is worth a line."""


def examine_habits(baseline: Baseline, run: MeasuredRun, questions: Sequence[Question]) -> tuple[TestResult, ...]:
    """The informing tests that there is something to make of; none before the baseline is ready.

    A run that failed for its many refusals can be tested too: what counts is who was heard, not who has a mark.
    """
    if not baseline.ready:
        return ()
    keys = [question.key for question in questions]
    tested = {
        TestName.INPUT_TOKENS: _input_strata(baseline, run, keys),
        TestName.REFUSALS: _flag_strata(baseline, run, keys, [member.refused for member in baseline.runs], run.refused),
        TestName.TRUNCATED: _flag_strata(baseline, run, keys, [member.truncated for member in baseline.runs], run.truncated),
        TestName.REASONING_IN_CONTENT: _flag_strata(
            baseline, run, keys, [member.reasoning_in_content for member in baseline.runs], run.reasoning_in_content
        ),
    }
    return tuple(_result(test, strata) for test, strata in tested.items() if strata)


def _result(test: TestName, strata: Sequence[Stratum]) -> TestResult:
    p_value = two_sided(exact_test(strata))
    return TestResult(test, OVERALL, p_value, p_value, INFORM_ALPHA, passed=p_value <= INFORM_ALPHA)


def _input_strata(baseline: Baseline, run: MeasuredRun, keys: Sequence[str]) -> list[Stratum]:
    """The score is the rank of a count among the question's own: the same prompt counts the same, so a single token is news."""
    strata = []
    for key in keys:
        before = [member.log_input_tokens[key] for member in baseline.by_question[key] if key in member.log_input_tokens]
        if before and key in run.log_input_tokens:
            now = run.log_input_tokens[key]
            rank = {count: place for place, count in enumerate(sorted({*before, now}))}
            strata.append(Stratum(tuple(rank[count] for count in before), (rank[now],)))
    return strata


def _flag_strata(
    baseline: Baseline, run: MeasuredRun, keys: Sequence[str], before: Sequence[Mapping[str, int]], now: Mapping[str, int]
) -> list[Stratum]:
    """The score is 1 where the first answer bears the mark (with several samples, how many do).

    All members are asked, not only those with a mark for the question: a refused answer has none.
    """
    members = list(zip(baseline.runs, before, strict=True))
    strata = []
    for key in keys:
        if key in run.heard:
            scores = tuple(flagged.get(key, 0) for member, flagged in members if key in member.heard)
            if scores:
                strata.append(Stratum(scores, (now.get(key, 0),)))
    return strata
