"""What had been spent and counted at each moment of a target's history, from what each check added."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeVar

from exporter.records import Counters, Snapshot, Spend, SpendPeriod
from exporter.store import PastCheck
from exporter.store.units import day_of, month_of

_Key = TypeVar("_Key", bound=str)


class PastSpend:
    """What was spent in the last check, and on each day of this month."""

    def __init__(self, present: Snapshot) -> None:
        self._priced = present.price_known
        self._last: tuple[float, int] = (0.0, 0)
        self._days: dict[int, tuple[float, int]] = {}

    def add(self, day: int, past: PastCheck) -> None:
        """A check that was claimed on `day`."""
        self._last = (past.added.spend_usd, past.tokens)
        usd, tokens = self._days.get(day, (0.0, 0))
        self._days[day] = (usd + past.added.spend_usd, tokens + past.tokens)

    def as_of(self, spends: tuple[Spend, ...], at: float) -> tuple[Spend, ...]:
        """`spends` with the amounts of that moment."""
        month = month_of(day_of(at))
        self._days = {day: spent for day, spent in self._days.items() if day in month}
        today = self._days.get(day_of(at), (0.0, 0))
        whole = (sum(usd for usd, _ in self._days.values()), sum(tokens for _, tokens in self._days.values()))
        amounts = {SpendPeriod.CHECK: self._last, SpendPeriod.DAY: today, SpendPeriod.MONTH: whole}
        return tuple(self._fill(spend, *amounts[spend.period]) for spend in spends)

    def _fill(self, spend: Spend, usd: float, tokens: int) -> Spend:
        return replace(spend, spent_usd=round(usd, 9) if self._priced else None, spent_tokens=tokens)


def add_counters(total: Counters, more: Counters) -> Counters:
    """Both together."""
    return Counters(
        measurement_errors=_add_each(total.measurement_errors, more.measurement_errors),
        checks=_add_each(total.checks, more.checks),
        requests=total.requests + more.requests,
        request_failures=_add_each(total.request_failures, more.request_failures),
        input_tokens=total.input_tokens + more.input_tokens,
        output_tokens=total.output_tokens + more.output_tokens,
        reasoning_tokens=total.reasoning_tokens + more.reasoning_tokens,
        spend_usd=round(total.spend_usd + more.spend_usd, 9),
        spend_estimated_usd=round(total.spend_estimated_usd + more.spend_estimated_usd, 9),
    )


def _add_each(total: Mapping[_Key, int], more: Mapping[_Key, int]) -> dict[_Key, int]:
    return {key: total.get(key, 0) + more.get(key, 0) for key in {**total, **more}}
