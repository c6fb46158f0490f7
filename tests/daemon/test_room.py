"""A check that would fit under a cap, were it not for what other programs have reserved just now: it waits for them, and not for ever."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from exporter.config import Budget, TotalBudget
from exporter.errors import Problem, StoreFullError
from exporter.records import CheckState, Reason, RunState, SpendPeriod, VerdictKind
from tests.daemon.world import World
from tests.fakes import FakeClock
from tests.store.facts import reserve, settle, start_run

CAP_TOKENS = 50_000
NO_ROOM = (
    "budget.total.tokens_per_month: 50,000 of 50,000 tokens are spent or reserved, 1,601 more do not fit; "
    "wait for the next month (UTC) or raise the cap"
)
FOREVER = 9999


class WatchedClock(FakeClock):
    """Tells how often somebody has slept."""

    def __init__(self, on_sleep: Callable[[int], object]) -> None:
        super().__init__()
        self._on_sleep = on_sleep

    async def sleep(self, seconds: float) -> None:
        await super().sleep(seconds)
        self._on_sleep(len(self.slept))


class Other:
    """A request of another target that has reserved all that the cap over all targets allows, settled at so many tokens at some sleep.

    Its program is at that target until it dies, at some sleep too.
    """

    def __init__(self, world: World, tokens: int, sleeps: int, dies: int = FOREVER) -> None:
        self._world, self._tokens, self._sleeps, self._dies = world, tokens, sleeps, dies
        world.total = TotalBudget(tokens_per_month=CAP_TOKENS)
        world.clock = WatchedClock(self._pass)
        now = world.clock.now()
        self.run = start_run(world.store, "cat", now)
        self._reservation = reserve(world.store, self.run, tokens=CAP_TOKENS, now=now)
        self._turn = ExitStack()
        self._turn.enter_context(world.store.turn("cat"))
        self._pass(0)

    def _pass(self, slept: int) -> None:
        if slept == self._sleeps:
            settle(self._world.store, self._reservation, tokens=self._tokens, now=self._world.clock.now())
        if slept == self._dies:
            self._turn.close()


def reserved(world: World) -> tuple[int, int]:
    """Tokens of `cat` that are reserved, and that are booked."""
    spent = world.store.spend("cat", world.clock.now())[SpendPeriod.MONTH]
    return spent.reserved_tokens, spent.tokens - spent.reserved_tokens


@pytest.fixture
def world(tmp_path: Path) -> World:
    with World(tmp_path) as made:
        yield made


def test_what_others_have_reserved_is_waited_for(world: World) -> None:
    Other(world, tokens=100, sleeps=3)
    verdict = world.check(after=0)
    assert verdict is not None
    assert (verdict.kind, world.clock.slept) == (VerdictKind.COLLECTING, [5.0] * 3)
    assert (world.waits, world.booked) == ([NO_ROOM], [])


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
    assert (world.clock.slept, world.provider.asked, world.waits) == ([], [], [])


def test_what_is_never_settled_is_waited_for_as_long_as_a_run_may_take(world: World) -> None:
    Other(world, tokens=100, sleeps=9999)
    verdict = world.check(after=0)
    assert verdict is not None
    assert (verdict.kind, verdict.reason) == (VerdictKind.MEASUREMENT_FAILED, Reason.BUDGET)
    assert (world.clock.slept, world.provider.asked) == ([5.0] * 120, [])
    assert (world.waits, world.booked, reserved(world)) == ([NO_ROOM], [], (CAP_TOKENS, 0))


def test_a_program_that_is_stopped_while_it_waits_leaves_the_check_to_the_next_one(world: World) -> None:
    Other(world, tokens=100, sleeps=20)
    world.watch(until=world.clock.now() + 30)
    (check,) = world.store.open_checks("bot")
    assert (check.state, check.runs, world.provider.asked) == (CheckState.RUNNING, (), [])
    world.watch(until=world.clock.now() + 300)
    assert [each.id for each in world.store.checks("bot", 10)] == [check.id]
    assert world.kinds() == ["collecting"]


@pytest.mark.parametrize(("dies", "sleeps"), [(0, 1), (1, 1), (3, 3)])
def test_what_a_program_that_is_gone_has_reserved_is_booked_and_not_waited_for(world: World, dies: int, sleeps: int) -> None:
    other = Other(world, tokens=100, sleeps=FOREVER, dies=dies)
    verdict = world.check(after=0)
    assert verdict is not None
    assert (verdict.kind, verdict.reason, world.clock.slept) == (VerdictKind.MEASUREMENT_FAILED, Reason.BUDGET, [5.0] * sleeps)
    assert (world.waits, world.booked, reserved(world)) == ([NO_ROOM], [("cat", 1)], (0, CAP_TOKENS))
    assert world.store.check(other.run.check_id).runs[0].state is RunState.OPEN
    with world.store.turn("cat"):
        """It was given back: whoever comes next goes on with the run."""


def test_a_run_that_is_under_way_does_the_same_and_says_so_once(world: World) -> None:
    world.total = TotalBudget(tokens_per_month=CAP_TOKENS)

    def leave_a_reservation(asked: int) -> None:
        if asked == 3:
            reserve(world.store, start_run(world.store, "cat", world.clock.now()), tokens=CAP_TOKENS - 300, now=world.clock.now())

    world.provider.on_ask = leave_a_reservation
    verdict = world.check(after=0)
    assert verdict is not None
    assert (verdict.kind, verdict.reason, world.clock.slept) == (VerdictKind.MEASUREMENT_FAILED, Reason.BUDGET, [5.0])
    assert (len(world.waits), world.booked, reserved(world)) == (1, [("cat", 1)], (0, CAP_TOKENS - 300))


def test_under_a_cap_of_the_target_alone_no_other_is_looked_at(world: World) -> None:
    now = world.clock.now()
    reserve(world.store, start_run(world.store, "cat", now), tokens=100, now=now)
    reserve(world.store, start_run(world.store, "bot", now), tokens=CAP_TOKENS, now=now)
    world.live = world.build({"budget": Budget(tokens_per_month=CAP_TOKENS)})
    verdict = world.check(after=1)
    assert verdict is not None
    assert (verdict.reason, world.clock.slept, world.booked) == (Reason.BUDGET, [5.0] * 120, [])
    assert reserved(world) == (100, 0)


def test_a_store_in_trouble_at_the_look_for_the_dead_costs_no_more_than_another_look(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    Other(world, tokens=100, sleeps=FOREVER, dies=0)
    book, asked = world.store.book_orphans, []

    def book_later(*booking: Any) -> int:
        asked.append(booking)
        if len(asked) == 1:
            raise StoreFullError(Problem("storage history.db", "the disk is full", "make room"))
        return book(*booking)

    monkeypatch.setattr(world.store, "book_orphans", book_later)
    verdict = world.check(after=0)
    assert verdict is not None
    assert (verdict.reason, world.clock.slept, world.booked) == (Reason.BUDGET, [5.0] * 2, [("cat", 1)])


def test_the_daemon_says_in_its_log_what_it_waits_for_and_what_it_books(world: World) -> None:
    Other(world, tokens=100, sleeps=FOREVER, dies=3)
    with capture_logs() as logs:
        world.watch(until=world.clock.now() + 300)
    told = [entry for entry in logs if "waits for room" in entry["event"] or "is booked" in entry["event"]]
    assert told == [
        {
            "event": "the check waits for room under a cap: other requests have it reserved",
            "log_level": "warning",
            "target": "bot",
            "error": NO_ROOM,
        },
        {
            "event": "what is reserved is booked as spent: no program is at the check any more",
            "log_level": "info",
            "target": "cat",
            "requests": 1,
        },
    ]
    assert world.kinds() == ["measurement_failed"]
