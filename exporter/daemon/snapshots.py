"""What is published of one target, read whole from the store: the same after a restart as before it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

import structlog

from exporter.clock import Clock
from exporter.config import Budget, TotalBudget
from exporter.daemon.live import LiveTarget
from exporter.daemon.memory import find_next_check, read_recent_history
from exporter.errors import StoreCorruptError
from exporter.records import ServedModel, Snapshot, Spend, SpendPeriod, Verdict
from exporter.store import ServedIdentity, Spent, Store
from exporter.verdicts import clears_holds, refresh


def build_snapshot(store: Store, live: LiveTarget, now: float) -> Snapshot:
    """Read everything that is shown of a target. Raises StoreError."""
    last = next(iter(store.last_closed(live.name, 1)), None)
    verdict, changed_at = _standing_verdict(store, live, last.verdict if last is not None else None)
    target = live.target
    served = store.served(target.name)
    progress = store.progress(target.name)
    spent = store.spend(target.name, now)
    return Snapshot(
        target=target.name,
        provider=live.provider,
        api=target.api,
        model=target.model,
        suites=target.suites,
        protocol=live.protocol,
        evidence=live.evidence,
        labels=target.labels,
        runs_required=target.decision.baseline_runs,
        areas=live.areas,
        question_ids=live.question_ids,
        price_known=live.price is not None,
        read_at=now,
        verdict=verdict,
        verdict_changed_at=changed_at,
        served=tuple(served_model(identity, verdict) for identity in served),
        served_changed_at=max(identity.first_seen_at for identity in served) if len(served) > 1 else None,
        counters=store.counters(target.name),
        spend=tuple(spend_of(period, spent[period], target.budget) for period in SpendPeriod),
        check_estimate_usd=live.check_estimate_usd,
        progress=replace(progress, next_check_at=find_next_check(store, live, last, now).due_at),
    )


class SnapshotReader:
    """Reads several targets at one moment. One whose past is damaged is told once, and is left out: others are still shown."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._unreadable: dict[str, str] = {}
        self._log = structlog.get_logger()

    def read(
        self, targets: Mapping[str, LiveTarget], names: Collection[str], total: TotalBudget, *, may_lack: bool
    ) -> tuple[dict[str, Snapshot], tuple[Spend, ...]]:
        """Snapshots of those of `names` that are `targets`, and what all targets spent of the `total` caps.

        Raises StoreError where the store cannot be read, which it is also where no target can be; without `may_lack` where any cannot.
        """
        snapshots: dict[str, Snapshot] = {}
        with self._store.reading():
            for name in (name for name in names if name in targets):
                try:
                    snapshots[name] = build_snapshot(self._store, targets[name], self._clock.now())
                    self._unreadable.pop(name, None)
                except StoreCorruptError as error:
                    self._note(name, str(error))
                    if not may_lack or self._unreadable.keys() >= targets.keys():
                        raise
            return snapshots, total_spend(self._store, total, self._clock.now())

    def _note(self, name: str, error: str) -> None:
        if self._unreadable.get(name) != error:
            self._log.error("what is known of a target cannot be read; older values are shown", target=name, error=error)
        self._unreadable[name] = error


def spend_of(period: SpendPeriod, spent: Spent, budget: Budget | TotalBudget) -> Spend:
    """Spend of a period beside its caps."""
    limit_usd, limit_tokens = {
        SpendPeriod.CHECK: (budget.usd_per_check, budget.tokens_per_check),
        SpendPeriod.DAY: (budget.usd_per_day, budget.tokens_per_day),
        SpendPeriod.MONTH: (budget.usd_per_month, budget.tokens_per_month),
    }[period]
    return Spend(period, spent.usd, spent.tokens, limit_usd, limit_tokens)


def total_spend(store: Store, budget: TotalBudget, now: float) -> tuple[Spend, ...]:
    """Spend of all targets together, for the periods that have a cap."""
    caps = budget.usd_per_day, budget.tokens_per_day, budget.usd_per_month, budget.tokens_per_month
    if all(cap is None for cap in caps):
        return ()
    spent = store.spend(None, now)
    every = [spend_of(period, spent[period], budget) for period in (SpendPeriod.DAY, SpendPeriod.MONTH)]
    return tuple(spend for spend in every if spend.limit_usd is not None or spend.limit_tokens is not None)


def _standing_verdict(store: Store, live: LiveTarget, last: Verdict | None) -> tuple[Verdict | None, float | None]:
    """The last verdict, or what became of it by a later decision or another protocol; and since when it stands.

    When a protocol came into use is not kept, and so it is not known since when what became of a verdict by it stands.
    """
    if last is None:
        return None, None
    changed_at = store.verdict_changed_at(live.name)
    decisions = [event for event in store.events(live.name) if clears_holds(event) and event.id > last.event_id]
    if last.protocol == live.protocol and not decisions:
        return last, changed_at
    verdict = refresh(live.subject, read_recent_history(store, live.subject))
    if verdict is not None and verdict.standing is not last.standing:
        changed_at = decisions[-1].happened_at if decisions else None
    return verdict, changed_at


def served_model(identity: ServedIdentity, verdict: Verdict | None) -> ServedModel:
    """An identity that answered, beside what the last verdict says of it."""
    shares = {model.identity: model.share_ratio for model in verdict.served} if verdict else {}
    known = verdict is not None and identity.identity in verdict.baseline.identities
    return ServedModel(identity.identity, identity.fingerprint or None, shares.get(identity.identity, 0.0), known)
