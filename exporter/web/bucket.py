"""A limit on how often something may happen, whatever it is."""

from __future__ import annotations


class Bucket:
    """`burst` at once, and one more each `interval_seconds`. Times are monotonic seconds."""

    def __init__(self, interval_seconds: float, burst: int, now: float) -> None:
        self._interval_seconds = interval_seconds
        self._burst = burst
        self._left = float(burst)
        self._as_of = now

    def take(self, now: float) -> float:
        """0 and one less; or, with none left, the seconds until there is one."""
        self._left = self._left_at(now)
        self._as_of = now
        if self._left >= 1:
            self._left -= 1
            return 0.0
        return (1 - self._left) * self._interval_seconds

    def give_back(self) -> None:
        """What was taken last does not count."""
        self._left = min(self._left + 1, float(self._burst))

    def _left_at(self, now: float) -> float:
        return min(self._left + (now - self._as_of) / self._interval_seconds, float(self._burst))
