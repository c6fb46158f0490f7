"""The only reader of time. Everything else is given a Clock, so that a test can give it another one."""

from __future__ import annotations

import asyncio
import time
from typing import Protocol


class Clock(Protocol):
    """Wall time for what is stored and shown, monotonic time for durations and deadlines."""

    def now(self) -> float:
        """Unix seconds, UTC. May jump when the machine's clock is set."""
        ...

    def monotonic(self) -> float:
        """Seconds since some fixed moment. Never goes back."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Return after `seconds` (at once if not positive)."""
        ...


class SystemClock:
    """The machine's own clock."""

    def now(self) -> float:
        """Unix seconds, UTC."""
        return time.time()

    def monotonic(self) -> float:
        """Seconds since some fixed moment."""
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        """Return after `seconds`."""
        await asyncio.sleep(max(0.0, seconds))
