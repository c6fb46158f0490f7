"""Fakes for time: a clock that moves only when told to, or when somebody sleeps on it."""

from __future__ import annotations

import asyncio


class FakeClock:
    """Wall and monotonic time move together by `advance` and by `sleep`, which returns after one turn of the loop."""

    def __init__(self, now: float = 1_800_000_000.0) -> None:
        self._now = now
        self._monotonic = 1000.0
        self.slept: list[float] = []

    def now(self) -> float:
        return self._now

    def monotonic(self) -> float:
        return self._monotonic

    def advance(self, seconds: float) -> None:
        self._now += seconds
        self._monotonic += seconds

    def set(self, now: float) -> None:
        """Set the wall clock, as an operator or NTP would; monotonic time is not touched."""
        self._now = now

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.advance(max(0.0, seconds))
        await asyncio.sleep(0)
