"""What was published of a target at each moment of its history, from what the store keeps: snapshots, oldest first.

The config's history is not kept: provider, model, labels, caps and schedule are those of now.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TypeVar

from exporter.daemon.live import LiveTarget
from exporter.daemon.memory import CLOSED_CHECKS
from exporter.daemon.schedule import next_check
from exporter.daemon.snapshots import served_model
from exporter.records import Check, CheckKind, CheckProgress, Counters, Snapshot, Spend, SpendPeriod, Verdict, VerdictKind
from exporter.store import PastCheck, ServedIdentity, Store
from exporter.store.units import day_of, month_of

_Key = TypeVar("_Key", bound=str)

Moment = tuple[float, Snapshot]
"""Since when something was published, and what."""

CHECKS_A_PAGE = 250
_SERVED_SHOWN = 5
_DAY_SECONDS = 86_400


def read_moments(store: Store, live: LiveTarget, present: Snapshot) -> Iterator[Moment]:
    """Every snapshot that was published of the target, in the order of time, up to when `present` was read. Raises StoreError.

    The store is read piece by piece: no more than a few hundred checks are held at a time.
    """
    return tell_moments(read_checks(store, live.name), live, present, store.served(live.name, limit=50))


def tell_moments(
    checks: Iterable[PastCheck], live: LiveTarget, present: Snapshot, sightings: Iterable[ServedIdentity] = ()
) -> Iterator[Moment]:
    """The same from closed checks, oldest first. `sightings` say when an identity was first seen, where that is still known.

    What a check costs and counts is told when it ends. The due time of the next check is the schedule's, or that of the check
    that then came where it was due earlier.
    """
    teller = _Teller(live, present, {(seen.identity, seen.fingerprint): seen.first_seen_at for seen in sightings})
    one: PastCheck | None = None
    for following in checks:
        if one is not None:
            yield from teller.tell(one, following.check)
        one = following
    if one is not None:
        yield from teller.tell(one, None)
    yield from teller.pass_days(present.read_at)


def read_checks(store: Store, target: str, page: int = CHECKS_A_PAGE) -> Iterator[PastCheck]:
    """Closed checks, oldest first, read `page` of them at a time. Raises StoreError."""
    after = 0
    while checks := store.past(target, after=after, limit=page):
        yield from checks
        after = checks[-1].check.id


class _Teller:
    """The target as it was published last, carried from check to check."""

    def __init__(self, live: LiveTarget, present: Snapshot, first_seen: Mapping[tuple[str, str], float]) -> None:
        self._live = live
        self._first_seen = first_seen
        self._closed: deque[Check] = deque(maxlen=CLOSED_CHECKS)
        self._last_due_at: float | None = None
        self._seen: dict[tuple[str, str], float] = {}
        self._spent = _Spent(present)
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
        check = past.check
        yield from self.pass_days(check.claimed_at)
        if check.kind is CheckKind.SCHEDULED:
            self._last_due_at = check.due_at
        running = replace(self._now.progress, in_progress=True, next_check_at=self._next_check_at(check.claimed_at, following))
        yield self._publish(check.claimed_at, progress=running)
        if check.confirm_at is not None:
            for run in check.runs:
                yield self._publish(
                    run.started_at, progress=replace(running, confirmation_pending=run.number > 1, confirm_at=check.confirm_at)
                )
                if run.number == 1 and run.ended_at is not None:
                    waiting = replace(running, in_progress=False, confirmation_pending=True, confirm_at=check.confirm_at)
                    yield self._publish(run.ended_at, progress=waiting)
        if check.closed_at is not None and check.verdict is not None:
            yield self._close(past, check, check.verdict, check.closed_at, following)

    def pass_days(self, until: float) -> Iterator[Moment]:
        """What was published at each midnight (UTC) before `until`: the spend of a day, and of a month, begins anew."""
        if self._at < 0:
            return
        for day in range(day_of(self._at) + 1, day_of(until) + 1):
            yield self._publish(float(day * _DAY_SECONDS))

    def _close(self, past: PastCheck, check: Check, verdict: Verdict, closed_at: float, following: Check | None) -> Moment:
        before = self._now
        self._closed.appendleft(check)
        self._see(verdict)
        self._spent.add(day_of(check.claimed_at), past)
        changed = before.verdict is None or before.verdict.standing is not verdict.standing
        newest = list(self._seen.items())[: -_SERVED_SHOWN - 1 : -1]
        served = [ServedIdentity(self._live.name, *key, first_seen_at=at, last_seen_at=closed_at) for key, at in newest]
        progress = CheckProgress(
            last_check_at=closed_at,
            last_success_at=before.progress.last_success_at if verdict.kind is VerdictKind.MEASUREMENT_FAILED else verdict.decided_at,
            last_duration_seconds=sum(run.ended_at - run.started_at for run in check.runs if run.ended_at is not None)
            if check.runs
            else None,
            next_check_at=self._next_check_at(closed_at, following),
        )
        return self._publish(
            closed_at,
            protocol=verdict.protocol,
            runs_required=verdict.baseline.runs_required,
            areas=tuple(counts.area for counts in verdict.questions) or before.areas,
            verdict=verdict,
            verdict_changed_at=verdict.decided_at if changed else before.verdict_changed_at,
            served=tuple(served_model(identity, verdict) for identity in served),
            served_changed_at=max(identity.first_seen_at for identity in served) if len(served) > 1 else None,
            counters=_add(before.counters, past.added),
            check_estimate_usd=verdict.estimate_usd,
            progress=progress,
        )

    def _publish(self, at: float, **changes: object) -> Moment:
        self._at = max(at, self._at)
        self._now = replace(self._now, **changes, read_at=self._at, spend=self._spent.as_of(self._now.spend, self._at))  # type: ignore[arg-type]  # any field may change
        return self._at, self._now

    def _next_check_at(self, now: float, following: Check | None) -> float:
        target = self._live.target
        due_at = next_check(target.schedule, target.decision, target.name, self._last_due_at, list(self._closed), now).due_at
        return due_at if following is None or following.kind is CheckKind.MANUAL else min(due_at, following.due_at)

    def _see(self, verdict: Verdict) -> None:
        for model in sorted(verdict.served, key=lambda model: model.share_ratio):
            key = (model.identity, model.fingerprint or "")
            first_seen_at = self._seen.pop(key, self._first_seen.get(key, verdict.decided_at))
            self._seen[key] = min(first_seen_at, verdict.decided_at)


class _Spent:
    """What was spent in the last check, and on each day of this month."""

    def __init__(self, present: Snapshot) -> None:
        self._priced = present.price_known
        self._last: tuple[float, int] = (0.0, 0)
        self._days: dict[int, tuple[float, int]] = {}

    def add(self, day: int, past: PastCheck) -> None:
        """A check that was claimed on `day`."""
        self._last = (past.added.spend_usd, past.tokens)
        usd, tokens = self._days.get(day, (0.0, 0))
        self._days[day] = (usd + past.added.spend_usd, tokens + past.tokens)

    def as_of(self, spends: tuple[Spend, ...], at: float) -> tuple[Spend, ...]:
        """`spends` with the amounts of that moment."""
        month = month_of(day_of(at))
        self._days = {day: spent for day, spent in self._days.items() if day in month}
        today = self._days.get(day_of(at), (0.0, 0))
        whole = (sum(usd for usd, _ in self._days.values()), sum(tokens for _, tokens in self._days.values()))
        amounts = {SpendPeriod.CHECK: self._last, SpendPeriod.DAY: today, SpendPeriod.MONTH: whole}
        return tuple(self._fill(spend, *amounts[spend.period]) for spend in spends)

    def _fill(self, spend: Spend, usd: float, tokens: int) -> Spend:
        return replace(spend, spent_usd=round(usd, 9) if self._priced else None, spent_tokens=tokens)


def _add(total: Counters, more: Counters) -> Counters:
    return Counters(
        measurement_errors=_add_each(total.measurement_errors, more.measurement_errors),
        checks=_add_each(total.checks, more.checks),
        requests=total.requests + more.requests,
        request_failures=_add_each(total.request_failures, more.request_failures),
        input_tokens=total.input_tokens + more.input_tokens,
        output_tokens=total.output_tokens + more.output_tokens,
        reasoning_tokens=total.reasoning_tokens + more.reasoning_tokens,
        spend_usd=round(total.spend_usd + more.spend_usd, 9),
        spend_estimated_usd=round(total.spend_estimated_usd + more.spend_estimated_usd, 9),
    )


def _add_each(total: Mapping[_Key, int], more: Mapping[_Key, int]) -> dict[_Key, int]:
    return {key: total.get(key, 0) + more.get(key, 0) for key in {**total, **more}}
