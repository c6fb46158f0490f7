"""What was published of a target at each moment of its history, from what the store keeps: snapshots, oldest first.

The config's history is not kept: provider, model, labels, caps and schedule are those of now.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice

from exporter.daemon.live import LiveTarget
from exporter.daemon.memory import CLOSED_CHECKS, RECENT_CHECKS
from exporter.daemon.past_amounts import PastSpend, add_counters
from exporter.daemon.schedule import next_check
from exporter.daemon.snapshots import served_model
from exporter.records import BaselineEvent, Check, CheckKind, CheckProgress, Counters, EventKind, Run, Snapshot, Verdict, VerdictKind
from exporter.store import PastCheck, ServedIdentity, Store
from exporter.store.units import day_of
from exporter.verdicts import History, clears_holds, refresh, standing_memberships

Moment = tuple[float, Snapshot]
"""Since when something was published, and what."""

CHECKS_A_PAGE = 250
_SERVED_SHOWN = 5
_DAY_SECONDS = 86_400


def read_moments(store: Store, live: LiveTarget, present: Snapshot) -> Iterator[Moment]:
    """Every snapshot that was published of the target, in the order of time, up to when `present` was read. Raises StoreError.

    The store is read piece by piece: no more than a few hundred checks are held at a time.
    """
    under_way = store.open_checks(live.name)
    facts = Facts(store.events(live.name), store.served(live.name, limit=50), under_way, partial(store.runs, live.name))
    return tell_moments(read_checks(store, live.name), live, present, facts)


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known beside closed checks: events, when identities were first seen, checks under way, runs with grades by ids."""

    events: Sequence[BaselineEvent] = ()
    sightings: Sequence[ServedIdentity] = ()
    under_way: Sequence[Check] = ()
    read_runs: Callable[[Sequence[int]], Sequence[Run]] = lambda ids: ()


def tell_moments(checks: Iterable[PastCheck], live: LiveTarget, present: Snapshot, facts: Facts) -> Iterator[Moment]:
    """The same from closed checks, oldest first.

    What a check costs and counts is told when it ends. The due time of the next check is by the schedule of now, unless the
    next scheduled one was due earlier.
    """
    teller = _Teller(live, present, facts)
    one: PastCheck | None = None
    for following in checks:
        if one is not None:
            yield from teller.tell(one, following.check)
        one = following
    if one is not None:
        yield from teller.tell(one, None)
    for check in facts.under_way:
        yield from teller.begin(check, None)
    yield from teller.pass_time(present.read_at)


def read_checks(store: Store, target: str, page: int = CHECKS_A_PAGE) -> Iterator[PastCheck]:
    """Closed checks, oldest first, read `page` of them at a time. Raises StoreError."""
    after = 0
    while checks := store.past(target, after=after, limit=page):
        yield from checks
        after = checks[-1].check.id


class _Teller:
    """The target as it was published last, carried from check to check."""

    def __init__(self, live: LiveTarget, present: Snapshot, facts: Facts) -> None:
        self._live = live
        self._facts = facts
        self._first_seen = {(seen.identity, seen.fingerprint): seen.first_seen_at for seen in facts.sightings}
        self._decisions = deque(event for event in facts.events if clears_holds(event))
        self._closed: deque[Check] = deque(maxlen=RECENT_CHECKS)
        self._said: Verdict | None = None
        self._changed_at: float | None = None
        self._last_due_at: float | None = None
        self._seen: dict[tuple[str, str], float] = {}
        self._spent = PastSpend(present)
        self._at = -float("inf")
        self._now = replace(
            present,
            verdict=None,
            verdict_changed_at=None,
            served=(),
            served_changed_at=None,
            counters=Counters(),
            spend=self._spent.as_of(present.spend, 0.0),
            check_estimate_usd=None,
            progress=CheckProgress(),
        )

    def tell(self, past: PastCheck, following: Check | None) -> Iterator[Moment]:
        """What was published from the claim of a check until it was closed."""
        yield from self.begin(past.check, following)
        yield from self._close(past, following)

    def begin(self, check: Check, following: Check | None) -> Iterator[Moment]:
        """What was published while a check was under way."""
        yield from self.pass_time(check.claimed_at)
        if check.kind is CheckKind.SCHEDULED:
            self._last_due_at = check.due_at
        running = replace(self._now.progress, in_progress=True, next_check_at=self._next_check_at(check.claimed_at, following))
        yield self._publish(check.claimed_at, progress=running)
        for at, changed in _between_runs(check, running):
            yield from self._decide(at)
            yield self._publish(at, progress=changed)

    def pass_time(self, until: float) -> Iterator[Moment]:
        """What was published until then without a check: a midnight (UTC) begins a day's spend anew, a person decides something."""
        if self._said is None:
            return
        for day in range(day_of(self._at) + 1, day_of(until) + 1):
            yield from self._decide(day * _DAY_SECONDS)
            yield self._publish(day * _DAY_SECONDS)
        yield from self._decide(until)

    def _decide(self, until: float) -> Iterator[Moment]:
        """What became of the last verdict by decisions that its check did not know of."""
        while self._decisions and self._decisions[0].happened_at <= until:
            event = self._decisions.popleft()
            if self._said is not None and event.id > self._said.event_id:
                verdict = self._refresh(self._said, event)
                changed_at = self._changed_at if verdict.standing is self._said.standing else event.happened_at
                yield self._publish(event.happened_at, **self._told_by(verdict), verdict_changed_at=changed_at)

    def _refresh(self, said: Verdict, event: BaselineEvent) -> Verdict:
        events = tuple(known for known in self._facts.events if known.id <= event.id)
        named = {run_id for membership in standing_memberships(said.protocol, events) for run_id in membership.run_ids}
        recent = {check.runs[0].id for check in self._closed if check.runs}
        graded = {run.id: run for run in self._facts.read_runs(sorted(named | recent))}
        if event.kind is EventKind.ACCEPT and any(run.grades_pruned_at is not None for run in graded.values()):
            return said  # how many runs the accepted model had served by then is not known any more: the next check says
        checks = [replace(check, runs=tuple(graded.get(run.id, run) for run in check.runs)) for check in reversed(self._closed)]
        named_runs = tuple(run for run_id, run in graded.items() if run_id not in recent)
        subject = replace(self._live.subject, protocol=said.protocol)
        return refresh(subject, History(tuple(checks), events, named_runs, said)) or said

    def _close(self, past: PastCheck, following: Check | None) -> Iterator[Moment]:
        check, verdict, closed_at = past.check, past.check.verdict, past.check.closed_at
        if verdict is None or closed_at is None:
            return
        yield from self._decide(closed_at)
        before = self._now
        self._closed.appendleft(check)
        self._see(verdict)
        self._spent.add(day_of(check.claimed_at), past)
        if self._said is None or self._said.standing is not verdict.standing:
            self._changed_at = verdict.decided_at
        self._said = verdict
        progress = CheckProgress(
            last_check_at=closed_at,
            last_success_at=before.progress.last_success_at if verdict.kind is VerdictKind.MEASUREMENT_FAILED else verdict.decided_at,
            last_duration_seconds=sum(run.ended_at - run.started_at for run in check.runs if run.ended_at is not None)
            if check.runs
            else None,
            next_check_at=self._next_check_at(closed_at, following),
        )
        yield self._publish(
            closed_at,
            **self._told_by(verdict),
            verdict_changed_at=self._changed_at,
            counters=add_counters(before.counters, past.added),
            check_estimate_usd=verdict.estimate_usd,
            progress=progress,
        )

    def _told_by(self, verdict: Verdict) -> dict[str, object]:
        """What is published of a verdict, with who answered until then: the newest first."""
        newest = list(self._seen.items())[: -_SERVED_SHOWN - 1 : -1]
        served = [ServedIdentity(self._live.name, *key, first_seen_at=at, last_seen_at=verdict.decided_at) for key, at in newest]
        return {
            "verdict": verdict,
            "protocol": verdict.protocol,
            "runs_required": verdict.baseline.runs_required,
            "areas": tuple(counts.area for counts in verdict.questions) or self._now.areas,
            "served": tuple(served_model(identity, verdict) for identity in served),
            "served_changed_at": max(identity.first_seen_at for identity in served) if len(served) > 1 else None,
        }

    def _publish(self, at: float, **changes: object) -> Moment:
        self._at = max(at, self._at)
        self._now = replace(self._now, **changes, read_at=self._at, spend=self._spent.as_of(self._now.spend, self._at))  # type: ignore[arg-type]  # any field may change
        return self._at, self._now

    def _next_check_at(self, now: float, following: Check | None) -> float:
        target = self._live.target
        closed = list(islice(self._closed, CLOSED_CHECKS))
        due_at = next_check(target.schedule, target.decision, target.name, self._last_due_at, closed, now).due_at
        return min(due_at, following.due_at) if following is not None and following.kind is CheckKind.SCHEDULED else due_at

    def _see(self, verdict: Verdict) -> None:
        for model in sorted(verdict.served, key=lambda model: model.share_ratio):
            key = (model.identity, model.fingerprint or "")
            first_seen_at = self._seen.pop(key, self._first_seen.get(key, verdict.decided_at))
            self._seen[key] = min(first_seen_at, verdict.decided_at)


def _between_runs(check: Check, running: CheckProgress) -> Iterator[tuple[float, CheckProgress]]:
    """Of a check with two runs: that the second one is waited for, and that it is under way."""
    if check.confirm_at is None:
        return
    for run in check.runs:
        pending = replace(running, confirmation_pending=True, confirm_at=check.confirm_at)
        if run.number > 1:
            yield run.started_at, pending
        elif run.ended_at is not None:
            yield run.ended_at, replace(pending, in_progress=False)
