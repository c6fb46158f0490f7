"""When a target was last checked, and how it stands now: what a restart has to know before it shows anything."""

from __future__ import annotations

from functools import cache

from sqlalchemy import Connection, bindparam, func, select, union_all

from exporter.records import CheckKind, CheckProgress, CheckState, VerdictKind
from exporter.store.statements import Statement
from exporter.store.tables import checks, runs, verdicts

# Every target is read so whenever it is shown anew: statements made each time would cost more than what they ask.
_UNCLOSED = Statement(
    select(checks.c.state, checks.c.confirm_at)
    .where(checks.c.target == bindparam("target"), checks.c.closed_at.is_(None))
    .order_by(checks.c.id)
)
_SECONDS = select(func.sum(runs.c.ended_at - runs.c.started_at)).where(runs.c.check_id == checks.c.id)
_SUCCEEDED = (
    select(verdicts.c.decided_at)
    .where(verdicts.c.target == bindparam("target"), verdicts.c.kind != VerdictKind.MEASUREMENT_FAILED.value)
    .order_by(verdicts.c.check_id.desc())
    .limit(1)
)
_LAST_CLOSED = Statement(
    select(checks.c.closed_at, _SUCCEEDED.scalar_subquery(), _SECONDS.scalar_subquery())
    .where(checks.c.target == bindparam("target"), checks.c.closed_at.is_not(None))
    .order_by(checks.c.id.desc())
    .limit(1)
)
_LAST_DUE = Statement(
    select(func.max(checks.c.due_at)).where(
        checks.c.target == bindparam("target"), checks.c.kind == CheckKind.SCHEDULED.value, checks.c.due_at <= bindparam("until")
    )
)
_NEWEST = Statement(select(func.max(checks.c.id)).where(checks.c.target == bindparam("target")))
_STANDING = Statement(
    select(verdicts.c.standing).where(verdicts.c.target == bindparam("target")).order_by(verdicts.c.check_id.desc()).limit(1)
)


def read_progress(connection: Connection, target: str) -> CheckProgress:
    """All of a CheckProgress but `next_check_at`, which only the schedule knows.

    The duration of a check is that of its runs: the wait between them is not counted.
    """
    asked = {"target": target}
    unclosed = _UNCLOSED.run(connection, asked)
    closed_at, success_at, seconds = next(iter(_LAST_CLOSED.run(connection, asked)), (None, None, None))
    confirm_at = next((confirm_at for _, confirm_at in unclosed if confirm_at is not None), None)
    return CheckProgress(
        last_check_at=closed_at,
        last_success_at=success_at,
        last_duration_seconds=seconds,
        in_progress=any(state == CheckState.RUNNING for state, _ in unclosed),
        confirmation_pending=confirm_at is not None,
        confirm_at=confirm_at,
    )


def newest_check(connection: Connection, target: str) -> int | None:
    """The id of the newest check of `target`; None before the first."""
    check_id: int | None
    ((check_id,),) = _NEWEST.run(connection, {"target": target})
    return check_id


def last_due_at(connection: Connection, target: str, until: float) -> float | None:
    """The newest due time of `target`, `until` at the latest, that a scheduled check was claimed for; None where there is none."""
    due_at: float | None
    ((due_at,),) = _LAST_DUE.run(connection, {"target": target, "until": until})
    return due_at


def verdict_changed_at(connection: Connection, target: str) -> float | None:
    """When the verdict that stands now was first said without another one since; None before the first check has ended."""
    asked = {"target": target}
    changed_at: float | None = None
    for (standing,) in _STANDING.run(connection, asked):
        ((changed_at,),) = _first_of(standing).run(connection, asked)
    return changed_at


@cache
def _first_of(standing: str) -> Statement:
    """When this verdict was first said after the last other one.

    One step into the index for each other verdict: a year of the same is not walked through.
    """
    others = [
        select(func.max(verdicts.c.check_id).label("id")).where(verdicts.c.target == bindparam("target"), verdicts.c.standing == kind.value)
        for kind in VerdictKind
        if kind != standing
    ]
    last_other = select(func.coalesce(func.max(union_all(*others).subquery().c.id), 0)).scalar_subquery()
    since = select(verdicts.c.decided_at).where(verdicts.c.target == bindparam("target"), verdicts.c.check_id > last_other)
    return Statement(since.order_by(verdicts.c.check_id).limit(1))
