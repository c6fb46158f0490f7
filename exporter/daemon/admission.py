"""How many checks may be in progress at once: a thousand targets due at nine are not all begun at nine.

A check that is begun holds its plan and its history in memory and has a deadline that runs. So a place is taken before a check is
claimed, first come, first served. It is lent for a while only: whose provider hangs keeps on, but keeps nobody else from beginning.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator

from exporter.clock import Clock
from exporter.daemon.pauses import pause

LENT_SECONDS = 120.0
"""How long a check counts. Most are over by then; what takes longer waits for its provider, and little else."""


class Admission:
    """`places` to be had at once; one that has been held for LENT_SECONDS is free again, whatever its holder does."""

    def __init__(self, places: int, clock: Clock) -> None:
        self._places = places
        self._clock = clock
        self._lent_until: dict[object, float] = {}
        self._changed = asyncio.Event()
        self._turn = asyncio.Lock()

    def resize(self, places: int) -> None:
        """Allow another number at once; checks in progress beyond it are let finish."""
        self._places = places
        self._changed.set()

    @contextlib.asynccontextmanager
    async def place(self, unless: asyncio.Event) -> AsyncIterator[bool]:
        """A place for as long as the block lasts. False, and none, where `unless` is set before there is one."""
        holder = object()
        entering = asyncio.create_task(self._enter(holder))
        giving_up = asyncio.create_task(unless.wait())
        try:
            await asyncio.wait((entering, giving_up), return_when=asyncio.FIRST_COMPLETED)
            yield entering.done()
        finally:
            entering.cancel()
            giving_up.cancel()
            self._lent_until.pop(holder, None)
            self._changed.set()

    async def _enter(self, holder: object) -> None:
        async with self._turn:
            while (wait_seconds := self._seconds_until_free()) > 0:
                self._changed.clear()
                await pause(self._clock, wait_seconds, self._changed)
            self._lent_until[holder] = self._clock.monotonic() + LENT_SECONDS

    def _seconds_until_free(self) -> float:
        now = self._clock.monotonic()
        counted = sorted(until for until in self._lent_until.values() if until > now)
        return 0.0 if len(counted) < self._places else counted[len(counted) - self._places] - now
