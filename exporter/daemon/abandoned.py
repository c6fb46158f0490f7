"""Open checks of targets that no config has any more: nobody goes on with them, but what they reserved has to be booked.

Nothing happens to such a check that would not if its target was there: what was reserved and never answered is booked, and its run
is ended once its deadline is past. What the check comes to is judged by a config, so that waits until the target is back.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Mapping, Sequence

import structlog

from exporter.clock import Clock
from exporter.daemon.check import TOO_LATE
from exporter.daemon.turns import turn_of
from exporter.errors import StoreError, StoreTakenError, StoreUnreachableError
from exporter.records import Reason, Run, RunState
from exporter.store import Store, UnderWay, Writer

AGAIN_SECONDS = 60.0
"""How often is looked again at what another program works on, by another config, and at a store in trouble."""

_Steps = tuple[tuple[int, str], ...]


class Abandoned:
    """Ends what is left of them, and remembers of which nothing is."""

    def __init__(self, store: Store, writer: Writer, clock: Clock) -> None:
        self._store = store
        self._writer = writer
        self._clock = clock
        self._looked_at: dict[str, tuple[_Steps, float]] = {}
        self._log = structlog.get_logger()

    async def end(self, under_way: Mapping[str, Sequence[UnderWay]]) -> None:
        """Do what is to be done for the open checks of such targets. A store in trouble is told of, and tried again."""
        looked_at, self._looked_at = self._looked_at, {}
        for target, checks in under_way.items():
            steps = tuple((check.check_id, check.state) for check in checks)
            seen, again_at = looked_at.get(target, ((), 0.0))
            if seen != steps or self._clock.now() >= again_at:
                again_at = await self._look_at(target)
            self._looked_at[target] = steps, again_at

    async def _look_at(self, target: str) -> float:
        """When to look again; never, where no run is open any more."""
        try:
            async with turn_of(self._store, target):
                checks = await asyncio.to_thread(self._store.open_checks, target)
                left = [run for check in checks for run in check.runs if run.state is RunState.OPEN and not await self._end(run)]
        except (StoreTakenError, StoreUnreachableError):  # the latter is told of by who polls
            return self._clock.now() + AGAIN_SECONDS
        except StoreError as error:
            self._log.error("a check of a target that is gone could not be ended; trying again", target=target, error=str(error))
            return self._clock.now() + AGAIN_SECONDS
        return min((run.deadline_at for run in left), default=math.inf)

    async def _end(self, run: Run) -> bool:
        """False where the run may still be finished: it is left open, with nothing reserved in it."""
        now = self._clock.now()
        booked = await self._writer.call(self._store.book_orphans, now, (run.id,))
        if booked:
            self._log.info("what a check of a target that is gone has reserved is booked", run=run.id, requests=booked)
        if run.deadline_at > now:
            return False
        await self._writer.call(self._store.close_run, run.id, RunState.FAILED, Reason.INTERRUPTED, TOO_LATE, now)
        return True
