"""Two programs, one store: a check that one of them is at is left alone by the other."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from exporter.config import TotalBudget
from exporter.daemon.check import Checker
from exporter.errors import StoreTakenError
from exporter.records import Check, CheckKind, Verdict
from exporter.store import Writer, open_store
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
