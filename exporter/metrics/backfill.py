"""Past snapshots to OpenMetrics text with a time on every sample, for `promtool tsdb create-blocks-from openmetrics`.

Prometheus takes a series for gone where its last sample is more than five minutes old. So a value is repeated at every
step until it changes: its text is made once, and joined with the times. Nothing but changes is held in memory.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from exporter.metrics.catalogue import FAMILIES
from exporter.metrics.collector import collect_target
from exporter.metrics.exposition import END, OPENMETRICS_HEADERS, Lines, sample_lines
from exporter.metrics.labels import escape_value
from exporter.metrics.selection import Wanted, keep_wanted
from exporter.metrics.tallies import NO_DURATIONS
from exporter.records import Snapshot

DEFAULT_STEP_SECONDS = 240
MAX_STEP_SECONDS = 270
"""Longer ones would leave holes: Prometheus looks back for five minutes, and a query may fall anywhere."""


@dataclass(frozen=True, slots=True)
class Steps:
    """The times of samples, all multiples of `seconds`: those from `first` up to, but without, `stop` (in steps since 1970)."""

    seconds: int
    first: int
    stop: int

    @classmethod
    def between(cls, since: float, until: float, seconds: int) -> Steps:
        """The steps from `since` up to `until`, both included (Unix seconds)."""
        return cls(seconds, math.ceil(since / seconds), math.floor(until / seconds) + 1)

    def after(self, at: float) -> int:
        """The first step at `at` or later."""
        return math.ceil(at / self.seconds)

    def months(self) -> Iterator[tuple[str, Steps]]:
        """The same by months (UTC), each with its name, such as 2026-11; those without a step are left out."""
        first = self.first
        while first < self.stop:
            begun = datetime.fromtimestamp(first * self.seconds, UTC)
            next_month = datetime(begun.year + begun.month // 12, begun.month % 12 + 1, 1, tzinfo=UTC)
            stop = min(self.stop, self.after(next_month.timestamp()))
            yield f"{begun:%Y-%m}", Steps(self.seconds, first, stop)
            first = stop


@dataclass(slots=True)
class _Series:
    """One series: `values[i]` holds from step `starts[i]` on; None is no sample."""

    starts: list[int]
    values: list[str | None]


@dataclass(slots=True)
class _TargetPast:
    """One target's moments, taken up step by step; by family its series, by name and labels as they are written."""

    moments: Iterator[tuple[float, Snapshot]]
    wanted: Wanted | None
    families: dict[str, dict[str, _Series]] = field(default_factory=dict)
    lines: Lines = field(default_factory=dict)
    ahead: tuple[float, Snapshot] | None = None

    def advance(self, steps: Steps) -> None:
        """Forget what was before `steps`, and take up all that is seen within them."""
        self._forget(steps.first)
        shown: tuple[int, Snapshot] | None = None
        while (moment := self.ahead or next(self.moments, None)) is not None:
            self.ahead = moment
            step = max(steps.first, steps.after(moment[0]))
            if step >= steps.stop:
                break
            if shown is not None and step > shown[0]:
                self._take(*shown)
            shown, self.ahead = (step, moment[1]), None
        if shown is not None:
            self._take(*shown)

    def _forget(self, first: int) -> None:
        for family in self.families.values():
            for key, series in list(family.items()):
                if series.values[-1] is None:
                    del family[key]
                else:
                    family[key] = _Series([first], [series.values[-1]])

    def _take(self, step: int, snapshot: Snapshot) -> None:
        sheet = collect_target(snapshot, NO_DURATIONS)
        keep_wanted(sheet, self.wanted)
        lines = sample_lines(sheet)
        for name in (*lines, *(self.families.keys() - lines.keys())):
            text = lines.get(name, "")
            if text != self.lines.get(name, ""):
                self._change(self.families.setdefault(name, {}), step, text)
        self.lines = lines

    def _change(self, family: dict[str, _Series], step: int, text: str) -> None:
        values = dict(line.rsplit(" ", 1) for line in text.split("\n") if line)
        for key in (*values, *(family.keys() - values.keys())):
            value = values.get(key)
            series = family.get(key)
            if series is None:
                family[key] = _Series([step], [value])
            elif series.values[-1] != value:
                series.starts.append(step)
                series.values.append(value)


class Backfill:
    """The past of several targets, to be written month by month, in order. Each call of `write` goes on where the last one ended."""

    def __init__(self, pasts: Iterable[tuple[Iterator[tuple[float, Snapshot]], Wanted | None]], labels: Mapping[str, str]) -> None:
        self._pasts = [_TargetPast(moments, wanted) for moments, wanted in pasts]
        self._labels = "".join(f'{name}="{escape_value(value)}",' for name, value in labels.items())

    def write(self, steps: Steps) -> Iterator[str]:
        """The text of one file: families in the catalogue's order, in them series after series, each by time."""
        for past in self._pasts:
            past.advance(steps)
        times = [str(step * steps.seconds) for step in range(steps.first, steps.stop)]
        for family in FAMILIES:
            series = [one for past in self._pasts for one in past.families.get(family.name, {}).items()]
            if series:
                yield OPENMETRICS_HEADERS[family.name]
            for key, one in series:
                yield from self._samples(self._labelled(key), one, steps, times)
        yield END

    def _labelled(self, key: str) -> str:
        name, _, rest = key.partition("{")
        return f"{name}{{{self._labels}{rest}"

    def _samples(self, key: str, series: _Series, steps: Steps, times: Sequence[str]) -> Iterator[str]:
        stops = (*series.starts[1:], steps.stop)
        for start, stop, value in zip(series.starts, stops, series.values, strict=True):
            if value is not None and stop > start:
                lead = f"{key} {value} "
                yield lead + f"\n{lead}".join(times[start - steps.first : stop - steps.first]) + "\n"
