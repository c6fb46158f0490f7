"""Which verdict stood from when to when: the history of a target in as few lines as it can be told in."""

from __future__ import annotations

import math

from sqlalchemy import Connection, func, or_, select

from exporter.records import VerdictKind
from exporter.store.nouns import Standing
from exporter.store.tables import verdicts


def read_standings(connection: Connection, target: str, since: float, until: float, before: int | None, limit: int) -> list[Standing]:
    """The verdicts that stood at some moment between `since` and `until` (either may be infinite), the newest first.

    With `before` only those that began before the check of that id did.
    """
    said = select(
        verdicts.c.check_id,
        verdicts.c.decided_at,
        verdicts.c.standing,
        func.lag(verdicts.c.standing).over(order_by=verdicts.c.check_id).label("former"),
    )
    each = said.where(verdicts.c.target == target).subquery()
    turns = (
        select(
            each.c.check_id,
            each.c.decided_at,
            each.c.standing,
            func.lead(each.c.decided_at).over(order_by=each.c.check_id).label("until_at"),
        )
        .where(or_(each.c.former.is_(None), each.c.former != each.c.standing))
        .subquery()
    )
    wanted = select(turns).order_by(turns.c.check_id.desc()).limit(limit)
    if since > -math.inf:
        wanted = wanted.where(or_(turns.c.until_at.is_(None), turns.c.until_at > since))
    if until < math.inf:
        wanted = wanted.where(turns.c.decided_at <= until)
    if before is not None:
        wanted = wanted.where(turns.c.check_id < before)
    rows = connection.execute(wanted).all()
    return [Standing(VerdictKind(row.standing), row.check_id, row.decided_at, row.until_at) for row in rows]
