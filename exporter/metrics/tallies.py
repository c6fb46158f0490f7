"""What is counted in this process only and begins at 0 with it: request durations and log lines."""

from __future__ import annotations

import threading
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass

DURATION_BOUNDS_SECONDS = (0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 20.0, 30.0, 60.0, 90.0, 120.0)
"""Upper bounds of the request histogram's buckets, without +Inf."""

LOG_LEVELS = ("debug", "info", "warning", "error", "critical")


@dataclass(frozen=True, slots=True)
class Durations:
    """One target's request durations. `counts` has one number a bucket, +Inf last; they are not cumulative."""

    counts: tuple[int, ...] = (0,) * (len(DURATION_BOUNDS_SECONDS) + 1)
    sum_seconds: float = 0.0


NO_DURATIONS = Durations()


class RequestDurations:
    """Request durations by target. May be fed and read from any thread; what is read never changes afterwards."""

    def __init__(self) -> None:
        self._by_target: dict[str, Durations] = {}
        self._lock = threading.Lock()

    def observe(self, target: str, seconds: float) -> None:
        """Count one request that took `seconds`."""
        bucket = bisect_left(DURATION_BOUNDS_SECONDS, seconds)
        with self._lock:
            before = self._by_target.get(target, NO_DURATIONS)
            counts = tuple(count + (index == bucket) for index, count in enumerate(before.counts))
            self._by_target[target] = Durations(counts, before.sum_seconds + max(0.0, seconds))

    def of(self, target: str) -> Durations:
        """The target's durations so far: the same object until the next one is observed."""
        return self._by_target.get(target, NO_DURATIONS)


class Tally:
    """Counts by one label whose values are a closed set. May be fed and read from any thread."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self._counts = dict.fromkeys(names, 0)
        self._lock = threading.Lock()

    def count(self, name: str) -> None:
        """Add one. Raises KeyError for a name outside the set."""
        with self._lock:
            self._counts[name] += 1

    def counts(self) -> Mapping[str, int]:
        """A copy of the counts so far, every name included."""
        with self._lock:
            return dict(self._counts)


class Tallies:
    """All tallies of the process; the daemon has one of these and whoever counts is given it."""

    def __init__(self) -> None:
        self.request_durations = RequestDurations()
        self.log_messages = Tally(LOG_LEVELS)
