"""What grew too old: grades and errors removed, requests condensed to the sums that readers and the audit still need.

Which runs are still needed is for others to say. A run that an event names, and one of a check that is open, is kept whatever they say.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from sqlalchemy import Connection, delete, exists, func, select, update

from exporter.store.events import named_runs
from exporter.store.locks import lock
from exporter.store.pending import pending_of
from exporter.store.tables import SUMS, checks, errors, grades, request_sums, requests, runs
from exporter.store.units import sums_of
from exporter.store.upserts import add_up


def find_old_runs(connection: Connection, target: str, before: float) -> list[int]:
    """Runs of checks closed before then that still have grades, oldest first; none that an event names."""
    named = named_runs(connection, target)
    closed = checks.c.target == target, checks.c.closed_at < before
    graded = runs.c.grades_pruned_at.is_(None), exists().where(grades.c.run_id == runs.c.id)
    ids = connection.execute(
        select(runs.c.id).join_from(checks, runs, runs.c.check_id == checks.c.id).where(*closed, *graded).order_by(runs.c.id)
    ).scalars()
    return [run_id for run_id in ids if run_id not in named]


def prune_grades(connection: Connection, target: str, run_ids: Sequence[int], now: float) -> int:
    """Remove the grades of these runs, but of none that an event names or whose check is open; how many grades there were.

    What a run leaves behind are its tokens, and since when its grades are gone.
    """
    pending_of(connection).write(connection)  # none of their grades is yet to be written
    lock(connection, "events")  # nobody pins a run between the look and the removal
    named = named_runs(connection, target)
    wanted = [run_id for run_id in run_ids if run_id not in named]
    closed = select(runs.c.id).join_from(checks, runs, runs.c.check_id == checks.c.id).where(checks.c.closed_at.is_not(None))
    free = (
        connection.execute(closed.where(runs.c.id.in_(wanted), runs.c.target == target, runs.c.grades_pruned_at.is_(None))).scalars().all()
    )
    used = (
        select(grades.c.run_id, func.sum(grades.c.input_tokens).label("input"), func.sum(grades.c.output_tokens).label("output"))
        .where(grades.c.run_id.in_(free))
        .group_by(grades.c.run_id)
    )
    for row in connection.execute(used).all():
        left = {"grades_pruned_at": now, "pruned_input_tokens": int(row.input or 0), "pruned_output_tokens": int(row.output or 0)}
        connection.execute(update(runs).where(runs.c.id == row.run_id).values(**left))
    return connection.execute(delete(grades).where(grades.c.run_id.in_(free))).rowcount


def find_old_requests(connection: Connection, before: float, after: int, limit: int) -> list[int]:
    """Settled requests of checks closed before then, with ids above `after`, the oldest `limit` of them in the order of their ids."""
    old = _FREE_REQUESTS.with_only_columns(requests.c.id).where(checks.c.closed_at < before, requests.c.id > after)
    return list(connection.execute(old.order_by(requests.c.id).limit(limit)).scalars())


def condense_requests(connection: Connection, request_ids: Sequence[int]) -> int:
    """Replace these requests by their sums, but none that is open or whose check is; how many were replaced."""
    free = _FREE_REQUESTS.where(requests.c.id.in_(request_ids)).order_by(requests.c.id)
    rows = connection.execute(free.with_for_update(of=requests)).all()  # or two replicas would add them up twice
    sums: defaultdict[tuple[int, int, str, str], list[int]] = defaultdict(lambda: [0] * len(SUMS))
    for row in rows:
        amounts = sums_of(row.tokens, row.usd_nanos, estimated=row.estimated)
        total = sums[row.check_id, row.day, row.reason or "", row.target]
        total[:] = map(sum, zip(total, amounts, strict=True))
    if rows:
        add_up(connection, request_sums, ("check_id", "day", "reason", "target"), SUMS, [(*of, *total) for of, total in sums.items()])
        connection.execute(delete(requests).where(requests.c.id.in_([row.id for row in rows])))
    return len(rows)


_FREE_REQUESTS = (
    select(requests)
    .join_from(requests, checks, checks.c.id == requests.c.check_id)
    .where(requests.c.settled_at.is_not(None), checks.c.closed_at.is_not(None))
)


def prune_errors(connection: Connection, before: float) -> int:
    """Remove the errors from before then; how many there were."""
    return connection.execute(delete(errors).where(errors.c.happened_at < before)).rowcount
