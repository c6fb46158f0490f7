"""How many requests are under way, over one run and over all of them, and the wait for one to be settled."""

from __future__ import annotations

import asyncio


class UnderWay:
    """Requests between their reservation and its settlement.

    A reservation that finds no room may find some once another request has been settled at less than was set aside for it.
    """

    def __init__(self) -> None:
        self.settled_count = 0
        self._count = 0
        self._changed = asyncio.Event()

    def enter(self) -> None:
        """One more request is about to be reserved."""
        self._count += 1

    def leave(self, *, settled: bool) -> None:
        """It is over: settled, or never reserved at all."""
        self._count -= 1
        self.settled_count += settled
        self._changed.set()
        self._changed = asyncio.Event()

    async def more_settled(self, seen_count: int) -> bool:
        """Wait until more than `seen_count` have been settled. False: none has, and nothing is under way any more."""
        while self.settled_count == seen_count and self._count > 0:
            await self._changed.wait()
        return self.settled_count != seen_count


class Limiter:
    """The requests of all runs of this process: at most `concurrency` at once, first come, first served."""

    def __init__(self, concurrency: int) -> None:
        self.under_way = UnderWay()
        self._concurrency = concurrency
        self._slots = asyncio.Semaphore(concurrency)
        self._surplus = 0

    def resize(self, concurrency: int) -> None:
        """Allow another number at once; requests under way beyond it are let finish."""
        self._surplus += self._concurrency - concurrency
        self._concurrency = concurrency
        while self._surplus < 0:
            self._slots.release()
            self._surplus += 1

    async def acquire(self) -> None:
        """Wait for a slot and take it."""
        await self._slots.acquire()
        while self._surplus > 0:
            self._surplus -= 1
            await self._slots.acquire()
        self.under_way.enter()

    def release(self, *, settled: bool) -> None:
        """Give a slot back."""
        self._slots.release()
        self.under_way.leave(settled=settled)
