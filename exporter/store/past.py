"""The history told forwards: closed checks from the oldest on, each with what it added to counters and spend.

The counters themselves only know how they stand now; what they stood at then is what the checks until then added.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Row, func, select

from exporter.records import Check, Counters, Reason
from exporter.store.nouns import PastCheck
from exporter.store.reading import IDS_A_QUERY, Reader
from exporter.store.rows import read_reason
from exporter.store.tables import checks, grades, request_sums, requests, runs
from exporter.store.units import to_usd


def read_past(connection: Connection, where: str, target: str, after: int, limit: int) -> list[PastCheck]:
    """Closed checks of `target` with ids above `after`, the oldest `limit` of them, at most 500, oldest first."""
    closed = Reader(connection, where).oldest_closed(target, after, min(limit, IDS_A_QUERY))
    ids = [check.id for check in closed]
    booked = {row.id: row for row in connection.execute(select(checks).where(checks.c.id.in_(ids))).all()}
    tokens: defaultdict[int, tuple[int, int]] = defaultdict(lambda: (0, 0))
    for query in (_GRADED_TOKENS, _PRUNED_TOKENS):
        for row in connection.execute(query.where(runs.c.check_id.in_(ids))).all():
            known = tokens[row.check_id]
            tokens[row.check_id] = (known[0] + int(row.input_tokens), known[1] + int(row.output_tokens))
    failures = _failures(connection, ids)
    return [
        PastCheck(check, _added(check, booked[check.id], tokens[check.id], failures[check.id]), booked[check.id].tokens) for check in closed
    ]


_GRADED_TOKENS = (
    select(
        runs.c.check_id,
        func.coalesce(func.sum(grades.c.input_tokens), 0).label("input_tokens"),
        func.coalesce(func.sum(grades.c.output_tokens), 0).label("output_tokens"),
    )
    .join_from(runs, grades, grades.c.run_id == runs.c.id)
    .group_by(runs.c.check_id)
)

_PRUNED_TOKENS = (
    select(
        runs.c.check_id,
        func.sum(runs.c.pruned_input_tokens).label("input_tokens"),
        func.sum(runs.c.pruned_output_tokens).label("output_tokens"),
    )
    .where(runs.c.grades_pruned_at.is_not(None))
    .group_by(runs.c.check_id)
)


def _failures(connection: Connection, ids: Sequence[int]) -> defaultdict[int, dict[Reason, int]]:
    failed = (
        select(requests.c.check_id, requests.c.reason, func.count().label("number"))
        .where(requests.c.check_id.in_(ids), requests.c.reason.is_not(None))
        .group_by(requests.c.check_id, requests.c.reason)
    )
    condensed = (
        select(request_sums.c.check_id, request_sums.c.reason, func.sum(request_sums.c.requests).label("number"))
        .where(request_sums.c.check_id.in_(ids), request_sums.c.reason != "")
        .group_by(request_sums.c.check_id, request_sums.c.reason)
    )
    counted: defaultdict[int, dict[Reason, int]] = defaultdict(dict)
    for row in (*connection.execute(failed).all(), *connection.execute(condensed).all()):
        reason = read_reason(row.reason)
        if reason is not None:
            counted[row.check_id][reason] = counted[row.check_id].get(reason, 0) + int(row.number)
    return counted


def _added(check: Check, booked: Row[Any], tokens: tuple[int, int], failures: dict[Reason, int]) -> Counters:
    verdict = check.verdict
    return Counters(
        measurement_errors={} if verdict is None else dict(verdict.measurement_errors),
        checks={} if verdict is None else {verdict.kind: 1},
        requests=booked.requests,
        request_failures=failures,
        input_tokens=tokens[0],
        output_tokens=tokens[1],
        spend_usd=to_usd(booked.usd_nanos),
        spend_estimated_usd=to_usd(booked.estimated_usd_nanos),
    )
