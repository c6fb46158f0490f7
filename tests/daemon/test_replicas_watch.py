"""Two programs with one store, on a clock that stands still: who makes a check, who waits, who takes it over."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from exporter.daemon.service import POLL_SECONDS
from exporter.daemon.watch import ELSEWHERE_SECONDS
from exporter.errors import (
    Problem,
    StoreFullError,
    StoreLockedError,
    StoreReadOnlyError,
    StoreTakenError,
    StoreUnreachableError,
)
from exporter.records import CheckKind
from exporter.store import open_store
from tests.daemon.serving import Serving, StillClock, until
from tests.daemon.test_service import HeldProvider, passing
from tests.daemon.world import QUESTIONS, World

ASKED_ONCE = {f"question-{number}": 1 for number in range(1, QUESTIONS + 1)}
TAKEN = Problem("target bot", "another replica has taken it over", "nothing is lost")


class Pair:
    """Two services with one store and one clock; each has a provider of its own for every target."""

    def __init__(self, folder: Path) -> None:
        self.first, self.second = Serving(folder), Serving(folder)
        self.second.clock = self.first.clock
        self.logs: list[dict[str, object]] = []

    def run(self, act: Callable[[], Awaitable[None]]) -> None:
        """Serve with both until `act` is over."""

        async def with_second(_: Serving) -> None:
            await self.second.serve(lambda _: act())

        with capture_logs() as logs:
            self.first.run(with_second)
        self.logs = [dict(entry) for entry in logs]

    def asked(self, target: str) -> Counter[str]:
        """What was asked for a target, by either of them."""
        both = (serving.providers.get(target) for serving in (self.first, self.second))
        return Counter(question for provider in both if provider is not None for question in provider.asked)

    def told(self, *levels: str) -> list[object]:
        """What was logged at these levels, one entry an event."""
        return [entry["event"] for entry in self.logs if entry["log_level"] in levels]


@pytest.fixture
def pair(tmp_path: Path) -> Pair:
    return Pair(tmp_path)


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with World(tmp_path) as made:
        yield made


def test_checks_that_are_due_together_are_each_made_once_by_one_of_both(pair: Pair) -> None:
    names = [f"target-{number}" for number in range(10)]
    pair.first.write(*names, concurrency=3)

    async def act() -> None:
        wanted = dict.fromkeys(names, "collecting")
        await until(lambda: {name for serving in (pair.first, pair.second) for name, kind in serving.kinds().items() if kind} == set(names))
        await until(passing(pair.first, POLL_SECONDS, lambda: pair.first.kinds() == wanted and pair.second.kinds() == wanted))
        assert [len(pair.first.store.checks(name, 10)) for name in names] == [1] * 10

    pair.run(act)
    assert all(pair.asked(name) == ASKED_ONCE for name in names)
    assert pair.told("error", "warning") == []


def test_a_first_check_is_made_once_though_each_finds_it_due_at_a_moment_of_its_own(pair: Pair) -> None:
    """No due time that both would claim keeps them apart then."""
    names = [f"target-{number}" for number in range(10)]
    pair.first.write(*names)
    pair.second.clock = StillClock()
    pair.second.clock.advance(0.5)

    async def act() -> None:
        await until(lambda: {name for serving in (pair.first, pair.second) for name, kind in serving.kinds().items() if kind} == set(names))
        await until(lambda: pair.first.store.open_checks() == [])
        assert [len(pair.first.store.checks(name, 10)) for name in names] == [1] * 10

    pair.run(act)
    assert all(pair.asked(name) == ASKED_ONCE for name in names)


def test_who_stops_leaves_the_rest_of_its_check_to_the_other_within_seconds(pair: Pair) -> None:
    pair.first.providers["bot"] = slow = HeldProvider()
    pair.first.write("bot")

    async def act() -> None:
        await until(lambda: slow.under_way == 4)
        await until(lambda: "another program is at the check" in [entry["event"] for entry in logs])
        assert "bot" not in pair.second.providers
        pair.first.stop.set()
        slow.letting.set()
        await until(lambda: "check is left open: it waits for its second run, or the program stops" in [entry["event"] for entry in logs])
        await until(passing(pair.first, ELSEWHERE_SECONDS, lambda: pair.second.kinds() == {"bot": "collecting"}))

    async def with_second(_: Serving) -> None:
        await until(lambda: slow.under_way == 4)  # else the second might be the faster one
        await pair.second.serve(lambda _: act())

    with capture_logs() as logs:
        pair.first.run(with_second)
    assert len(slow.asked) == 4
    assert pair.asked("bot") == ASKED_ONCE
    assert [entry["event"] for entry in logs if entry["log_level"] in ("error", "warning")] == []


def test_a_check_that_is_made_elsewhere_is_told_once_and_taken_over_when_its_program_is_gone(world: World) -> None:
    elsewhere = open_store(world.config.storage)
    check = elsewhere.claim_check("bot", CheckKind.SCHEDULED, world.clock.now(), world.clock.now())
    assert check is not None
    with capture_logs() as logs:
        with elsewhere.turn("bot"):
            world.watch(world.clock.now() + 600)
            assert world.provider.asked == []
        elsewhere.close()
        world.watch(world.clock.now() + 2 * ELSEWHERE_SECONDS)
    assert Counter(world.provider.asked) == ASKED_ONCE
    assert [entry["event"] for entry in logs][:2] == ["another program is at the check", "check goes on"]


def test_who_has_lost_its_lease_stops_asking_tells_it_once_and_closes_nothing(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    reserve, count = world.store.reserve, 0

    def reserve_four(*args: object) -> int:
        nonlocal count
        count += 1
        if count > 4:
            raise StoreTakenError(TAKEN)
        return reserve(*args)  # type: ignore[arg-type]  # handed on as they came

    with capture_logs() as logs, monkeypatch.context() as patched:
        patched.setattr(world.store, "reserve", reserve_four)
        world.watch(world.clock.now())
    (check,) = world.store.open_checks("bot")
    assert len(world.provider.asked) == len(check.runs[0].grades) == 4
    said = [(entry["log_level"], entry["event"]) for entry in logs]
    assert said == [
        ("info", "check started"),
        ("warning", "another program has taken the check over: this one was not heard of for too long"),
    ]
    world.watch(world.clock.now() + 2 * ELSEWHERE_SECONDS)
    assert world.kinds() == ["collecting"]
    assert Counter(world.provider.asked) == ASKED_ONCE


@pytest.mark.parametrize("kind", [StoreLockedError, StoreFullError, StoreUnreachableError, StoreReadOnlyError])
def test_answers_under_way_are_kept_until_a_store_in_trouble_is_back(
    world: World, monkeypatch: pytest.MonkeyPatch, kind: type[StoreLockedError]
) -> None:
    settle, failures = world.store.settle, iter(range(60))

    def settle_later(*args: object, **kwargs: object) -> bool:
        if next(failures, None) is not None:
            raise kind(Problem("storage", "is away", "wait"))
        return settle(*args, **kwargs)  # type: ignore[arg-type]  # handed on as they came

    monkeypatch.setattr(world.store, "settle", settle_later)
    with capture_logs() as logs:
        world.watch(world.clock.now() + 600)
    assert world.kinds() == ["collecting"]
    assert Counter(world.provider.asked) == ASKED_ONCE
    told = [entry["event"] for entry in logs if entry["log_level"] == "error"]
    assert told == ["the check waits for the store; answers under way are kept until then"]


def test_a_database_that_does_not_answer_is_no_ones_error_but_the_services(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    claim, failures = world.store.claim_check, iter(range(20))

    def claim_later(*args: object) -> object:
        if next(failures, None) is not None:
            raise StoreUnreachableError(Problem("storage", "cannot be reached", "wait"))
        return claim(*args)  # type: ignore[arg-type]  # handed on as they came

    monkeypatch.setattr(world.store, "claim_check", claim_later)
    with capture_logs() as logs:
        world.watch(world.clock.now() + 600)
    assert world.kinds() == ["collecting"]
    assert [entry["event"] for entry in logs if entry["log_level"] == "error"] == []


def test_the_turn_is_waited_for_off_the_event_loop(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a server taking and giving back a turn asks the database, and the loop goes on serving meanwhile."""
    turn = world.store.turn
    loops: list[asyncio.AbstractEventLoop | None] = []

    def note(target: str, is_alive: Callable[[], bool]) -> object:
        try:
            loops.append(asyncio.get_running_loop())
        except RuntimeError:
            loops.append(None)
        return turn(target, is_alive)

    monkeypatch.setattr(world.store, "turn", note)
    world.watch(world.clock.now() + 60)
    assert loops == [None]
