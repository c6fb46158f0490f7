"""What a run or a check should cost, and whether that fits under the caps. Pure."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from exporter.errors import BudgetExceededError, Problem
from exporter.records import SpendPeriod
from exporter.store import Cap, Spent


@dataclass(frozen=True, slots=True)
class RequestCost:
    """One request: what it should cost, and what it cannot exceed (the reservation). `usd` is None where no price is known."""

    tokens: int
    usd: float | None
    worst_tokens: int
    worst_usd: float | None


@dataclass(frozen=True, slots=True)
class Estimate:
    """Requests, tokens in and out, and dollars that are expected; `worst_` is every try used, every answer of full length.

    `headroom_` is what one request reserves beyond what it should cost: it must be free when the last one is sent. Requests
    that fail and are sent again are in none of these. Dollars are None where no price is known.
    """

    requests: int
    tokens: int
    usd: float | None
    worst_tokens: int
    worst_usd: float | None
    headroom_tokens: int = 0
    headroom_usd: float | None = None

    @property
    def needed_tokens(self) -> int:
        """Tokens that have to be free: without the headroom a run would be paid for and then refused its last answers."""
        return self.tokens + self.headroom_tokens

    @property
    def needed_usd(self) -> float | None:
        """Dollars that have to be free, likewise."""
        return None if self.usd is None else self.usd + (self.headroom_usd or 0.0)

    def times(self, runs: float) -> Estimate:
        """The estimate of `runs` such runs.

        1 + screen_alpha is a check on a quiet day: one run, and a second one where the screen asks for it by chance. 2 is what
        must fit, lest a second run be refused.
        """
        whole = math.ceil(runs)
        return Estimate(
            requests=math.ceil(self.requests * runs),
            tokens=math.ceil(self.tokens * runs),
            usd=None if self.usd is None else self.usd * runs,
            worst_tokens=self.worst_tokens * whole,
            worst_usd=None if self.worst_usd is None else self.worst_usd * whole,
            headroom_tokens=self.headroom_tokens,
            headroom_usd=self.headroom_usd,
        )


def sum_costs(costs: Iterable[tuple[RequestCost, float]], tries: int) -> Estimate:
    """The estimate of one run, from the cost of each request and how often it is expected to be sent (1 to `tries`)."""
    listed = list(costs)
    return Estimate(
        requests=math.ceil(sum(times for _, times in listed)),
        tokens=math.ceil(sum(cost.tokens * times for cost, times in listed)),
        usd=_sum_usd(None if cost.usd is None else cost.usd * times for cost, times in listed),
        worst_tokens=sum(cost.worst_tokens * tries for cost, _ in listed),
        worst_usd=_sum_usd(None if cost.worst_usd is None else cost.worst_usd * tries for cost, _ in listed),
        headroom_tokens=max((cost.worst_tokens - cost.tokens for cost, _ in listed), default=0),
        headroom_usd=max(
            (cost.worst_usd - cost.usd for cost, _ in listed if cost.usd is not None and cost.worst_usd is not None), default=None
        ),
    )


def over_caps(estimate: Estimate, caps: Sequence[Cap], spent: Mapping[tuple[str | None, SpendPeriod], Spent]) -> tuple[Problem, ...]:
    """Why an estimate does not fit: one problem for each limit that it would pass; none: it fits.

    `spent` is looked up by a cap's scope and period; what is missing is nothing spent.
    """
    problems: list[Problem] = []
    for cap in caps:
        so_far = spent.get((cap.scope, cap.period), Spent(cap.period))
        if cap.limit_tokens is not None:
            problems += _refuse(cap, "tokens", cap.limit_tokens, so_far.tokens, estimate.needed_tokens)
        if cap.limit_usd is not None and estimate.needed_usd is not None:
            problems += _refuse(cap, "usd", cap.limit_usd, so_far.usd or 0.0, estimate.needed_usd)
    return tuple(problems)


def _refuse(cap: Cap, unit: str, limit: float, spent: float, wanted: float) -> tuple[Problem, ...]:
    if spent + wanted <= limit:
        return ()
    error = BudgetExceededError(scope=cap.scope, period=cap.period, unit=unit, limit=limit, spent=spent, wanted=wanted)
    return error.problems


def _sum_usd(amounts: Iterable[float | None]) -> float | None:
    known = list(amounts)
    return None if None in known else math.fsum(usd for usd in known if usd is not None)
