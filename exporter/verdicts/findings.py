"""From the tests of one check to what it says of each signal: every condition of a verdict but the tests themselves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from exporter.config import Decision
from exporter.records import TestResult
from exporter.verdicts.accuracy import AccuracyTest, confirmed_areas
from exporter.verdicts.holds import Finding, Outcome
from exporter.verdicts.tokens import TokenTest


@dataclass(frozen=True, slots=True)
class Seconded:
    """What a check with a second run rests on: both runs `pooled`, the second `alone`.

    `drops` is the loss over both runs (`AreaAccuracy.drop_ratio`) for the whole set and each area; `all_worse` whether each run's
    score total is worse than that of every baseline run.
    """

    pooled: AccuracyTest
    alone: AccuracyTest
    drops: Mapping[str, float]
    all_worse: bool


def asks_for_second_run(accuracy: AccuracyTest, tokens: TokenTest, decision: Decision) -> bool:
    """Whether a first run is positive at the screen, by its answers or by their lengths."""
    return accuracy.p_value <= decision.screen_alpha or tokens.p_value <= decision.token_screen_alpha


def find_accuracy(screen: AccuracyTest, seconded: Seconded | None, decision: Decision) -> Finding:
    """The signal accuracy: `screen` is the test of the first run, `seconded` None where there is no second one."""
    if seconded is not None and confirmed_areas(seconded.pooled, seconded.alone, seconded.drops, decision):
        return Finding(Outcome.CONFIRMED, seconded.all_worse, seconded.pooled.p_value <= decision.page_same_day_alpha)
    return Finding(Outcome.NEITHER if screen.p_value <= decision.screen_alpha else Outcome.NEGATIVE)


def find_tokens(screen: TokenTest, decision: Decision, *, shifted: bool) -> Finding:
    """The signal tokens: `screen` is the test of the first run, `shifted` whether two runs confirm a shift."""
    if not screen.is_known:
        return Finding(Outcome.UNKNOWN)
    if shifted:
        return Finding(Outcome.CONFIRMED)
    return Finding(Outcome.NEITHER if screen.p_value <= decision.token_screen_alpha else Outcome.NEGATIVE)


def find_trend(trend: TestResult | None, decision: Decision) -> Finding:
    """The signal trend; None is no test."""
    if trend is None:
        return Finding(Outcome.UNKNOWN)
    if trend.passed:
        return Finding(Outcome.CONFIRMED)
    return Finding(Outcome.CLEARED if trend.adjusted_p_value > decision.trend_rearm else Outcome.NEITHER)
