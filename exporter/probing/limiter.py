"""How many requests are under way, over one run and over all of them, and the wait for one to be settled."""

from __future__ import annotations

import asyncio
from collections import deque


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
        self._taken: set[Slot] = set()
        self._queue: deque[Slot] = deque()

    def resize(self, concurrency: int) -> None:
        """Allow another number at once; requests under way beyond it are let finish."""
        self._concurrency = concurrency
        self._hand_out()

    def line_up(self, slot: Slot) -> None:
        """The slot is granted as soon as one is free."""
        self._queue.append(slot)
        self._hand_out()

    def take_back(self, slot: Slot) -> None:
        """One that was granted is free again."""
        self._taken.discard(slot)
        self._hand_out()

    def _hand_out(self) -> None:
        while self._queue and len(self._taken) < self._concurrency:
            slot = self._queue.popleft()
            if slot.grant():
                self._taken.add(slot)


class Slot:
    """Room for one request: waited for, taken, and free again with the answer."""

    def __init__(self, limiter: Limiter) -> None:
        self._limiter = limiter
        self._waiting: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def take(self) -> None:
        """Wait until it is granted, or given up."""
        if not self._waiting.done():
            self._limiter.line_up(self)
            await self._waiting

    def grant(self) -> bool:
        """It may be used. False where nobody waits for it any more."""
        if self._waiting.done():
            return False
        self._waiting.set_result(None)
        return True

    def give_up(self) -> None:
        """Nobody waits for it any more. One that was granted stays so."""
        if not self._waiting.done():
            self._waiting.set_result(None)

    def free(self) -> None:
        """Another request may be sent. What is left to do with this one needs no provider."""
        self.give_up()
        self._limiter.take_back(self)
