"""What the store remembers of a target, as the judge and the schedule want it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from exporter.daemon.live import LiveTarget
from exporter.daemon.schedule import Due, next_check
from exporter.records import BaselineEvent, Check, EventKind, RunState, Signal, VerdictKind
from exporter.store import GradesOf, Store
from exporter.verdicts import History, Subject, accepted_protocols, reaches_far_enough, restart_of, standing_memberships

RECENT_CHECKS = 64
"""Closed checks read beside a frozen baseline: the longest trend window, failed and extra checks in between."""

SPARE_CHECKS = 4
"""Read beyond the longest trend window before it is found whether that was enough: some checks fail."""

CLOSED_CHECKS = 12
"""Newest closed checks that decide whether a retry or an extra check is due."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """What there is to do at a target: its oldest `unfinished` check, else what is `due` next. `is_new`: no check of it has ended."""

    unfinished: Check | None
    due: Due
    is_new: bool


def look_out(store: Store, live: LiveTarget, now: float) -> Outlook:
    """Read what there is to do, at one moment. Raises StoreError."""
    with store.reading():
        last = next(iter(store.last_closed(live.name, 1, brief=True)), None)
        unfinished = next(iter(store.open_checks(live.name)), None)
        return Outlook(unfinished, find_next_check(store, live, last, now), is_new=last is None)


def find_next_check(store: Store, live: LiveTarget, last: Check | None, now: float) -> Due:
    """What is due next, and when. `last` is the target's newest closed check; its verdict may be in brief."""
    target, closed = live.target, [last] if last is not None else []
    if last is not None and last.verdict is not None and last.verdict.kind is VerdictKind.MEASUREMENT_FAILED:
        closed = store.last_closed(target.name, CLOSED_CHECKS, brief=True)  # how often it has failed in a row
    return next_check(target.schedule, target.decision, target.name, store.last_due_at(target.name, now), closed, now)


def read_history(store: Store, subject: Subject) -> History:
    """All that judging needs: everything until the baseline is frozen, afterwards its runs and the newest checks, verdicts in brief.

    Those reach back far enough for a question that came later to collect its marks, however often is checked.
    """
    return _read(store, subject, GradesOf.FIRST_RUNS)


def read_recent_history(store: Store, subject: Subject) -> History:
    """The same, of which judging comes to the same, in as few checks as it can be: beside a frozen baseline half of them.

    A check is judged in this way each day by each target; whoever compares, decides or looks ahead reads all.
    """
    with store.reading():
        events = tuple(store.events(subject.target))
        if _is_whole(subject, events):
            limit = max(subject.decision.trend_windows, default=0) + SPARE_CHECKS
            history = _complete(store, subject, events, store.history(subject.target, limit=limit, brief=True))
            if len(history.checks) < limit or reaches_far_enough(subject, history):
                return history
        return _read_at_once(store, subject, GradesOf.FIRST_RUNS)


def needed_runs(store: Store, subject: Subject) -> frozenset[int]:
    """The runs whose grades judging, or a decision that is offered now, may still read, whatever their age.

    Beside what a freeze or a pin names these are the newest checks; without a frozen baseline all that may become one, also for
    `baseline keep` those of the way of asking before; and while a change of the model waits for a decision all since the baseline.
    """
    history = _read(store, subject, GradesOf.NO_RUN)
    recent = {run.id for check in store.checks(subject.target, RECENT_CHECKS) for run in check.runs}
    identity = history.previous.signal(Signal.IDENTITY) if history.previous is not None else None
    if identity is not None and identity.confirmed:
        since = _reset_at(history.events)
        return frozenset(
            recent | {run.id for check in store.history(subject.target, since=since, grades=GradesOf.NO_RUN) for run in check.runs}
        )
    runs = [run for check in history.checks for run in check.runs]
    restart = restart_of(history.events)
    if _is_whole(subject, history.events) or (restart is not None and restart.kind is EventKind.ACCEPT):
        return frozenset(recent | {run.id for run in runs})
    accepted = accepted_protocols(subject.protocol, history.events)
    measured = (run.protocol for run in reversed(runs) if run.state is RunState.MEASURED)
    former = next((protocol for protocol in measured if protocol not in accepted), None)
    if former is not None:
        accepted |= accepted_protocols(former, history.events)
    return frozenset(recent | {run.id for run in runs if run.protocol in accepted})


def _read(store: Store, subject: Subject, grades: GradesOf) -> History:
    with store.reading():
        return _read_at_once(store, subject, grades)


def _read_at_once(store: Store, subject: Subject, grades: GradesOf) -> History:
    events = tuple(store.events(subject.target))
    whole = _is_whole(subject, events)
    longest = max(subject.decision.trend_windows, default=0)
    limit = max(RECENT_CHECKS, 2 * longest) if whole else None
    since = None if whole else _reset_at(events)
    checks = tuple(store.history(subject.target, since=since, limit=limit, grades=grades, brief=True))
    if len(checks) == limit and checks[0].claimed_at > (needed_at := checks[-1].claimed_at - _collecting_seconds(subject)):
        checks = tuple(store.history(subject.target, since=needed_at, grades=grades, brief=True))
    return _complete(store, subject, events, checks)


def _complete(store: Store, subject: Subject, events: Sequence[BaselineEvent], checks: Sequence[Check]) -> History:
    """The history of these checks, with the runs that the baseline is made of and the verdict before today's."""
    wanted = {run_id for event in standing_memberships(subject.protocol, events) for run_id in event.run_ids}
    known = {run.id for check in checks for run in check.runs}
    runs = tuple(store.runs(subject.target, sorted(wanted - known)))
    return History(tuple(checks), tuple(events), runs, store.last_verdict(subject.target))


def _is_whole(subject: Subject, events: Sequence[BaselineEvent]) -> bool:
    """Whether a baseline of all questions is frozen or pinned."""
    memberships = standing_memberships(subject.protocol, events)
    return any(event.suite is None and not event.question_keys for event in memberships)


def _collecting_seconds(subject: Subject) -> float:
    """How long a question takes to collect its marks, twice: a run may lack one."""
    return 2 * subject.decision.baseline_runs * subject.decision.baseline_min_gap


def _reset_at(events: Sequence[BaselineEvent]) -> float | None:
    return max((event.happened_at for event in events if event.kind is EventKind.RESET), default=None)
