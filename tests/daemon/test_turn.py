"""Two programs, one store: a check that one of them is at is left alone by the other."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from exporter.config import TotalBudget
from exporter.daemon.check import Checker
from exporter.daemon.turns import Pulse, turn_of
from exporter.errors import StoreTakenError
from exporter.records import Check, CheckKind, Verdict
from exporter.store import Store, Writer, open_store
from tests.daemon.world import World


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with World(tmp_path) as made:
        yield made


def go_on(world: World, check: Check) -> Verdict | None:
    async def make() -> Verdict | None:
        writer = Writer()
        try:
            return await Checker(world.workshop(writer), world.live, TotalBudget()).go_on(check)
        finally:
            await writer.close()

    return asyncio.run(make())


def test_nothing_is_asked_while_another_program_is_at_the_target(world: World) -> None:
    check = world.store.claim_check("bot", CheckKind.SCHEDULED, 1.0, world.clock.now())
    other = open_store(world.config.storage)
    assert check is not None
    with other.turn("bot"), pytest.raises(StoreTakenError, match="another program is checking it at this moment"):
        go_on(world, check)
    other.close()
    assert world.provider.asked == []
    assert world.store.check(check.id).runs == ()


def test_a_check_that_another_program_has_ended_meanwhile_is_not_asked_again(world: World) -> None:
    check = world.store.claim_check("bot", CheckKind.SCHEDULED, 1.0, world.clock.now())
    assert check is not None
    verdict = go_on(world, check)
    assert go_on(world, check) == verdict
    assert len(world.provider.asked) == 12


def test_a_loop_beats_where_it_has_come_round_since_it_was_last_asked() -> None:
    async def ask() -> Pulse:
        pulse = Pulse(asyncio.get_running_loop())
        assert [pulse.beats(), pulse.beats(), pulse.beats()] == [True, False, False]
        await asyncio.sleep(0)
        assert [pulse.beats(), pulse.beats()] == [True, False]
        await asyncio.sleep(0)
        return pulse

    pulse = asyncio.run(ask())
    assert [pulse.beats(), pulse.beats()] == [False, False]  # the loop is closed


def test_a_turn_is_kept_only_while_the_loop_that_took_it_runs(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    turn = Store.turn
    handed: list[Callable[[], bool]] = []

    def note(store: Store, target: str, is_alive: Callable[[], bool]) -> AbstractContextManager[None]:
        handed.append(is_alive)
        return turn(store, target, is_alive)

    monkeypatch.setattr(Store, "turn", note)

    async def hold() -> None:
        async with turn_of(world.store, "bot"):
            (is_alive,) = handed
            assert [is_alive(), is_alive()] == [True, False]
            await asyncio.sleep(0)
            assert is_alive()

    asyncio.run(hold())
