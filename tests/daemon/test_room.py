"""A check that would fit under a cap, were it not for what other programs have reserved just now: it waits for them, and not for ever."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from exporter.config import TotalBudget
from exporter.records import CheckState, Reason, VerdictKind
from tests.daemon.world import World
from tests.fakes import FakeClock
from tests.store.facts import reserve, settle, start_run

CAP_TOKENS = 50_000


class WatchedClock(FakeClock):
    """Tells how often somebody has slept."""

    def __init__(self, on_sleep: Callable[[int], object]) -> None:
        super().__init__()
        self._on_sleep = on_sleep

    async def sleep(self, seconds: float) -> None:
        await super().sleep(seconds)
        self._on_sleep(len(self.slept))


class Other:
    """A request of another target that has reserved all that the cap over all targets allows, settled at so many tokens at some sleep."""

    def __init__(self, world: World, tokens: int, sleeps: int) -> None:
        self._world, self._tokens, self._sleeps = world, tokens, sleeps
        world.total = TotalBudget(tokens_per_month=CAP_TOKENS)
        world.clock = WatchedClock(self._settle_if_time)
        now = world.clock.now()
        self._reservation = reserve(world.store, start_run(world.store, "cat", now), tokens=CAP_TOKENS, now=now)
        self._settle_if_time(0)

    def _settle_if_time(self, slept: int) -> None:
        if slept == self._sleeps:
            settle(self._world.store, self._reservation, tokens=self._tokens, now=self._world.clock.now())


@pytest.fixture
def world(tmp_path: Path) -> World:
    with World(tmp_path) as made:
        yield made


def test_what_others_have_reserved_is_waited_for(world: World) -> None:
    Other(world, tokens=100, sleeps=3)
    verdict = world.check(after=0)
    assert verdict is not None
    assert (verdict.kind, world.clock.slept) == (VerdictKind.COLLECTING, [5.0] * 3)


def test_where_it_turns_out_to_be_spent_the_check_ends_for_want_of_budget(world: World) -> None:
    Other(world, tokens=CAP_TOKENS, sleeps=3)
    verdict = world.check(after=0)
    assert verdict is not None
    assert (verdict.kind, verdict.reason) == (VerdictKind.MEASUREMENT_FAILED, Reason.BUDGET)
    assert (world.clock.slept, world.provider.asked) == ([5.0] * 3, [])


def test_what_is_spent_already_is_not_waited_for(world: World) -> None:
    Other(world, tokens=CAP_TOKENS, sleeps=0)
    verdict = world.check(after=0)
    assert verdict is not None
    assert (verdict.kind, verdict.reason) == (VerdictKind.MEASUREMENT_FAILED, Reason.BUDGET)
    assert (world.clock.slept, world.provider.asked) == ([], [])


def test_what_is_never_settled_is_waited_for_as_long_as_a_run_may_take(world: World) -> None:
    Other(world, tokens=100, sleeps=9999)
    verdict = world.check(after=0)
    assert verdict is not None
    assert (verdict.kind, verdict.reason) == (VerdictKind.MEASUREMENT_FAILED, Reason.BUDGET)
    assert (world.clock.slept, world.provider.asked) == ([5.0] * 120, [])


def test_a_program_that_is_stopped_while_it_waits_leaves_the_check_to_the_next_one(world: World) -> None:
    Other(world, tokens=100, sleeps=20)
    world.watch(until=world.clock.now() + 30)
    (check,) = world.store.open_checks("bot")
    assert (check.state, check.runs, world.provider.asked) == (CheckState.RUNNING, (), [])
    world.watch(until=world.clock.now() + 300)
    assert [each.id for each in world.store.checks("bot", 10)] == [check.id]
    assert world.kinds() == ["collecting"]
