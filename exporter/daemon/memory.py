"""What the store remembers of a target, as the judge and the schedule want it."""

from __future__ import annotations

from collections.abc import Sequence

from exporter.daemon.live import LiveTarget
from exporter.daemon.schedule import Due, next_check
from exporter.records import BaselineEvent, EventKind
from exporter.store import GradesOf, Store
from exporter.verdicts import History, Subject, standing_memberships

RECENT_CHECKS = 64
"""Closed checks read beside a frozen baseline: the longest trend window, failed and extra checks in between."""

CLOSED_CHECKS = 12
"""Newest closed checks that decide whether a retry or an extra check is due."""


def read_next_check(store: Store, live: LiveTarget, now: float) -> Due:
    """What is due next, and when."""
    target = live.target
    closed = [check for check in store.checks(target.name, CLOSED_CHECKS) if check.closed_at is not None]
    return next_check(target.schedule, target.decision, target.name, store.last_due_at(target.name, now), closed, now)


def read_history(store: Store, subject: Subject) -> History:
    """All that judging needs: everything until the baseline is frozen, afterwards its runs and the newest checks.

    Those reach back far enough for a question that came later to collect its marks, however often is checked.
    """
    events = tuple(store.events(subject.target))
    memberships = standing_memberships(subject.protocol, events)
    whole = any(event.suite is None and not event.question_keys for event in memberships)
    longest = max(subject.decision.trend_windows, default=0)
    limit = max(RECENT_CHECKS, 2 * longest) if whole else None
    since = None if whole else _reset_at(events)
    checks = tuple(store.history(subject.target, since=since, limit=limit, grades=GradesOf.FIRST_RUNS))
    if len(checks) == limit and checks[0].claimed_at > (needed_at := checks[-1].claimed_at - _collecting_seconds(subject)):
        checks = tuple(store.history(subject.target, since=needed_at, grades=GradesOf.FIRST_RUNS))
    wanted = {run_id for event in memberships for run_id in event.run_ids}
    known = {run.id for check in checks for run in check.runs}
    runs = tuple(store.runs(subject.target, sorted(wanted - known)))
    return History(checks, events, runs, store.last_verdict(subject.target))


def _collecting_seconds(subject: Subject) -> float:
    """How long a question takes to collect its marks, twice: a run may lack one."""
    return 2 * subject.decision.baseline_runs * subject.decision.baseline_min_gap


def _reset_at(events: Sequence[BaselineEvent]) -> float | None:
    return max((event.happened_at for event in events if event.kind is EventKind.RESET), default=None)
