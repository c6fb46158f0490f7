"""What was spent in a period, open reservations included, and whether a cap leaves room for more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sqlalchemy import BigInteger, Connection, Integer, bindparam, case, cast, func, literal, select, text, true, union_all

from exporter.errors import BudgetExceededError
from exporter.records import SpendPeriod
from exporter.store.nouns import Cap
from exporter.store.pending import pending_of
from exporter.store.statements import Statement
from exporter.store.sums import Books, Sum
from exporter.store.tables import ALL_TARGETS, SUMS, checks, requests, spend_days
from exporter.store.units import day_of, month_of, to_nanos, to_usd


def read_books(connection: Connection, target: str | None, check_id: int | None, now: float, *, of_all: bool = True) -> Books:
    """The sums of `target` and, where `of_all`, of all targets; the period `check` is that of `check_id`, alike in both scopes.

    Reads the totals of a month and the reservations that are open at this moment, added up by the database; never the history.
    What the transaction has yet to write counts too.
    """
    today = day_of(now)
    month = month_of(today)
    of_check = Sum()
    scopes = {target, None} if of_all else {target}
    of_day, of_month = {scope: Sum() for scope in scopes}, {scope: Sum() for scope in scopes}
    asked = {"target": target or ALL_TARGETS, "check_id": check_id or 0, "today": today, "first": month.start, "last": month.stop - 1}
    for part, of_target, is_of_check, day, *amounts in (_BOOKS if of_all else _BOOKS_OF_TARGET).run(connection, asked):
        by_day = of_day if day == today else of_month
        if part == _CHECK:
            of_check.add(amounts)
        elif part == _DAYS:
            by_day[target if of_target else None].add(amounts)
        else:
            if is_of_check:
                of_check.reserve(amounts)
            for scope in scopes if of_target else {None}:
                if day in month:
                    by_day[scope].reserve(amounts)
    pending, scope_of = pending_of(connection), {ALL_TARGETS if scope is None else scope: scope for scope in scopes}
    of_check.add(pending.sums(checks).get((check_id or 0,), ()))
    for (name, day), booked in pending.sums(spend_days).items():
        if name in scope_of and day in month:
            (of_day if day == today else of_month)[scope_of[name]].add(booked)
    books: dict[tuple[str | None, SpendPeriod], Sum] = {(target, SpendPeriod.CHECK): of_check, (None, SpendPeriod.CHECK): of_check}
    for scope, spent in of_day.items():
        of_month[scope].add_sum(spent)
        books[scope, SpendPeriod.DAY], books[scope, SpendPeriod.MONTH] = spent, of_month[scope]
    return books


RESERVED_SUMS = (
    cast(func.coalesce(func.sum(requests.c.reserved_usd_nanos), 0), BigInteger),
    literal(0),
    cast(func.sum(requests.c.reserved_tokens), BigInteger),
    func.count(),
    func.count(requests.c.reserved_usd_nanos),
)
"""Reservations added up, in the order of SUMS."""

_CHECK, _DAYS, _RESERVED = range(3)

_TODAY = bindparam("today", type_=Integer)


def _ask(*, of_all: bool) -> Statement:
    """All in one statement, and so that few rows come back: it is asked once a run and transaction, before the first request."""
    of_days = spend_days.c.target.in_((ALL_TARGETS, bindparam("target")) if of_all else (bindparam("target"),))
    of_requests = true() if of_all else requests.c.target == bindparam("target")
    return Statement(
        union_all(
            select(
                literal(_CHECK).label("part"),
                literal(True).label("of_target"),
                literal(True).label("of_check"),
                literal(0).label("day"),
                *(checks.c[name] for name in SUMS),
            ).where(checks.c.id == bindparam("check_id")),
            select(
                literal(_DAYS),
                (spend_days.c.target != ALL_TARGETS).label("of_target"),
                literal(False),
                case((spend_days.c.day == _TODAY, _TODAY), else_=0).label("today_or_0"),
                *(cast(func.sum(spend_days.c[name]), BigInteger) for name in SUMS),
            )
            .where(of_days, spend_days.c.day.between(bindparam("first"), bindparam("last")))
            .group_by(text("of_target"), text("today_or_0")),
            select(
                literal(_RESERVED),
                (requests.c.target == bindparam("target")).label("of_target"),
                (requests.c.check_id == bindparam("check_id")).label("of_check"),
                requests.c.day,
                *RESERVED_SUMS,
            )
            .where(requests.c.settled_at.is_(None), of_requests)
            .group_by(text("of_target"), text("of_check"), requests.c.day),
        )
    )


_BOOKS, _BOOKS_OF_TARGET = _ask(of_all=True), _ask(of_all=False)


def require_room(books: Books, caps: Sequence[Cap], tokens: int, usd: float | None) -> None:
    """Raise BudgetExceededError where `tokens` and `usd` more would break a cap. A price not known breaks no cap in USD.

    Of several it is told of the first, but of one that stays broken, whatever becomes of what is reserved, before those that may not.
    """
    refusals = list(_refusals(books, caps, tokens, usd))
    if refusals:
        raise min(refusals, key=lambda refusal: refusal.may_pass)


def _refusals(books: Books, caps: Sequence[Cap], tokens: int, usd: float | None) -> Iterator[BudgetExceededError]:
    for cap in caps:
        if (cap.scope, cap.period) not in books:
            raise ValueError(f"a cap of {cap.scope} does not hold here")
        spent = books[cap.scope, cap.period]
        if cap.limit_tokens is not None and (excess := spent.tokens + tokens - cap.limit_tokens) > 0:
            yield BudgetExceededError(
                scope=cap.scope,
                period=cap.period,
                unit="tokens",
                limit=cap.limit_tokens,
                spent=spent.tokens,
                wanted=tokens,
                may_pass=excess <= spent.reserved_tokens,
            )
        if cap.limit_usd is not None and usd is not None and (excess := spent.usd_nanos + to_nanos(usd) - to_nanos(cap.limit_usd)) > 0:
            yield BudgetExceededError(
                scope=cap.scope,
                period=cap.period,
                unit="usd",
                limit=cap.limit_usd,
                spent=to_usd(spent.usd_nanos),
                wanted=usd,
                may_pass=excess <= spent.reserved_usd_nanos,
            )
