"""What a ledger should come to, in plain Python: a list of attempts, added up anew each time."""

from __future__ import annotations

from dataclasses import dataclass, field

from exporter.records import SpendPeriod
from exporter.store import Cap


@dataclass
class Attempt:
    """Money in cents, so that sums are exact here too. `day` 0 and 1 are of one month, 2 is of the next."""

    target: str
    check_id: int
    run_id: int
    day: int
    cents: int | None
    tokens: int
    settled: bool = False
    estimated: bool = False


@dataclass
class LedgerModel:
    attempts: dict[int, Attempt] = field(default_factory=dict)
    failures: int = 0

    def within(self, scope: str | None, period: SpendPeriod, day: int, check_id: int | None) -> list[Attempt]:
        if period is SpendPeriod.CHECK:
            return [attempt for attempt in self.attempts.values() if attempt.check_id == check_id]
        days = {day} if period is SpendPeriod.DAY else {0, 1} if day < 2 else {2}
        return [attempt for attempt in self.attempts.values() if attempt.day in days and scope in (None, attempt.target)]

    def spent(self, scope: str | None, period: SpendPeriod, day: int, check_id: int | None, *, with_open: bool = True) -> tuple[int, int]:
        """Cents and tokens, open reservations included unless they are not wanted."""
        attempts = [attempt for attempt in self.within(scope, period, day, check_id) if with_open or attempt.settled]
        return sum(attempt.cents or 0 for attempt in attempts), sum(attempt.tokens for attempt in attempts)

    def fits(self, cap: Cap, day: int, check_id: int, cents: int | None, tokens: int, *, with_open: bool = True) -> bool:
        spent_cents, spent_tokens = self.spent(cap.scope, cap.period, day, check_id, with_open=with_open)
        too_dear = cap.limit_usd is not None and cents is not None and spent_cents + cents > round(cap.limit_usd * 100)
        too_long = cap.limit_tokens is not None and spent_tokens + tokens > cap.limit_tokens
        return not too_dear and not too_long

    def book_orphans(self, run_id: int | None = None) -> int:
        orphans = [each for each in self.attempts.values() if not each.settled and run_id in (None, each.run_id)]
        for orphan in orphans:
            orphan.settled = orphan.estimated = True
        self.failures += len(orphans)
        return len(orphans)
