"""Who may begin, on a clock that moves when told."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from exporter.daemon.admission import LENT_SECONDS, Admission
from tests.fakes import FakeClock


class StandingClock(FakeClock):
    """Sleepers wake when somebody else has moved the clock far enough."""

    async def sleep(self, seconds: float) -> None:
        until = self.monotonic() + seconds
        while self.monotonic() < until:
            await asyncio.sleep(0)


class Crowd:
    """Checks by name that ask for a place in the order of their names, and hold it until they are told to end."""

    def __init__(self, admission: Admission, names: str) -> None:
        self.begun: list[str] = []
        self.turned_away: list[str] = []
        self.unless = asyncio.Event()
        self._ends = {name: asyncio.Event() for name in names}
        self.tasks = {name: asyncio.create_task(self._check(admission, name)) for name in names}

    async def _check(self, admission: Admission, name: str) -> None:
        async with admission.place(self.unless) as admitted:
            (self.begun if admitted else self.turned_away).append(name)
            if admitted:
                await self._ends[name].wait()

    async def end(self, *names: str) -> None:
        for name in names:
            self._ends[name].set()
        await settle()


async def settle() -> None:
    """Let everybody go as far as they can."""
    for _ in range(30):
        await asyncio.sleep(0)


def run(places: int, names: str, act: Callable[[Admission, Crowd, StandingClock], Awaitable[None]]) -> None:
    async def live() -> None:
        clock = StandingClock()
        admission = Admission(places, clock)
        crowd = Crowd(admission, names)
        await settle()
        await act(admission, crowd, clock)
        for task in crowd.tasks.values():
            task.cancel()
        await asyncio.gather(*crowd.tasks.values(), return_exceptions=True)

    asyncio.run(live())


def test_who_asks_first_begins_first_and_the_others_when_a_place_is_free() -> None:
    async def act(_admission: Admission, crowd: Crowd, _clock: StandingClock) -> None:
        assert crowd.begun == ["a", "b"]
        await crowd.end("b")
        assert crowd.begun == ["a", "b", "c"]
        await crowd.end("a", "c")
        assert crowd.begun == ["a", "b", "c", "d", "e"]

    run(2, "abcde", act)


def test_who_hangs_keeps_its_place_from_others_for_a_while_only() -> None:
    async def act(_admission: Admission, crowd: Crowd, clock: StandingClock) -> None:
        clock.advance(LENT_SECONDS - 1)
        await settle()
        assert crowd.begun == ["a", "b"]
        clock.advance(1)
        await settle()
        assert crowd.begun == ["a", "b", "c", "d"]
        await crowd.end("a", "b")
        assert crowd.begun == ["a", "b", "c", "d"]

    run(2, "abcdef", act)


def test_who_gives_up_waiting_lets_the_next_one_in() -> None:
    async def act(_admission: Admission, crowd: Crowd, _clock: StandingClock) -> None:
        crowd.tasks["b"].cancel()
        await crowd.end("a")
        assert crowd.begun == ["a", "c"]

    run(1, "abc", act)


def test_who_is_called_away_has_no_place() -> None:
    async def act(_admission: Admission, crowd: Crowd, _clock: StandingClock) -> None:
        crowd.unless.set()
        await settle()
        assert (crowd.begun, crowd.turned_away) == (["a"], ["b", "c"])

    run(1, "abc", act)


def test_more_places_are_used_at_once_and_fewer_as_checks_end() -> None:
    async def act(admission: Admission, crowd: Crowd, _clock: StandingClock) -> None:
        admission.resize(3)
        await settle()
        assert crowd.begun == ["a", "b", "c"]
        admission.resize(1)
        await crowd.end("a", "b")
        assert crowd.begun == ["a", "b", "c"]
        await crowd.end("c")
        assert crowd.begun == ["a", "b", "c", "d"]

    run(1, "abcd", act)
