"""Clocks that jump, downtime, and decisions that fall into a check."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from exporter.config import Decision, Schedule
from exporter.daemon.schedule import next_check
from exporter.daemon.snapshots import build_snapshot
from exporter.records import BaselineEvent, CheckKind, CheckState, EventKind, VerdictKind
from tests.daemon.test_schedule import closed_check
from tests.daemon.world import World

DAY = 86400.0
LOST = {"question-1", "question-2", "question-3", "question-4"}


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with World(tmp_path) as made:
        made.clock.set(at("2026-11-01 08:00"))
        yield made


def at(text: str) -> float:
    return datetime.strptime(text, "%Y-%m-%d %H:%M").replace(tzinfo=UTC).timestamp()


def due_times_of(world: World) -> list[str]:
    """When the target's checks were due, in the order in which they were made."""
    return [datetime.fromtimestamp(check.due_at, UTC).strftime("%d %H:%M") for check in reversed(world.store.checks("bot", 100))]


def decide(world: World, kind: EventKind) -> None:
    world.store.add_event(BaselineEvent(0, "bot", kind, world.clock.now(), world.live.protocol))


def test_checks_go_on_by_the_schedule_when_a_clock_that_was_a_week_ahead_is_set_back(world: World) -> None:
    world.watch(at("2026-11-01 10:00"))
    world.clock.set(at("2026-11-08 10:00"))
    world.watch(at("2026-11-08 11:00"))
    world.clock.set(at("2026-11-01 12:00"))
    world.watch(at("2026-11-03 12:00"))
    assert due_times_of(world) == ["01 08:00", "01 09:00", "08 09:00", "02 09:00", "03 09:00"]


def test_a_clock_set_back_an_hour_after_a_check_does_not_make_it_due_again(world: World) -> None:
    world.watch(at("2026-11-01 09:10"))
    world.clock.set(at("2026-11-01 08:10"))
    world.watch(at("2026-11-02 08:00"))
    assert due_times_of(world) == ["01 08:00", "01 09:00"]


def test_a_second_run_does_not_wait_for_a_clock_that_was_set_back_to_come_round_again(world: World) -> None:
    world.watch(at("2026-11-06 08:00"))
    world.provider.lost = LOST
    world.watch(at("2026-11-06 09:10"))
    assert world.store.open_checks("bot")[0].state is CheckState.CONFIRMING
    world.clock.set(at("2026-10-30 09:10"))
    world.watch(at("2026-10-30 09:20"))
    assert world.kinds()[-1] == "drift"


def test_after_downtime_a_retry_that_was_missed_is_not_made_beside_the_late_scheduled_check() -> None:
    daily = Schedule(cron="0 9 * * *", spread=0)
    failed = closed_check(CheckKind.SCHEDULED, VerdictKind.MEASUREMENT_FAILED, at("2026-11-01 09:05"))
    found = next_check(daily, Decision(), "bot", at("2026-11-01 09:00"), [failed], at("2026-11-04 12:00"))
    assert (found.kind, found.due_at) == (CheckKind.SCHEDULED, at("2026-11-04 09:00"))


def test_a_reset_in_the_middle_of_a_run_ends_what_is_held(world: World) -> None:
    for _ in range(5):
        world.check()
    world.provider.lost = LOST
    world.check()
    world.provider.on_ask = lambda count: decide(world, EventKind.RESET) if count == asked + 3 else None
    asked = len(world.provider.asked)
    verdict = world.check()
    assert verdict is not None
    assert (verdict.standing, verdict.baseline.runs) == (VerdictKind.COLLECTING, 0)
    assert not any(state.confirmed for state in verdict.signals)
    shown = build_snapshot(world.store, world.live, world.clock.now()).verdict
    assert shown is not None
    assert shown.standing is VerdictKind.COLLECTING


def test_a_reset_in_the_middle_of_the_run_that_would_freeze_the_baseline_is_not_undone_by_the_freeze(world: World) -> None:
    for _ in range(16):
        world.check()
    world.provider.on_ask = lambda count: decide(world, EventKind.RESET) if count == asked + 3 else None
    asked = len(world.provider.asked)
    world.check()
    world.provider.on_ask = None
    verdict = world.check()
    assert verdict is not None
    assert [event.kind for event in world.store.events("bot")] == [EventKind.RESET]
    assert (verdict.kind, verdict.baseline.runs) == (VerdictKind.COLLECTING, 1)


def test_a_question_added_after_the_freeze_collects_its_marks_however_often_is_checked(world: World) -> None:
    """Five marks half a day apart take two days: more than the newest 64 checks where there is one every half hour."""
    for _ in range(17):
        world.check()
    suite = world.folder / "questions.yml"
    suite.write_text(suite.read_text().replace("question 12 bear?", "question 12 carry?"))
    world.live = world.build({})
    for _ in range(100):
        verdict = world.check(after=1800.0)
    assert verdict is not None
    assert sum(counts.pending for counts in verdict.questions) == 0
