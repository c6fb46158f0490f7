"""What history tells was published is what was published: the daemon lives, is looked at, and the store is read afterwards."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from exporter.daemon.past import Moment, read_moments
from exporter.daemon.snapshots import build_snapshot
from exporter.metrics.collector import collect_target
from exporter.metrics.exposition import sample_lines
from exporter.metrics.selection import NOT_KEPT
from exporter.metrics.tallies import NO_DURATIONS
from exporter.records import BaselineEvent, EventKind, Reason, Snapshot
from tests.daemon.world import World

DAY, HOUR = 86_400.0, 3600.0
LOST = {"question-1", "question-2", "question-3", "question-4"}
OF_THE_CONFIG = {"model_drift_check_estimate_usd"}
COUNTED_AT_THE_END = ("_tokens", "_usd", "_tokens_total", "_usd_total", "requests_total", "request_failures_total")


class Onlooker:
    """Lets a world live and keeps each snapshot that was published, with its time."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.seen: list[Moment] = []

    def watch(self, seconds: float) -> None:
        """Live on, and look every four hours."""
        until = self.world.clock.now() + seconds
        while (now := self.world.clock.now()) < until:
            self.world.watch(min(until, now + 240 * 60))
            self.look()

    def look(self) -> Snapshot:
        """Look once."""
        now = self.world.clock.now()
        snapshot = build_snapshot(self.world.store, self.world.live, now)
        self.seen.append((now, snapshot))
        return snapshot

    def decide(self, kind: EventKind, **fields: object) -> None:
        """A person decides something about the baseline, a minute later."""
        self.world.clock.advance(60)
        now = self.world.clock.now()
        self.world.store.add_event(BaselineEvent(0, "bot", kind, now, self.world.live.protocol, **fields))  # type: ignore[arg-type]  # any field

    def told(self) -> list[Moment]:
        """What history tells now, one moment for each that was seen."""
        moments = list(read_moments(self.world.store, self.world.live, self.look()))
        times = [at for at, _ in moments]
        assert times == sorted(times)
        return [moments[bisect_right(times, at) - 1] for at, _ in self.seen]


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with World(tmp_path, {"decision": {"baseline_runs": 3}}) as made:
        made.clock.set(datetime(2026, 10, 29, 8, 0, tzinfo=UTC).timestamp())
        made.provider.on_ask = lambda asked: made.clock.advance(1)
        yield made


def series(snapshot: Snapshot, left_out: set[str]) -> dict[str, str]:
    lines = sample_lines(collect_target(snapshot, NO_DURATIONS))
    return dict(line.rsplit(" ", 1) for name, text in lines.items() if name not in left_out for line in text.splitlines())


def require_same(onlooker: Onlooker) -> None:
    for (at, seen), (_, told) in zip(onlooker.seen, onlooker.told(), strict=False):
        left_out = {*NOT_KEPT, *OF_THE_CONFIG}
        if seen.progress.in_progress or seen.progress.confirmation_pending:
            left_out |= {name for name in sample_lines(collect_target(seen, NO_DURATIONS)) if name.endswith(COUNTED_AT_THE_END)}
        assert series(told, left_out) == series(seen, left_out), datetime.fromtimestamp(at, UTC)


def test_a_life_with_a_drift_a_failure_and_another_model_is_told_as_it_was_shown(world: World) -> None:
    onlooker = Onlooker(world)
    onlooker.watch(3.06 * DAY)
    world.provider.lost = LOST
    onlooker.watch(0.98 * DAY)
    onlooker.watch(0.02 * DAY)
    onlooker.watch(0.1 * DAY)
    world.provider.lost, world.provider.fails = set(), Reason.RATE_LIMITED
    onlooker.watch(1 * DAY)
    world.provider.fails, world.provider.served_model = None, "model-2"
    onlooker.watch(1.2 * DAY)
    require_same(onlooker)
    standing = {seen.verdict.standing.value for _, seen in onlooker.seen if seen.verdict is not None}
    assert standing == {"collecting", "baseline_ready", "stable", "drift", "model_changed"}
    assert any(seen.progress.confirmation_pending for _, seen in onlooker.seen)


def test_decisions_about_the_baseline_are_told_from_their_moments_on(world: World) -> None:
    onlooker = Onlooker(world)
    world.watch(world.clock.now() + 2.1 * DAY)
    world.provider.lost = LOST
    world.watch(world.clock.now() + 0.95 * DAY)
    assert onlooker.look().progress.confirmation_pending
    onlooker.decide(EventKind.PIN, run_ids=(1, 3))
    onlooker.look()
    onlooker.watch(0.15 * DAY)
    onlooker.decide(EventKind.PIN, run_ids=(1, 2))
    onlooker.look()
    onlooker.decide(EventKind.ACCEPT, identity="model-1")
    onlooker.look()
    onlooker.watch(0.2 * DAY)
    onlooker.decide(EventKind.RESET)
    onlooker.watch(0.9 * DAY)
    require_same(onlooker)
    standing = [seen.verdict.standing.value for _, seen in onlooker.seen if seen.verdict is not None]
    assert standing[:5] == ["baseline_ready", "baseline_ready", "drift", "baseline_ready", "baseline_ready"]
    assert standing[-1] == "collecting"


def test_what_a_decision_made_of_a_verdict_stands_since_then(world: World) -> None:
    onlooker = Onlooker(world)
    onlooker.watch(3.1 * DAY)
    assert onlooker.look().verdict_changed_at < world.clock.now() - HOUR  # type: ignore[operator]  # it has a verdict
    onlooker.decide(EventKind.RESET)
    reset_at = world.clock.now()
    world.clock.advance(HOUR)
    shown = onlooker.look()
    assert (shown.verdict and shown.verdict.standing.value, shown.verdict_changed_at) == ("collecting", reset_at)
    onlooker.decide(EventKind.KEEP, from_protocol="elsewhere")
    assert onlooker.look().verdict_changed_at == reset_at
    onlooker.watch(DAY)
    assert reset_at < (onlooker.look().verdict_changed_at or 0) < world.clock.now()
    require_same(onlooker)


def test_since_when_a_verdict_stands_that_another_protocol_ended_is_not_known(world: World) -> None:
    world.watch(world.clock.now() + 3.1 * DAY)
    before = build_snapshot(world.store, world.live, world.clock.now())
    asked_otherwise = replace(world.live, protocol="another")
    after = build_snapshot(world.store, asked_otherwise, world.clock.now())
    assert [one.verdict and one.verdict.standing.value for one in (before, after)] == ["stable", "collecting"]
    assert before.verdict_changed_at is not None
    assert after.verdict_changed_at is None


def test_a_due_time_that_was_missed_stays_as_long_as_nothing_is_checked(world: World) -> None:
    world.watch(world.clock.now() + 2 * HOUR)
    missed = datetime(2026, 10, 30, 9, 0, tzinfo=UTC).timestamp()
    world.clock.advance(3 * DAY)
    world.watch(world.clock.now() + HOUR)
    present = build_snapshot(world.store, world.live, world.clock.now())
    moments = list(read_moments(world.store, world.live, present))
    down = [snapshot.progress.next_check_at for at, snapshot in moments if missed - HOUR < at < missed + 2 * DAY]
    assert down
    assert set(down) == {missed}


def test_a_target_that_was_never_checked_has_no_past(world: World) -> None:
    assert list(read_moments(world.store, world.live, build_snapshot(world.store, world.live, world.clock.now()))) == []
