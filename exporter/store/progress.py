"""When a target was last checked, and how it stands now: what a restart has to know before it shows anything."""

from __future__ import annotations

from sqlalchemy import Connection, func, select, union_all

from exporter.records import CheckKind, CheckProgress, CheckState, VerdictKind
from exporter.store.tables import checks, runs, verdicts


def read_progress(connection: Connection, target: str) -> CheckProgress:
    """All of a CheckProgress but `next_check_at`, which only the schedule knows.

    The duration of a check is that of its runs: the wait between them is not counted.
    """
    of_target = select(checks).where(checks.c.target == target)
    unclosed = connection.execute(of_target.where(checks.c.closed_at.is_(None)).order_by(checks.c.id)).all()
    last = connection.execute(of_target.where(checks.c.closed_at.is_not(None)).order_by(checks.c.id.desc()).limit(1)).one_or_none()
    seconds = None
    if last is not None:
        seconds = connection.execute(select(func.sum(runs.c.ended_at - runs.c.started_at)).where(runs.c.check_id == last.id)).scalar_one()
    succeeded = (
        select(verdicts.c.decided_at)
        .where(verdicts.c.target == target, verdicts.c.kind != VerdictKind.MEASUREMENT_FAILED)
        .order_by(verdicts.c.check_id.desc())
        .limit(1)
    )
    return CheckProgress(
        last_check_at=None if last is None else last.closed_at,
        last_success_at=connection.execute(succeeded).scalar(),
        last_duration_seconds=seconds,
        in_progress=any(check.state == CheckState.RUNNING for check in unclosed),
        confirmation_pending=any(check.confirm_at is not None for check in unclosed),
        confirm_at=next((check.confirm_at for check in unclosed if check.confirm_at is not None), None),
    )


def last_due_at(connection: Connection, target: str, until: float) -> float | None:
    """The newest due time of `target`, `until` at the latest, that a scheduled check was claimed for; None where there is none."""
    is_past = checks.c.due_at <= until
    newest = select(func.max(checks.c.due_at)).where(checks.c.target == target, checks.c.kind == CheckKind.SCHEDULED, is_past)
    due_at: float | None = connection.execute(newest).scalar_one()
    return due_at


def verdict_changed_at(connection: Connection, target: str) -> float | None:
    """When the verdict that stands now was first said without another one since; None before the first check has ended."""
    of_target = verdicts.c.target == target
    standing = connection.execute(select(verdicts.c.standing).where(of_target).order_by(verdicts.c.check_id.desc()).limit(1)).scalar()
    if standing is None:
        return None
    # One step into the index for each other verdict: a year of the same is not walked through.
    others = [
        select(func.max(verdicts.c.check_id).label("id")).where(of_target, verdicts.c.standing == kind)
        for kind in VerdictKind
        if kind != standing
    ]
    last_other = connection.execute(select(func.max(union_all(*others).subquery().c.id))).scalar() or 0
    first_since = select(verdicts.c.decided_at).where(of_target, verdicts.c.check_id > last_other).order_by(verdicts.c.check_id).limit(1)
    changed_at: float = connection.execute(first_since).scalar_one()
    return changed_at
