from __future__ import annotations

import asyncio

from exporter.probing.limiter import Limiter, Slot, UnderWay


async def take(limiter: Limiter, number: int) -> list[Slot]:
    slots = [Slot(limiter) for _ in range(number)]
    for slot in slots:
        await slot.take()
    return slots


async def wait(slot: Slot) -> asyncio.Task[None]:
    waiting = asyncio.create_task(slot.take())
    await asyncio.sleep(0)
    return waiting


def test_a_slot_is_waited_for_until_one_is_given_back() -> None:
    async def queue() -> None:
        limiter = Limiter(1)
        (first,) = await take(limiter, 1)
        waiting = await wait(Slot(limiter))
        assert not waiting.done()
        first.free()
        await waiting

    asyncio.run(queue())


def test_who_came_first_is_served_first() -> None:
    async def queue() -> list[str]:
        limiter, served = Limiter(1), list[str]()

        async def ask(name: str) -> None:
            slot = Slot(limiter)
            await slot.take()
            served.append(name)
            slot.free()

        await asyncio.gather(*(ask(name) for name in "abcd"))
        return served

    assert asyncio.run(queue()) == ["a", "b", "c", "d"]


def test_a_slot_that_is_freed_twice_makes_room_for_one() -> None:
    async def queue() -> None:
        limiter = Limiter(1)
        (first,) = await take(limiter, 1)
        second, third = Slot(limiter), Slot(limiter)
        waiting = await wait(second), await wait(third)
        first.free()
        first.free()
        await waiting[0]
        await asyncio.sleep(0)
        assert not waiting[1].done()
        second.free()
        await waiting[1]

    asyncio.run(queue())


def test_who_gives_a_slot_up_waits_no_longer_and_takes_nobodys_place() -> None:
    async def queue() -> None:
        limiter = Limiter(1)
        (first,) = await take(limiter, 1)
        second = Slot(limiter)
        leaving, waiting = await wait(second), await wait(Slot(limiter))
        second.give_up()
        await leaving
        first.free()
        await waiting

    asyncio.run(queue())


def test_a_slot_that_was_given_up_before_it_was_waited_for_is_not_waited_for() -> None:
    async def queue() -> None:
        limiter = Limiter(1)
        (first,) = await take(limiter, 1)
        second = Slot(limiter)
        second.give_up()
        await second.take()
        second.free()
        first.free()
        await take(limiter, 1)

    asyncio.run(queue())


def test_a_slot_that_is_taken_is_kept_where_it_is_given_up_too_late() -> None:
    async def queue() -> None:
        limiter = Limiter(1)
        (first,) = await take(limiter, 1)
        first.give_up()
        waiting = await wait(Slot(limiter))
        assert not waiting.done()
        first.free()
        await waiting

    asyncio.run(queue())


def test_another_number_at_once_holds_for_who_comes_next() -> None:
    async def queue() -> None:
        limiter = Limiter(1)
        limiter.resize(3)
        first, second, third = await take(limiter, 3)
        limiter.resize(1)
        waiting = await wait(Slot(limiter))
        first.free()
        second.free()
        await asyncio.sleep(0)
        assert not waiting.done()
        third.free()
        await waiting

    asyncio.run(queue())


def test_a_settlement_is_waited_for_while_something_is_under_way() -> None:
    async def watch() -> None:
        under_way = UnderWay()
        under_way.enter()
        under_way.enter()
        waiting = asyncio.create_task(under_way.more_settled(0))
        await asyncio.sleep(0)
        under_way.leave(settled=False)
        await asyncio.sleep(0)
        assert not waiting.done()
        under_way.leave(settled=True)
        assert await waiting is True

    asyncio.run(watch())


def test_nothing_is_waited_for_where_nothing_is_under_way() -> None:
    async def watch() -> None:
        under_way = UnderWay()
        assert await under_way.more_settled(0) is False
        under_way.enter()
        waiting = asyncio.create_task(under_way.more_settled(0))
        await asyncio.sleep(0)
        under_way.leave(settled=False)
        assert await waiting is False

    asyncio.run(watch())


def test_a_settlement_that_was_missed_counts_too() -> None:
    async def watch() -> None:
        under_way = UnderWay()
        under_way.enter()
        under_way.leave(settled=True)
        assert await under_way.more_settled(0) is True

    asyncio.run(watch())
