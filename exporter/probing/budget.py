"""A run's way into the books: what is set aside for a request before it is sent, and what it is booked at afterwards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from exporter.clock import Clock
from exporter.config import Budget, Price, Target, TotalBudget
from exporter.prices import cost_usd
from exporter.probing.estimate import RequestCost
from exporter.probing.ledger import Ledger
from exporter.probing.plan import Ask, Plan
from exporter.records import Answer, Charge, Grade, SpendPeriod
from exporter.store import Cap


@dataclass(frozen=True, slots=True)
class Booking:
    """What one request is booked at. `usd` is None where no price is known; `estimated` where the provider did not say."""

    tokens: int
    usd: float | None
    estimated: bool


def caps_of(target: Target, total: TotalBudget) -> tuple[Cap, ...]:
    """The caps that hold for a target's requests: its own, and those over all targets together."""
    return (*_list_caps(target.name, target.budget), *_list_caps(None, total))


def book(answer: Answer, cost: RequestCost, price: Price | None) -> Booking:
    """What a request that came back as `answer` is booked at.

    Usage that the provider reports counts as it stands, and nothing where nothing was charged. In every other case, a usage
    of no tokens at all included, what the request should have cost is booked, as an estimate, and never 0.
    """
    usage = answer.usage
    if usage is not None and usage.input_tokens + usage.output_tokens > 0:
        return Booking(usage.input_tokens + usage.output_tokens, None if price is None else cost_usd(usage, price), estimated=False)
    if answer.charge is Charge.NOTHING:
        return Booking(0, None if price is None else 0.0, estimated=False)
    return Booking(cost.tokens, cost.usd, estimated=True)


class Books:
    """One run's entries in the ledger. Every request is reserved at the most it can cost, so that no answer passes a cap."""

    def __init__(self, ledger: Ledger, clock: Clock, plan: Plan, run_id: int, caps: Sequence[Cap]) -> None:
        self._ledger = ledger
        self._clock = clock
        self._plan = plan
        self._run_id = run_id
        self._caps = tuple(caps)

    async def reserve(self, ask: Ask, attempt: int) -> int:
        """Reserve one request for a try. Raises BudgetExceededError where a cap leaves no room for it."""
        cost = self._plan.costs[ask.question.key]
        return await self._ledger.reserve(
            self._run_id, ask.question.key, ask.sample, attempt, cost.worst_tokens, cost.worst_usd, self._clock.now(), self._caps
        )

    async def take_back(self, reservation_id: int) -> None:
        """Undo the reservation of a request that was not sent."""
        await self._ledger.take_back(reservation_id)

    async def settle(self, reservation_id: int, ask: Ask, answer: Answer, identity: str | None, grade: Grade | None) -> None:
        """Book what the request cost, and hand over the grade where the try is over."""
        booking = book(answer, self._plan.costs[ask.question.key], self._plan.price)
        await self._ledger.settle(
            reservation_id,
            answer=answer,
            usd=booking.usd,
            tokens=booking.tokens,
            estimated=booking.estimated,
            identity=identity,
            grade=grade,
            now=self._clock.now(),
            question_id=ask.question.id,
        )


def _list_caps(scope: str | None, budget: Budget | TotalBudget) -> list[Cap]:
    caps = [
        Cap(scope, SpendPeriod.CHECK, budget.usd_per_check, budget.tokens_per_check),
        Cap(scope, SpendPeriod.DAY, budget.usd_per_day, budget.tokens_per_day),
        Cap(scope, SpendPeriod.MONTH, budget.usd_per_month, budget.tokens_per_month),
    ]
    return [cap for cap in caps if cap.limit_usd is not None or cap.limit_tokens is not None]
