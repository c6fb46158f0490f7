"""What was spent in one scope and period, as the books add it up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from exporter.records import SpendPeriod
from exporter.store.nouns import Spent
from exporter.store.units import to_usd


@dataclass(slots=True)
class Sum:
    """Money and tokens of one scope and period, in whole nano-dollars."""

    usd_nanos: int = 0
    estimated_usd_nanos: int = 0
    tokens: int = 0
    requests: int = 0
    priced_requests: int = 0
    reserved_usd_nanos: int = 0
    reserved_tokens: int = 0

    def add(self, amounts: Sequence[int]) -> None:
        """Add amounts in the order of SUMS, if any."""
        if amounts:
            usd_nanos, estimated_usd_nanos, tokens, requests, priced_requests = amounts
            self.usd_nanos += usd_nanos
            self.estimated_usd_nanos += estimated_usd_nanos
            self.tokens += tokens
            self.requests += requests
            self.priced_requests += priced_requests

    def reserve(self, amounts: Sequence[int]) -> None:
        """Add amounts of open reservations, in the order of SUMS."""
        self.add(amounts)
        self.reserved_usd_nanos += amounts[0]
        self.reserved_tokens += amounts[2]

    def add_sum(self, other: Sum) -> None:
        """Add another sum."""
        self.add((other.usd_nanos, other.estimated_usd_nanos, other.tokens, other.requests, other.priced_requests))
        self.reserved_usd_nanos += other.reserved_usd_nanos
        self.reserved_tokens += other.reserved_tokens

    def as_spent(self, period: SpendPeriod) -> Spent:
        """The same for readers outside."""
        return Spent(
            period=period,
            usd=None if self.requests and not self.priced_requests else to_usd(self.usd_nanos),
            estimated_usd=to_usd(self.estimated_usd_nanos),
            tokens=self.tokens,
            reserved_usd=to_usd(self.reserved_usd_nanos),
            reserved_tokens=self.reserved_tokens,
            requests=self.requests,
        )


Books = Mapping[tuple[str | None, SpendPeriod], Sum]
"""Sums by scope (a target, or None for all) and period."""
