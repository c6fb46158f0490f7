"""How many checks are under way at once: enough to keep all requests busy, and not one that could not begin yet."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

_SHARE = 2
"""Checks ask for this many times the requests that may be under way: while one of them is judged, others use its share."""


class Gate:
    """Lets checks begin, first come, first served. A check weighs as many requests as it may have under way.

    What is due and has not passed is not claimed yet: another replica may have it. `concurrency` is the process's.
    """

    def __init__(self, concurrency: int) -> None:
        self._room = _SHARE * concurrency
        self._taken = 0
        self._waiting: deque[tuple[asyncio.Future[None], int]] = deque()

    def resize(self, concurrency: int) -> None:
        """Allow for another number of requests; checks under way beyond it go on."""
        self._room = _SHARE * concurrency
        self._let_in()

    @asynccontextmanager
    async def passed(self, weight: int, *, at_once: bool = False) -> AsyncIterator[None]:
        """Be one of the checks under way for as long as the block lasts. `at_once`: without waiting, however many there are."""
        if at_once:
            self._taken += weight
        else:
            await self._wait(weight)
        try:
            yield
        finally:
            self._taken -= weight
            self._let_in()

    async def _wait(self, weight: int) -> None:
        if not self._waiting and self._taken < self._room:
            self._taken += weight
            return
        let_in: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((let_in, weight))
        try:
            await let_in
        except asyncio.CancelledError:
            if let_in.done() and not let_in.cancelled():  # let in, and gone in the same moment
                self._taken -= weight
            else:
                self._waiting.remove((let_in, weight))
            self._let_in()
            raise

    def _let_in(self) -> None:
        while self._waiting and self._taken < self._room:
            let_in, weight = self._waiting.popleft()
            if not let_in.done():
                self._taken += weight
                let_in.set_result(None)
