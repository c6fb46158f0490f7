"""What checks of a target should cost, and whether its caps let them. Nothing is asked; the store is only looked at."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice, takewhile

from exporter.config import Budget, Schedule, TotalBudget
from exporter.daemon.check import plan_check
from exporter.daemon.live import RUNS_A_CHECK, LiveTarget
from exporter.daemon.memory import read_history
from exporter.daemon.schedule import due_times
from exporter.probing.budget import caps_of
from exporter.probing.estimate import Estimate, over_caps
from exporter.records import SpendPeriod
from exporter.store import Spent, Store
from exporter.verdicts import History
from exporter.web.texts import dollars

DAY_SECONDS = 86_400.0
MONTH_DAYS = 30
_YEAR_DAYS = 366
_DUE_TIMES_COUNTED = 1000


@dataclass(frozen=True, slots=True)
class Forecast:
    """One target's costs: of a check with one run and of one with two, and of the schedule over a day and over 30 days.

    `measured` is whether past checks stand behind the figures. `warnings` say which caps are too small.
    """

    target: str
    questions: int
    areas: tuple[str, ...]
    measured: bool
    checks_a_day: float
    check: Estimate
    check_with_second_run: Estimate
    day: Estimate
    month: Estimate
    warnings: tuple[str, ...]


def forecast_target(live: LiveTarget, total: TotalBudget, store: Store | None, now: float) -> Forecast:
    """Look ahead, by what past checks took where `store` has some. Raises StoreError."""
    history = read_history(store, live.subject) if store else History()
    one_run = plan_check(live, history.checks).estimate
    two_runs = one_run.times(2)
    checks_a_day = count_checks_a_day(live.target.schedule, live.name, now)
    day, month = (one_run.times(RUNS_A_CHECK * checks_a_day * days) for days in (1, MONTH_DAYS))
    return Forecast(
        target=live.name,
        questions=len(live.questions),
        areas=live.areas,
        measured=any(run.grades for check in history.checks for run in check.runs),
        checks_a_day=checks_a_day,
        check=one_run,
        check_with_second_run=two_runs,
        day=day,
        month=month,
        warnings=(
            *_warn_of_check(live, total, one_run, two_runs, _read_spend(store, live.name, now)),
            *_warn_of_schedule(live.target.budget, f" of {live.name}", day, month),
        ),
    )


def warn_of_total(forecasts: Sequence[Forecast], total: TotalBudget) -> tuple[str, ...]:
    """The caps over all targets together that their schedules use up."""
    day, month = _add([forecast.day for forecast in forecasts]), _add([forecast.month for forecast in forecasts])
    return _warn_of_schedule(total, " of budget.total", day, month)


def count_checks_a_day(schedule: Schedule, target: str, now: float) -> float:
    """How many checks a day a schedule makes, over the next thousand of them or the next year."""
    ahead = takewhile(lambda due_at: due_at <= now + _YEAR_DAYS * DAY_SECONDS, due_times(schedule, target, now))
    times = list(islice(ahead, _DUE_TIMES_COUNTED))
    return len(times) / _YEAR_DAYS if len(times) < 2 else (len(times) - 1) * DAY_SECONDS / (times[-1] - times[0])


def _read_spend(store: Store | None, target: str, now: float) -> dict[tuple[str | None, SpendPeriod], Spent]:
    """Spend of the day and the month; a check that is still to be made has spent nothing."""
    if store is None:
        return {}
    read = {scope: store.spend(scope, now) for scope in (target, None)}
    return {(scope, period): spent[period] for scope, spent in read.items() for period in (SpendPeriod.DAY, SpendPeriod.MONTH)}


def _warn_of_check(
    live: LiveTarget, total: TotalBudget, one_run: Estimate, two_runs: Estimate, spent: dict[tuple[str | None, SpendPeriod], Spent]
) -> list[str]:
    caps = caps_of(live.target, total)
    if refused := over_caps(one_run, caps, spent):
        return [f"{live.name}: a check would not start now: {problem}" for problem in refused]
    return [
        f"{live.name}: a second run would not fit, so that no drift is confirmed: {problem}" for problem in over_caps(two_runs, caps, spent)
    ]


def _warn_of_schedule(budget: Budget | TotalBudget, whose: str, day: Estimate, month: Estimate) -> tuple[str, ...]:
    found = []
    for period, limit_usd, limit_tokens, estimate in (
        ("day", budget.usd_per_day, budget.tokens_per_day, day),
        ("month", budget.usd_per_month, budget.tokens_per_month, month),
    ):
        if limit_usd is not None and estimate.usd is not None and estimate.usd > limit_usd:
            found.append(f"usd_per_{period}{whose}: {dollars(limit_usd)}, and the schedule takes about {dollars(estimate.usd)}")
        if limit_tokens is not None and estimate.tokens > limit_tokens:
            found.append(f"tokens_per_{period}{whose}: {limit_tokens:,}, and the schedule takes about {estimate.tokens:,}")
    return tuple(f"{cap}; raise the cap or check less often: what comes after is not asked" for cap in found)


def _add(estimates: Sequence[Estimate]) -> Estimate:
    """All of them together. Where no price of one is known, the dollars of the others."""
    usd = [estimate.usd for estimate in estimates if estimate.usd is not None]
    tokens = sum(estimate.tokens for estimate in estimates)
    return Estimate(sum(estimate.requests for estimate in estimates), tokens, math.fsum(usd) if usd else None, 0, None)
