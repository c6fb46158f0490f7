from __future__ import annotations

import asyncio

from exporter.probing.limiter import Limiter, UnderWay


def test_a_slot_is_waited_for_until_one_is_given_back() -> None:
    async def queue() -> None:
        limiter = Limiter(1)
        first, second = limiter.queue(), limiter.queue()
        await first.wait()
        waiting = asyncio.create_task(second.wait())
        await asyncio.sleep(0)
        assert not waiting.done()
        first.free()
        await waiting

    asyncio.run(queue())


def test_who_came_first_is_served_first() -> None:
    async def queue() -> list[str]:
        limiter, served = Limiter(1), list[str]()

        async def ask(name: str) -> None:
            slot = limiter.queue()
            await slot.wait()
            served.append(name)
            slot.free()

        await asyncio.gather(*(ask(name) for name in "abcd"))
        return served

    assert asyncio.run(queue()) == ["a", "b", "c", "d"]


def test_a_slot_that_is_freed_twice_makes_room_for_one() -> None:
    async def queue() -> None:
        limiter = Limiter(1)
        first, second, third = limiter.queue(), limiter.queue(), limiter.queue()
        first.free()
        first.free()
        await second.wait()
        waiting = asyncio.create_task(third.wait())
        await asyncio.sleep(0)
        assert not waiting.done()
        second.free()
        await waiting

    asyncio.run(queue())


def test_who_leaves_the_queue_waits_no_longer_and_takes_nobodys_place() -> None:
    async def queue() -> None:
        limiter = Limiter(1)
        first, second, third = limiter.queue(), limiter.queue(), limiter.queue()
        leaving = asyncio.create_task(second.wait())
        await asyncio.sleep(0)
        second.leave_queue()
        await leaving
        first.free()
        await third.wait()

    asyncio.run(queue())


def test_a_slot_that_is_taken_is_kept_when_its_queue_is_left() -> None:
    async def queue() -> None:
        limiter = Limiter(1)
        first, second = limiter.queue(), limiter.queue()
        first.leave_queue()
        waiting = asyncio.create_task(second.wait())
        await asyncio.sleep(0)
        assert not waiting.done()
        first.free()
        await waiting

    asyncio.run(queue())


def test_another_number_at_once_holds_for_who_comes_next() -> None:
    async def queue() -> None:
        limiter = Limiter(1)
        first, second, third, fourth = (limiter.queue() for _ in range(4))
        limiter.resize(3)
        for slot in (first, second, third):
            await slot.wait()
        limiter.resize(1)
        waiting = asyncio.create_task(fourth.wait())
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
