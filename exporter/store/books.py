"""What was spent in a period, open reservations included, and whether a cap leaves room for more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import BigInteger, Connection, Row, bindparam, cast, func, select, text

from exporter.errors import BudgetExceededError
from exporter.records import SpendPeriod
from exporter.store.nouns import Cap, Spent
from exporter.store.tables import ALL_TARGETS, checks, requests, spend_days
from exporter.store.units import day_of, month_of, to_nanos, to_usd

SUMS = ("usd_nanos", "estimated_usd_nanos", "tokens", "requests", "priced_requests")
"""The columns of running totals."""


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

    def add_settled(self, row: Row[Any]) -> None:
        """Add a row of running totals."""
        self.usd_nanos += row.usd_nanos
        self.estimated_usd_nanos += row.estimated_usd_nanos
        self.tokens += row.tokens
        self.requests += row.requests
        self.priced_requests += row.priced_requests

    def add_open(self, row: Row[Any]) -> None:
        """Add a row of open reservations."""
        self.usd_nanos += row.usd_nanos
        self.tokens += row.tokens
        self.requests += row.requests
        self.priced_requests += row.priced_requests
        self.reserved_usd_nanos += row.usd_nanos
        self.reserved_tokens += row.tokens

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


def read_books(connection: Connection, target: str | None, check_id: int | None, now: float) -> Books:
    """The sums of `target` and of all targets; the period `check` is that of `check_id`, alike in both scopes.

    Reads the totals of a month and the reservations that are open at this moment, added up by the database; never the history.
    """
    today = day_of(now)
    month = month_of(today)
    of_check = Sum()
    books = {(scope, period): Sum() for scope in (target, None) for period in (SpendPeriod.DAY, SpendPeriod.MONTH)}
    if check_id is not None:
        for row in connection.execute(_OF_CHECK, {"check_id": check_id}).all():
            of_check.add_settled(row)
    asked = {"target": ALL_TARGETS if target is None else target, "today": today, "first": month.start, "last": month.stop - 1}
    for row in connection.execute(_OF_DAYS, asked).all():
        scope = None if row.target == ALL_TARGETS else target
        books[scope, SpendPeriod.MONTH].add_settled(row)
        if row.is_today:
            books[scope, SpendPeriod.DAY].add_settled(row)
    for row in connection.execute(_OPEN, {"target": target or ALL_TARGETS, "check_id": check_id or 0}).all():
        if row.is_of_check:
            of_check.add_open(row)
        for scope in {None, target} if row.is_of_target else {None}:
            if row.day in month:
                books[scope, SpendPeriod.MONTH].add_open(row)
            if row.day == today:
                books[scope, SpendPeriod.DAY].add_open(row)
    return {(target, SpendPeriod.CHECK): of_check, (None, SpendPeriod.CHECK): of_check, **books}


# Asked before every request: made once, and so that few rows come back.
_OF_CHECK = select(*(checks.c[name] for name in SUMS)).where(checks.c.id == bindparam("check_id"))
_OF_DAYS = (
    select(
        spend_days.c.target,
        (spend_days.c.day == bindparam("today")).label("is_today"),
        *(cast(func.sum(spend_days.c[name]), BigInteger).label(name) for name in SUMS),
    )
    .where(spend_days.c.target.in_((ALL_TARGETS, bindparam("target"))), spend_days.c.day.between(bindparam("first"), bindparam("last")))
    .group_by(spend_days.c.target, text("is_today"))
)
_OPEN = (
    select(
        (requests.c.target == bindparam("target")).label("is_of_target"),
        (requests.c.check_id == bindparam("check_id")).label("is_of_check"),
        requests.c.day,
        cast(func.coalesce(func.sum(requests.c.reserved_usd_nanos), 0), BigInteger).label("usd_nanos"),
        cast(func.sum(requests.c.reserved_tokens), BigInteger).label("tokens"),
        func.count().label("requests"),
        func.count(requests.c.reserved_usd_nanos).label("priced_requests"),
    )
    .where(requests.c.settled_at.is_(None))
    .group_by(text("is_of_target"), text("is_of_check"), requests.c.day)
)


def require_room(books: Books, caps: Sequence[Cap], tokens: int, usd: float | None) -> None:
    """Raise BudgetExceededError for the first cap that `tokens` and `usd` more would break. A price not known breaks no cap in USD."""
    for cap in caps:
        if (cap.scope, cap.period) not in books:
            raise ValueError(f"a cap of {cap.scope} does not hold here")
        spent = books[cap.scope, cap.period]
        if cap.limit_tokens is not None and spent.tokens + tokens > cap.limit_tokens:
            raise BudgetExceededError(
                scope=cap.scope, period=cap.period, unit="tokens", limit=cap.limit_tokens, spent=spent.tokens, wanted=tokens
            )
        if cap.limit_usd is not None and usd is not None and spent.usd_nanos + to_nanos(usd) > to_nanos(cap.limit_usd):
            raise BudgetExceededError(
                scope=cap.scope, period=cap.period, unit="usd", limit=cap.limit_usd, spent=to_usd(spent.usd_nanos), wanted=usd
            )
