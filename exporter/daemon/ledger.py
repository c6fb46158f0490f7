"""The store as a run sees it: each call handed to the one thread that writes."""

from __future__ import annotations

from collections.abc import Sequence

from exporter.metrics import Tallies
from exporter.records import Answer, Grade
from exporter.store import Cap, Store, Writer


class StoreLedger:
    """`exporter.probing.Ledger` over a store; observes each request's duration on the way."""

    def __init__(self, store: Store, writer: Writer, tallies: Tallies, target: str) -> None:
        self._store = store
        self._writer = writer
        self._tallies = tallies
        self._target = target

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
        return await self._writer.call(self._store.reserve, run_id, question_key, sample, attempt, tokens, usd, now, caps)

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
        return await self._writer.call(
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
