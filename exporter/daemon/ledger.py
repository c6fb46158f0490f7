"""The store as a run sees it: each call handed to the one thread that writes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ParamSpec, TypeVar

from exporter.clock import Clock
from exporter.errors import StoreError, StoreFullError, StoreLockedError, StoreReadOnlyError, StoreUnreachableError
from exporter.metrics import Tallies
from exporter.records import Answer, Grade
from exporter.store import Cap, Store, Writer

PATIENCE_SECONDS = 600.0
"""How long a store in trouble is waited for in the middle of a run, if its deadline allows: its answers under way are paid for."""

PAUSE_SECONDS = 5.0
"""How long until a store in trouble is tried again."""

PASSING = (StoreLockedError, StoreFullError, StoreUnreachableError, StoreReadOnlyError)
"""What may be over by itself, or by somebody's hand: another writer, a full disk, a server that restarts or fails over."""

OnTrouble = Callable[[StoreError], None]
"""Told what is wrong with the store when a run begins to wait for it."""

_Parameters = ParamSpec("_Parameters")
_Result = TypeVar("_Result")


class StoreLedger:
    """`exporter.probing.Ledger` over a store, which a run waits for where it is in trouble; observes each request's duration."""

    def __init__(self, store: Store, writer: Writer, clock: Clock, tallies: Tallies, target: str, on_trouble: OnTrouble) -> None:
        self._store = store
        self._writer = writer
        self._clock = clock
        self._tallies = tallies
        self._target = target
        self._on_trouble = on_trouble
        self._is_in_trouble = False

    async def reserve(
        self,
        run_id: int,
        question_key: str,
        sample: int,
        attempt: int,
        tokens: int,
        usd: float | None,
        now: float,
        caps: Sequence[Cap],
    ) -> int:
        """See `Store.reserve`."""
        return await self._write(self._store.reserve, run_id, question_key, sample, attempt, tokens, usd, now, caps)

    async def settle(
        self,
        reservation_id: int,
        *,
        answer: Answer,
        usd: float | None,
        tokens: int,
        estimated: bool,
        identity: str | None,
        grade: Grade | None,
        now: float,
        question_id: str | None = None,
    ) -> bool:
        """See `Store.settle`."""
        self._tallies.request_durations.observe(self._target, answer.latency_seconds)
        return await self._write(
            self._store.settle,
            reservation_id,
            answer=answer,
            usd=usd,
            tokens=tokens,
            estimated=estimated,
            identity=identity,
            grade=grade,
            now=now,
            question_id=question_id,
        )

    async def take_back(self, reservation_id: int) -> bool:
        """See `Store.take_back`."""
        return await self._write(self._store.take_back, reservation_id)

    async def _write(self, function: Callable[_Parameters, _Result], /, *args: _Parameters.args, **kwargs: _Parameters.kwargs) -> _Result:
        give_up_at = self._clock.monotonic() + PATIENCE_SECONDS
        while True:
            try:
                result = await self._writer.call(function, *args, **kwargs)
            except PASSING as error:
                if self._clock.monotonic() >= give_up_at:
                    raise
                if not self._is_in_trouble:
                    self._on_trouble(error)
                self._is_in_trouble = True
                await self._clock.sleep(PAUSE_SECONDS)
            else:
                self._is_in_trouble = False
                return result
