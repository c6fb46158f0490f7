from __future__ import annotations

import re

import pytest

from exporter.probing.estimate import Estimate, over_caps, sum_costs
from exporter.records import SpendPeriod
from exporter.store import Cap, Spent

ESTIMATE = Estimate(
    requests=40, tokens=30_000, usd=0.30, worst_tokens=150_000, worst_usd=1.5, headroom_tokens=4_000, headroom_usd=0.04
)  # one run


def test_two_runs_cost_twice_as_much_and_need_headroom_once() -> None:
    assert ESTIMATE.times(2) == Estimate(80, 60_000, 0.60, 300_000, 3.0, 4_000, 0.04)


def test_a_second_run_in_a_twentieth_of_checks_costs_a_twentieth_and_twice_at_worst() -> None:
    assert ESTIMATE.times(1.05) == Estimate(42, 31_500, 0.315, 300_000, 3.0, 4_000, 0.04)


def test_nothing_asked_costs_nothing() -> None:
    assert sum_costs([], tries=5) == Estimate(0, 0, 0.0, 0, 0.0)


def refusals(cap: Cap, estimate: Estimate = ESTIMATE, spent: Spent | None = None) -> list[str]:
    return [str(problem) for problem in over_caps(estimate, [cap], {} if spent is None else {(cap.scope, cap.period): spent})]


@pytest.mark.parametrize(
    ("cap", "spent"),
    [
        (Cap("bot", SpendPeriod.CHECK), None),
        (Cap("bot", SpendPeriod.CHECK, limit_tokens=34_000), None),
        (Cap("bot", SpendPeriod.CHECK, limit_usd=0.34), None),
        (Cap(None, SpendPeriod.DAY, limit_tokens=50_000), Spent(SpendPeriod.DAY, tokens=16_000)),
        (Cap("bot", SpendPeriod.MONTH, limit_usd=5.0), Spent(SpendPeriod.MONTH, usd=None, tokens=10**9)),
    ],
)
def test_what_fits_is_not_refused(cap: Cap, spent: Spent | None) -> None:
    assert refusals(cap, spent=spent) == []


@pytest.mark.parametrize(
    ("cap", "spent", "where", "figures"),
    [
        (Cap("bot", SpendPeriod.CHECK, limit_tokens=33_999), None, "budget.tokens_per_check of bot", ["0", "33,999", "34,000"]),
        (
            Cap("bot", SpendPeriod.DAY, limit_usd=1.0),
            Spent(SpendPeriod.DAY, usd=0.75),
            "budget.usd_per_day of bot",
            ["0.75", "1", "0.34"],
        ),
        (
            Cap(None, SpendPeriod.MONTH, limit_tokens=1_000_000),
            Spent(SpendPeriod.MONTH, tokens=999_000),
            "budget.total.tokens_per_month",
            ["999,000", "1,000,000", "34,000"],
        ),
    ],
)
def test_what_does_not_fit_is_refused_with_the_cap_and_the_figures(cap: Cap, spent: Spent | None, where: str, figures: list[str]) -> None:
    """What is spent, what is allowed, what is wanted: the headroom of one request included."""
    [problem] = over_caps(ESTIMATE, [cap], {} if spent is None else {(cap.scope, cap.period): spent})
    assert problem.where == where
    assert re.findall(r"\d[\d,.]*\d|\d", problem.what) == figures
    assert problem.fix.endswith("raise the cap")


def test_every_limit_that_would_be_passed_is_named() -> None:
    caps = [Cap("bot", SpendPeriod.CHECK, 0.1, 100), Cap(None, SpendPeriod.DAY, 0.2), Cap("bot", SpendPeriod.MONTH, 50.0)]
    assert [problem.where for problem in over_caps(ESTIMATE, caps, {})] == [
        "budget.tokens_per_check of bot",
        "budget.usd_per_check of bot",
        "budget.total.usd_per_day",
    ]


def test_a_price_not_known_passes_no_cap_in_dollars() -> None:
    unpriced = Estimate(40, 30_000, None, 150_000, None, 4_000, None)
    assert refusals(Cap("bot", SpendPeriod.CHECK, limit_usd=0.001), unpriced) == []
