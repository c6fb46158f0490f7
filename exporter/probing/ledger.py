"""What a run needs of the store: to reserve before a request is sent, and to settle after it came back, or was not sent at all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from exporter.records import Answer, Grade
from exporter.store import Cap


class Ledger(Protocol):
    """The books of all targets. Each call is one transaction: kept whole, or not at all.

    A call that is cancelled may or may not have been kept; it is never repeated, so nothing is booked twice. Any call may
    raise a StoreError, which ends the run and leaves it open.
    """

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
        """Set `tokens` and `usd` aside for one request and return the reservation's id.

        Raises BudgetExceededError, with nothing set aside, where that would pass one of `caps`; `may_pass` where that is for what is
        set aside for others.
        """
        ...

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
        """Turn a reservation into spend and keep the grade (None: the same try is sent again). False: it was booked before."""
        ...

    async def take_back(self, reservation_id: int) -> bool:
        """Undo the reservation of a request that was not sent: it counts nowhere. False: it was booked before."""
        ...
