"""Scales of the charts: where a value stands, and at which round values a line is drawn. Pure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

_MINUTE, _HOUR, _DAY = 60, 3600, 86400
_STEPS_SECONDS = (
    *(_MINUTE * number for number in (1, 2, 5, 10, 15, 30)),
    *(_HOUR * number for number in (1, 2, 3, 6, 12)),
    *(_DAY * number for number in (1, 2, 5, 7, 14, 21, 28, 42, 56, 91, 182, 364, 728, 1820)),
)
_MOST_TIMES = 4
"""Labels that fit beside each other on a phone."""

LOWEST_EXPONENT = -8
"""Smaller p-values are drawn at 1e-8: beyond that they say nothing more."""


@dataclass(frozen=True, slots=True)
class Tick:
    """A line of the grid: where it is, what is written at it and, for a time, what is written below that."""

    at: float
    label: str
    below: str = ""


@dataclass(frozen=True, slots=True)
class TimeAxis:
    """From `first` to `last`, Unix seconds, to per cent of the width. A single moment stands in the middle."""

    first: float
    last: float

    def at(self, moment: float) -> float:
        """Per cent of the width."""
        return 50.0 if self.last <= self.first else (moment - self.first) / (self.last - self.first) * 100

    def ticks(self) -> list[Tick]:
        """At most four round times in UTC; the date, or the year, is below the first and wherever it changes."""
        step = next((step for step in _STEPS_SECONDS if len(self._multiples(step)) <= _MOST_TIMES), _STEPS_SECONDS[-1])
        moments: Sequence[float] = self._multiples(step)[:_MOST_TIMES] or [self.first]
        names = [_name(moment, days=step >= _DAY) for moment in moments]
        before = [""] + [below for _, below in names]
        return [
            Tick(self.at(moment), label, "" if below == last else below)
            for moment, (label, below), last in zip(moments, names, before, strict=False)
        ]

    def _multiples(self, step: int) -> range:
        """Those of `step` that are inside."""
        return range(math.ceil(self.first / step) * step, math.floor(self.last) + 1, step)


@dataclass(frozen=True, slots=True)
class PercentAxis:
    """From `bottom` to `top`, whole per cents, to pixels between `height` (below) and 0 (above)."""

    bottom: int
    top: int
    height: int

    @classmethod
    def around(cls, ratios: Sequence[float], height: int) -> PercentAxis:
        """Round bounds that leave room around `ratios` (shares of 1) and are at least 20 points apart: noise must not look like a fall."""
        lowest, highest = min(ratios) * 100, max(ratios) * 100
        top = min(100, math.ceil((highest + 1) / 10) * 10)
        bottom = max(0, min(math.floor((lowest - 1) / 10) * 10, top - 20))
        return cls(bottom, max(top, bottom + 20), height)

    def at(self, ratio: float) -> float:
        """Pixels from above."""
        return (self.top - ratio * 100) / (self.top - self.bottom) * self.height

    def ticks(self) -> list[Tick]:
        """Three to seven round shares."""
        step = next(step for step in (5, 10, 20) if (self.top - self.bottom) / step <= 6)
        return [Tick(self.at(percent / 100), f"{percent} %") for percent in range(self.top, self.bottom - 1, -step)]


@dataclass(frozen=True, slots=True)
class PValueAxis:
    """From 1 (above) down to ten to the power of `exponent`, each power as high as the next."""

    exponent: int
    height: int

    @classmethod
    def down_to(cls, p_values: Sequence[float], height: int) -> PValueAxis:
        """An axis that holds all of them, and at least 0.001."""
        smallest = max(min(p_values, default=1.0), 10.0**LOWEST_EXPONENT)
        return cls(min(-3, math.floor(math.log10(smallest) + 1e-9)), height)

    def at(self, p_value: float) -> float:
        """Pixels from above."""
        return math.log10(min(1.0, max(p_value, 10.0**self.exponent))) / self.exponent * self.height

    def ticks(self) -> list[Tick]:
        """1 and powers of ten below it."""
        step = 1 if self.exponent >= -4 else 2
        return [Tick(self.at(10.0**-power), _power(power)) for power in range(0, -self.exponent + 1, step)]


def _power(power: int) -> str:
    return f"{10.0**-power:.{power}f}" if power <= 4 else f"1e-{power}"


def _name(moment: float, *, days: bool) -> tuple[str, str]:
    at = datetime.fromtimestamp(moment, UTC)
    day = f"{at.day} {at:%b}"
    return (day, f"{at:%Y}") if days else (f"{at:%H:%M}", day)
