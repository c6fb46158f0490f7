"""Room under a cap over all targets that other requests have reserved: it is waited for, but not from programs that are gone."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress

from exporter.clock import Clock
from exporter.daemon.turns import turn_of
from exporter.errors import BudgetExceededError, StoreError
from exporter.probing.asking import ROOM_SECONDS
from exporter.records import SpendPeriod
from exporter.store import Store, Writer

OnWait = Callable[[BudgetExceededError], None]
"""Told which cap leaves no room, once, when a check begins to wait."""

OnBooked = Callable[[str, int], None]
"""Told of which target how many requests were booked, as whoever had reserved them is gone."""


class Room:
    """What one check waits by."""

    def __init__(self, store: Store, writer: Writer, clock: Clock, on_wait: OnWait, on_booked: OnBooked) -> None:
        self._store = store
        self._writer = writer
        self._clock = clock
        self._on_wait = on_wait
        self._on_booked = on_booked
        self._is_told = False

    async def wait(self, refusal: BudgetExceededError) -> None:
        """Let the others have some time to settle, and book what nobody will."""
        if not self._is_told:
            self._on_wait(refusal)
        self._is_told = True
        await self._clock.sleep(ROOM_SECONDS)
        if refusal.scope is None and refusal.period != SpendPeriod.CHECK:
            with suppress(StoreError):  # whoever looks for room next has it too, and does with it what is to be done
                await self._book_orphans()

    async def _book_orphans(self) -> None:
        """Whose turn is free is a program that has died, or one that has yet to take its check up again and would do the same."""
        for target, run_ids in (await asyncio.to_thread(self._store.open_reservations)).items():
            with suppress(StoreError):  # mostly as somebody is at it
                await self._book(target, run_ids)

    async def _book(self, target: str, run_ids: Sequence[int]) -> None:
        async with turn_of(self._store, target):
            booked = await self._writer.call(self._store.book_orphans, self._clock.now(), run_ids)
        if booked:
            self._on_booked(target, booked)
