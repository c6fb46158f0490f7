"""The books recounted: every running total against the facts that it sums up. Scans the whole store."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from typing import Any

from sqlalchemy import BigInteger, Connection, Select, case, cast, exists, func, literal, or_, select, union_all

from exporter.errors import Problem, StoreError
from exporter.records import CheckState, RunState
from exporter.store.events import read_events
from exporter.store.integrity import damages
from exporter.store.locks import take_time
from exporter.store.rows import VERDICT_COLUMNS, read_verdict
from exporter.store.tables import ALL_TARGETS, SUMS, checks, counters, events, grades, request_sums, requests, runs, spend_days, verdicts
from exporter.store.tallies import Family
from exporter.store.units import day_text

_VERDICTS_AT_ONCE = 500
_NANOS = func.coalesce(requests.c.usd_nanos, 0)
_SETTLED = union_all(
    select(
        *requests.c["target", "check_id", "day"],
        func.coalesce(requests.c.reason, "").label("reason"),
        _NANOS.label("usd_nanos"),
        case((requests.c.estimated, _NANOS), else_=0).label("estimated_usd_nanos"),
        requests.c.tokens,
        literal(1).label("requests"),
        case((requests.c.usd_nanos.is_not(None), 1), else_=0).label("priced_requests"),
    ).where(requests.c.settled_at.is_not(None)),
    select(*request_sums.c["target", "check_id", "day", "reason"], *request_sums.c[SUMS]),
).subquery()
"""Every request that was settled, by itself or condensed with others."""

_RECOUNT = tuple(cast(func.sum(_SETTLED.c[name]), BigInteger) for name in SUMS)


def audit(connection: Connection, where: str) -> Iterator[Problem]:
    """Everything that does not add up; nothing where all is well. A file that is damaged is not recounted."""
    take_time(connection)
    driver = connection.connection.driver_connection
    found = list(damages(driver)) if isinstance(driver, sqlite3.Connection) else []
    for what in found:
        yield Problem(where, what, "restore it from a backup, or rescue what can be read, as docs/storage.md shows")
    if not found:
        yield from recount(connection, where)


def recount(connection: Connection, where: str) -> Iterator[Problem]:
    """What is in a file that is whole, and is not what was written, or does not add up."""
    checked = (_wrong_days, _wrong_checks, _wrong_counters, _loose_ends, _unreadable)
    for what in (what for check in checked for what in check(connection)):
        yield Problem(where, what, "restore it from a backup, or report this as a bug")


def _wrong_days(connection: Connection) -> Iterator[str]:
    each = select(_SETTLED.c.target, _SETTLED.c.day, *_RECOUNT).group_by(_SETTLED.c.target, _SETTLED.c.day)
    everyone = select(literal(ALL_TARGETS), _SETTLED.c.day, *_RECOUNT).group_by(_SETTLED.c.day)
    kept = select(spend_days.c.target, spend_days.c.day, *(spend_days.c[name] for name in SUMS))
    yield from _differences(
        connection, union_all(each, everyone), kept, 2, lambda key: f"spend of {key[0] or 'all targets'} on {day_text(key[1])}"
    )


def _wrong_checks(connection: Connection) -> Iterator[str]:
    counted = select(_SETTLED.c.check_id, *_RECOUNT).group_by(_SETTLED.c.check_id)
    kept = select(checks.c.id, *(checks.c[name] for name in SUMS)).where(or_(*(checks.c[name] != 0 for name in SUMS)))
    yield from _differences(connection, counted, kept, 1, lambda key: f"spend of check {key[0]}")


def _wrong_counters(connection: Connection) -> Iterator[str]:
    recounted = dict(zip(SUMS, _RECOUNT, strict=True))
    settled = [
        select(
            _SETTLED.c.target, literal(family.value).label("family"), literal("").label("label"), recounted[name].label("value")
        ).group_by(_SETTLED.c.target)
        for family, name in (
            (Family.REQUESTS, "requests"),
            (Family.SPEND_USD_NANOS, "usd_nanos"),
            (Family.SPEND_ESTIMATED_USD_NANOS, "estimated_usd_nanos"),
        )
    ]
    failed = (
        select(_SETTLED.c.target, literal(Family.REQUEST_FAILURES.value), _SETTLED.c.reason, recounted["requests"])
        .where(_SETTLED.c.reason != "")
        .group_by(_SETTLED.c.target, _SETTLED.c.reason)
    )
    said = select(verdicts.c.target, literal(Family.CHECKS.value), verdicts.c.kind, func.count()).group_by(
        verdicts.c.target, verdicts.c.kind
    )
    counted = union_all(*settled, failed, said).subquery()
    families = (Family.REQUESTS, Family.SPEND_USD_NANOS, Family.SPEND_ESTIMATED_USD_NANOS, Family.REQUEST_FAILURES, Family.CHECKS)
    kept = select(counters).where(counters.c.family.in_([family.value for family in families]))
    yield from _differences(
        connection, select(counted).where(counted.c.value > 0), kept, 3, lambda key: f"counter {key[1]}{{{key[2]}}} of {key[0]}"
    )


def _loose_ends(connection: Connection) -> Iterator[str]:
    closed = checks.c.state == CheckState.CLOSED
    is_open = runs.c.state == RunState.OPEN
    unsettled = select(requests.c.id).join(runs, runs.c.id == requests.c.run_id).where(requests.c.settled_at.is_(None), ~is_open)
    open_runs = select(runs.c.id).join(checks, checks.c.id == runs.c.check_id).where(closed, is_open)
    checks_and_verdicts = select(checks.c.id).outerjoin(verdicts, verdicts.c.check_id == checks.c.id)
    without = checks_and_verdicts.where(closed, verdicts.c.check_id.is_(None))
    early = checks_and_verdicts.where(~closed, verdicts.c.check_id.is_not(None))
    pruned = select(runs.c.id).where(runs.c.grades_pruned_at.is_not(None), exists().where(grades.c.run_id == runs.c.id))
    yield from (f"reservation {request} of an ended run is open" for request in connection.execute(unsettled).scalars())
    yield from (f"run {run} of a closed check is open" for run in connection.execute(open_runs).scalars())
    yield from (f"check {check} is closed and has no verdict" for check in connection.execute(without).scalars())
    yield from (f"check {check} has a verdict and is not closed" for check in connection.execute(early).scalars())
    yield from (f"run {run} was pruned and has grades" for run in connection.execute(pruned).scalars())


def _unreadable(connection: Connection) -> Iterator[str]:
    """Verdicts and events that hold something else than was written. Of verdicts a few at a time: they are long."""
    after = 0
    query = select(*VERDICT_COLUMNS).order_by(verdicts.c.check_id).limit(_VERDICTS_AT_ONCE)
    while rows := connection.execute(query.where(verdicts.c.check_id > after)).all():
        for row in rows:
            try:
                read_verdict(row, "")
            except StoreError as error:
                yield from (problem.what for problem in error.problems)
        after = rows[-1].check_id
    for target in connection.execute(select(events.c.target).distinct().order_by(events.c.target)).scalars().all():
        try:
            read_events(connection, target)
        except StoreError as error:
            yield from (f"{problem.where} of {target} {problem.what}" for problem in error.problems)


def _differences(
    connection: Connection, counted: Any, kept: Select[Any], key_size: int, name: Callable[[tuple[Any, ...]], str]
) -> Iterator[str]:
    facts = {tuple(row[:key_size]): tuple(row[key_size:]) for row in connection.execute(counted).all()}
    totals = {tuple(row[:key_size]): tuple(row[key_size:]) for row in connection.execute(kept).all()}
    for key in sorted(facts.keys() | totals.keys()):
        if facts.get(key) != totals.get(key):
            yield f"{name(key)}: {totals.get(key)} is written down, {facts.get(key)} is what its requests add up to"
