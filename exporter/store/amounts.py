"""What was spent, for people who look back: by check, by day, and since the store began."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection, func, select

from exporter.records import SpendPeriod
from exporter.store.books import RESERVED_SUMS
from exporter.store.nouns import Booked, BookedDay, Spent
from exporter.store.reading import IDS_A_QUERY
from exporter.store.sums import Sum
from exporter.store.tables import ALL_TARGETS, SUMS, checks, requests, spend_days
from exporter.store.units import to_usd


def spent_on_checks(connection: Connection, check_ids: Sequence[int]) -> dict[int, Spent]:
    """What each of at most 500 checks cost, open reservations included. Ids that are not known are left out."""
    ids = list(check_ids[:IDS_A_QUERY])
    sums: dict[int, Sum] = {}
    for check_id, *amounts in connection.execute(select(*checks.c["id", *SUMS]).where(checks.c.id.in_(ids))).all():
        sums[check_id] = Sum()
        sums[check_id].add(amounts)
    for check_id, *amounts in connection.execute(_RESERVED.where(requests.c.check_id.in_(ids))).all():
        sums[check_id].reserve(amounts)
    return {check_id: booked.as_spent(SpendPeriod.CHECK) for check_id, booked in sums.items()}


_RESERVED = select(requests.c.check_id, *RESERVED_SUMS).where(requests.c.settled_at.is_(None)).group_by(requests.c.check_id)


def booked_days(connection: Connection, target: str | None, first_day: int) -> list[BookedDay]:
    """What was booked on each day from `first_day` on, the newest day first; None is all targets. Days without requests are left out."""
    of_target = spend_days.c.target == (ALL_TARGETS if target is None else target)
    rows = connection.execute(select(spend_days).where(of_target, spend_days.c.day >= first_day).order_by(spend_days.c.day.desc())).all()
    return [
        BookedDay(row.day, _booked(row.usd_nanos, row.estimated_usd_nanos, row.tokens, row.requests, row.priced_requests)) for row in rows
    ]


def booked_in_all(connection: Connection, target: str | None) -> Booked:
    """What was booked since the store began."""
    sums = select(*(func.coalesce(func.sum(spend_days.c[name]), 0) for name in SUMS))
    row = connection.execute(sums.where(spend_days.c.target == (ALL_TARGETS if target is None else target))).one()
    return _booked(*map(int, row))


def _booked(usd_nanos: int, estimated_usd_nanos: int, tokens: int, requests: int, priced_requests: int) -> Booked:
    usd = None if requests and not priced_requests else to_usd(usd_nanos)
    return Booked(usd, to_usd(estimated_usd_nanos), tokens, requests)
