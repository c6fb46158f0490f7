"""How many checks may be under way at once."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from exporter.daemon.gate import Gate


class Visitor:
    """Somebody who passes the gate and stays until told to go."""

    def __init__(self, gate: Gate, weight: int = 4, *, at_once: bool = False) -> None:
        self.inside = False
        self._leaving = asyncio.Event()
        self.task = asyncio.create_task(self._visit(gate, weight, at_once))

    def turn_to_go(self) -> None:
        self._leaving.set()

    async def leave(self) -> None:
        self.turn_to_go()
        await self.task

    async def _visit(self, gate: Gate, weight: int, at_once: bool) -> None:
        async with gate.passed(weight, at_once=at_once):
            self.inside = True
            await self._leaving.wait()
        self.inside = False


async def settle() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


def inside(visitors: list[Visitor]) -> list[bool]:
    return [visitor.inside for visitor in visitors]


def run(act: Callable[[Gate], Awaitable[None]], concurrency: int = 4) -> None:
    asyncio.run(_bound(act(Gate(concurrency))))


async def _bound(acting: Awaitable[None]) -> None:
    async with asyncio.timeout(10):
        await acting


def test_checks_that_could_have_twice_the_requests_under_way_are_let_in_and_the_others_wait_in_order() -> None:
    async def act(gate: Gate) -> None:
        visitors = [Visitor(gate) for _ in range(4)]
        await settle()
        assert inside(visitors) == [True, True, False, False]
        await visitors[1].leave()
        await settle()
        assert inside(visitors) == [True, False, True, False]

    run(act)


def test_a_check_that_weighs_more_than_all_is_let_in_alone() -> None:
    async def act(gate: Gate) -> None:
        heavy, light = Visitor(gate, 100), Visitor(gate, 1)
        await settle()
        assert inside([heavy, light]) == [True, False]
        await heavy.leave()
        await settle()
        assert light.inside

    run(act, concurrency=1)


def test_who_need_not_wait_is_let_in_however_many_there_are_and_counts() -> None:
    async def act(gate: Gate) -> None:
        visitors = [Visitor(gate), Visitor(gate), Visitor(gate, at_once=True), Visitor(gate)]
        await settle()
        assert inside(visitors) == [True, True, True, False]
        await visitors[0].leave()
        await settle()
        assert inside(visitors) == [False, True, True, False]
        await visitors[2].leave()
        await settle()
        assert visitors[3].inside

    run(act)


@pytest.mark.parametrize("is_let_in_first", [False, True])
def test_who_gives_up_waiting_keeps_nobody_out(is_let_in_first: bool) -> None:
    async def act(gate: Gate) -> None:
        visitors = [Visitor(gate, 8), Visitor(gate, 8), Visitor(gate, 8)]
        await settle()
        if is_let_in_first:
            visitors[0].turn_to_go()
            await asyncio.sleep(0)  # the second is let in, and has not moved yet
        visitors[1].task.cancel()
        await settle()
        if not is_let_in_first:
            assert inside(visitors) == [True, False, False]
            await visitors[0].leave()
            await settle()
        assert inside(visitors) == [False, False, True]

    run(act)


def test_another_number_of_requests_lets_others_in_or_makes_them_wait_longer() -> None:
    async def act(gate: Gate) -> None:
        visitors = [Visitor(gate) for _ in range(4)]
        await settle()
        gate.resize(6)
        await settle()
        assert inside(visitors) == [True, True, True, False]
        gate.resize(4)
        await visitors[0].leave()
        await settle()
        assert inside(visitors) == [False, True, True, False]

    run(act)
