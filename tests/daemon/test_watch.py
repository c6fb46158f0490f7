"""A target's life in the daemon, on a clock that moves when told."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from exporter.config import TotalBudget
from exporter.daemon.admission import Admission
from exporter.daemon.watch import Watch
from exporter.errors import Problem, StoreLockedError
from exporter.records import CheckKind, CheckState, Reason, VerdictKind
from exporter.store import Writer
from tests.daemon.serving import StillClock, until
from tests.daemon.world import World

DAY = 86400.0
LOST = {"question-1", "question-2", "question-3", "question-4"}


@pytest.fixture
def world(tmp_path: Path) -> World:
    with World(tmp_path) as made:
        made.clock.set(datetime(2026, 11, 1, 8, 0, tzinfo=UTC).timestamp())
        yield made


def checks(world: World) -> list[tuple[str, str]]:
    """Kind and due time of each check, oldest first."""
    found = reversed(world.store.checks("bot", 100))
    return [(check.kind.value, datetime.fromtimestamp(check.due_at, UTC).strftime("%d %H:%M")) for check in found]


def test_the_first_check_is_made_at_once_and_the_others_at_nine(world: World) -> None:
    world.watch(world.clock.now() + 2 * DAY)
    assert checks(world) == [("scheduled", "01 08:00"), ("scheduled", "01 09:00"), ("scheduled", "02 09:00")]


def test_downtime_of_three_days_is_made_up_by_one_late_check(world: World) -> None:
    world.watch(world.clock.now() + 2 * 3600)
    world.clock.advance(3 * DAY)
    world.watch(world.clock.now() + 600)
    assert checks(world)[2:] == [("scheduled", "04 09:00")]


def test_a_failed_check_is_tried_again_after_an_hour_three_times(world: World) -> None:
    world.provider.fails = Reason.AUTH
    world.watch(world.clock.now() + 0.9 * DAY)
    assert [kind for kind, _ in checks(world)] == ["scheduled", "scheduled", "retry", "retry", "retry"]
    last = world.store.last_verdict("bot")
    assert last is not None
    assert last.failed_checks == 2


def test_a_second_run_is_made_an_hour_later(world: World) -> None:
    world.watch(world.clock.now() + 5 * DAY)
    world.provider.lost = LOST
    world.watch(world.clock.now() + 0.4 * DAY)
    check = world.store.checks("bot", 1)[0]
    first, second = check.runs
    assert (check.state, check.verdict and check.verdict.kind) == (CheckState.CLOSED, VerdictKind.DRIFT)
    assert 3600 <= second.started_at - (first.ended_at or 0) <= 3660


def test_a_second_run_that_would_come_after_the_next_check_lapses_and_the_loss_is_suspect(world: World) -> None:
    world.watch(world.clock.now() + 5 * DAY)
    world.provider.lost = LOST
    world.watch(world.clock.now() + 1.5 * 3600)
    assert world.store.open_checks("bot")[0].state is CheckState.CONFIRMING
    world.clock.advance(2 * DAY)
    world.watch(world.clock.now() + 60)
    verdict = world.store.checks("bot", 2)[1].verdict
    assert verdict is not None
    assert (verdict.kind, verdict.notes) == (VerdictKind.SUSPECT, ("no second run: the next check was due before it",))


def test_a_confirmed_check_is_followed_by_an_extra_one_half_a_day_later_and_is_conclusive(world: World) -> None:
    world.watch(world.clock.now() + 5 * DAY)
    world.provider.lost = LOST
    world.watch(world.clock.now() + 1.02 * DAY)
    assert [kind for kind, _ in checks(world)][-2:] == ["scheduled", "recheck"]
    last = world.store.last_verdict("bot")
    assert last is not None
    assert [state.signal.value for state in last.signals if state.conclusive] == ["accuracy"]


def test_an_interrupted_run_goes_on_where_it_stood(world: World) -> None:
    world.provider.hang_at = 5
    world.watch(world.clock.now() + 600)
    (check,) = world.store.open_checks("bot")
    assert len(check.runs[0].grades) == 4
    world.watch(world.clock.now() + 300)
    assert world.kinds() == ["collecting"]
    assert sorted(set(world.provider.asked)) == sorted(world.provider.asked[:4] + world.provider.asked[5:])


def test_an_interrupted_run_whose_deadline_is_past_is_a_failed_measurement(world: World) -> None:
    world.provider.hang_at = 5
    world.watch(world.clock.now() + 600)
    world.clock.advance(3600)
    world.watch(world.clock.now() + 300)
    verdict = world.store.verdicts("bot", 10)[-1]
    assert (verdict.kind, verdict.reason) == (VerdictKind.MEASUREMENT_FAILED, Reason.INTERRUPTED)
    assert verdict.reason_message == "the run was interrupted and could not be finished in time"


def test_a_store_in_trouble_is_tried_again_and_nothing_is_lost(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    claim, failures = world.store.claim_check, iter(range(3))

    def claim_check(target: str, kind: CheckKind, due_at: float, now: float) -> object:
        if next(failures, None) is not None:
            raise StoreLockedError(Problem("history.db", "is locked", "stop the other program"))
        return claim(target, kind, due_at, now)

    monkeypatch.setattr(world.store, "claim_check", claim_check)
    world.watch(world.clock.now() + 600)
    assert world.kinds() == ["collecting"]


def test_what_is_shown_is_read_anew_when_a_check_starts_and_when_it_ends(world: World) -> None:
    assert world.watch(world.clock.now() + 600) == ["bot", "bot"]


def test_who_finds_its_check_begun_elsewhere_gives_its_place_to_others_before_it_looks_again(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused: list[object] = []
    monkeypatch.setattr(world.store, "claim_check", lambda *claim: refused.append(claim))

    async def nothing(_name: str = "") -> None:
        """Nobody looks, and there is nobody else."""

    async def act() -> None:
        writer = Writer(world.store.batch)
        workshop = replace(world.workshop(writer), clock=StillClock())
        admission = Admission(1, workshop.clock)
        watch = Watch(workshop, admission, world.live, TotalBudget(), nothing, may_work=lambda: True, hear=nothing)
        watch.start()
        await until(lambda: len(refused) == 1)
        async with asyncio.timeout(60), admission.place(asyncio.Event()) as admitted:
            assert admitted
        await watch.stop()
        await writer.close()

    asyncio.run(act())
