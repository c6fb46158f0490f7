"""The books of a transaction in which nobody else reserves: read once for a run, then carried on with what is booked there.

On SQLite one transaction writes at a time. On PostgreSQL the locks of the caps, which are taken with the run, last as long as it.
"""

from __future__ import annotations

from exporter.records import SpendPeriod
from exporter.store.sums import Books, Sum
from exporter.store.units import month_of

_CHECK, _DAY, _MONTH = SpendPeriod.CHECK, SpendPeriod.DAY, SpendPeriod.MONTH


class Carried:
    """Books by run, for requests of one day. `of_all`: those of all targets are among them."""

    def __init__(self, today: int, *, of_all: bool) -> None:
        self.today = today
        self.of_all = of_all
        self._month = month_of(today)
        self._of_runs: dict[int, Books] = {}
        self._of_checks: dict[int, Sum] = {}
        self._of_times: dict[tuple[str | None, SpendPeriod], Sum] = {}

    def find(self, run_id: int) -> Books | None:
        """The books that a request of this run has to fit into; None where they have not been read."""
        return self._of_runs.get(run_id)

    def take(self, run_id: int, target: str, check_id: int, books: Books) -> Books:
        """Books that were read just now, to be carried on. What they share with others is carried on already."""
        of_check = self._of_checks.setdefault(check_id, books[target, _CHECK])
        of_times = {key: self._of_times.setdefault(key, spent) for key, spent in books.items() if key[1] is not _CHECK}
        self._of_runs[run_id] = {(target, _CHECK): of_check, (None, _CHECK): of_check, **of_times}
        return self._of_runs[run_id]

    def book(self, target: str, check_id: int, day: int, tokens: int, nanos: int) -> None:
        """So much was spent by a request of that day."""
        for spent in self._sums_of(target, check_id, day):
            spent.tokens += tokens
            spent.usd_nanos += nanos

    def reserve(self, target: str, check_id: int, day: int, tokens: int, nanos: int) -> None:
        """So much more, or less, is reserved for a request of that day."""
        for spent in self._sums_of(target, check_id, day):
            spent.tokens += tokens
            spent.usd_nanos += nanos
            spent.reserved_tokens += tokens
            spent.reserved_usd_nanos += nanos

    def _sums_of(self, target: str, check_id: int, day: int) -> list[Sum]:
        raised = [self._of_checks.get(check_id)]
        if day in self._month:
            periods = (_DAY, _MONTH) if day == self.today else (_MONTH,)
            raised += [self._of_times.get((scope, period)) for scope in (target, None) for period in periods]
        return [spent for spent in raised if spent is not None]
