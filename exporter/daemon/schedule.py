"""When a target is due, from its schedule and what is known of its last checks. Pure: no clock, no store."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import takewhile
from zoneinfo import ZoneInfo

from cronsim import CronSim

from exporter.config import Decision, Schedule
from exporter.records import Check, CheckKind, Signal, VerdictKind


@dataclass(frozen=True, slots=True)
class Due:
    """A check to be made: at `due_at`, or at once where that is past."""

    kind: CheckKind
    due_at: float


def spread_offset(schedule: Schedule, target: str) -> float:
    """Seconds by which this target's checks come later than the cron says: fixed by its name, shorter than `spread`."""
    share = int.from_bytes(hashlib.sha256(target.encode()).digest()[:8]) / 2**64
    return float(int(share * schedule.spread)) if schedule.spread >= 1 else share * schedule.spread


def due_times(schedule: Schedule, target: str, after_at: float) -> Iterator[float]:
    """Due times later than `after_at`, in order. A local time that a clock change skips or repeats is due once."""
    offset = spread_offset(schedule, target)
    start = datetime.fromtimestamp(after_at - offset, UTC).astimezone(ZoneInfo(schedule.timezone))
    for moment in CronSim(schedule.cron, start):
        due_at = moment.timestamp() + offset
        if due_at > after_at:
            yield due_at


def next_scheduled(schedule: Schedule, target: str, last_due_at: float | None, now: float) -> float:
    """The next due time. A target never checked is due at once; of several missed due times only the newest is left.

    A clock set far back leaves `last_due_at` in the future: then the schedule starts anew from now.
    """
    if last_due_at is None:
        return now
    first = next(due_times(schedule, target, min(last_due_at, now)))
    if first > now:
        return first
    missed = takewhile(lambda due_at: due_at <= now, due_times(schedule, target, _recent(schedule, target, first, now)))
    return max(missed, default=first)


def _recent(schedule: Schedule, target: str, first: float, now: float) -> float:
    """A moment at or before the newest missed due time, found by halving, so that a year of downtime costs little."""
    low, high = first - 1, now
    while high - low > 3600:
        middle = (low + high) / 2
        if next(due_times(schedule, target, middle)) <= now:
            low = middle
        else:
            high = middle
    return low


def next_check(schedule: Schedule, decision: Decision, target: str, last_due_at: float | None, closed: list[Check], now: float) -> Due:
    """The next check of a target: scheduled, or before that a retry of a failed one or an extra one after a confirmed one.

    Where a scheduled one is due already, it is the one late check, and what else was missed is not made beside it.
    `closed` are the target's newest closed checks with their verdicts, newest first.
    """
    scheduled = Due(CheckKind.SCHEDULED, next_scheduled(schedule, target, last_due_at, now))
    extra = _retry(decision, closed) or _recheck(decision, closed)
    return extra if extra is not None and extra.due_at < scheduled.due_at and scheduled.due_at > now else scheduled


def _retry(decision: Decision, closed: list[Check]) -> Due | None:
    rule = decision.retry_failed_check
    failed_of_late = takewhile(lambda check: check.verdict is not None and check.verdict.kind is VerdictKind.MEASUREMENT_FAILED, closed)
    # One that a person asked for in between and that failed, too, neither counts as a retry nor ends them.
    failed = [check for check in failed_of_late if check.kind is not CheckKind.MANUAL]
    if not failed or failed[0].closed_at is None:
        return None
    retries = sum(1 for _ in takewhile(lambda check: check.kind is CheckKind.RETRY, failed))
    return Due(CheckKind.RETRY, failed[0].closed_at + rule.after) if retries < rule.times else None


def _recheck(decision: Decision, closed: list[Check]) -> Due | None:
    if not closed or closed[0].verdict is None or closed[0].closed_at is None or decision.recheck_after <= 0:
        return None
    accuracy = closed[0].verdict.signal(Signal.ACCURACY)
    if accuracy.conclusive or not 0 < accuracy.confirmed_checks < decision.page_checks:
        return None
    return Due(CheckKind.RECHECK, closed[0].closed_at + decision.recheck_after)
