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


class Slot:
    """Room for one request. It is free again with the answer; the request is under way until it has been settled."""

    def __init__(self, slots: asyncio.Semaphore, under_way: UnderWay) -> None:
        self._slots = slots
        self._under_way = under_way
        self._is_free = False
        under_way.enter()

    def free(self) -> None:
        """The answer has come: another request may be sent. What is left to do needs no provider."""
        if not self._is_free:
            self._is_free = True
            self._slots.release()

    def leave(self, *, settled: bool) -> None:
        """The request is over: settled, or never reserved at all."""
        self.free()
        self._under_way.leave(settled=settled)


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

    async def acquire(self) -> Slot:
        """Wait for a slot and take it."""
        await self._slots.acquire()
        while self._surplus > 0:
            self._surplus -= 1
            await self._slots.acquire()
        return Slot(self._slots, self.under_way)
