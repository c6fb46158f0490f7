"""How many requests are under way, over one run and over all of them, and the wait for one to be settled."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable


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

    def queue(self) -> Slot:
        """A slot that is taken as soon as one is free: wait for it, and free it, whatever has become of it."""
        slot = Slot(self._give_back)
        self._queue.append(slot)
        self._hand_out()
        return slot

    def _give_back(self, slot: Slot) -> None:
        self._taken.discard(slot)
        self._hand_out()

    def _hand_out(self) -> None:
        while self._queue and len(self._taken) < self._concurrency:
            slot = self._queue.popleft()
            if slot.take():
                self._taken.add(slot)


class Slot:
    """Room for one request: queued for, taken, and given back with the answer."""

    def __init__(self, give_back: Callable[[Slot], None]) -> None:
        self._give_back = give_back
        self._queueing: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def take(self) -> bool:
        """It is its turn. False where nobody waits for it any more."""
        if self._queueing.done():
            return False
        self._queueing.set_result(None)
        return True

    async def wait(self) -> None:
        """Wait until it is taken, or nobody waits for it any more."""
        await self._queueing

    def leave_queue(self) -> None:
        """Wait no more. One that is taken stays so."""
        if not self._queueing.done():
            self._queueing.set_result(None)

    def free(self) -> None:
        """Another request may be sent. What is left to do with this one needs no provider."""
        self.leave_queue()
        self._give_back(self)
