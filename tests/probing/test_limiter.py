from __future__ import annotations

import asyncio

from exporter.probing.limiter import Limiter, UnderWay


def test_a_slot_is_waited_for_until_one_is_given_back() -> None:
    async def queue() -> None:
        limiter = Limiter(1)
        slot = await limiter.acquire()
        second = asyncio.create_task(limiter.acquire())
        await asyncio.sleep(0)
        assert not second.done()
        slot.leave(settled=True)
        await second

    asyncio.run(queue())


def test_a_slot_is_free_with_the_answer_and_the_request_under_way_until_it_is_settled() -> None:
    async def queue() -> None:
        limiter = Limiter(1)
        first = await limiter.acquire()
        first.free()
        second = await limiter.acquire()
        third = asyncio.create_task(limiter.acquire())
        settled = asyncio.create_task(limiter.under_way.more_settled(0))
        first.leave(settled=True)
        assert await settled is True
        assert not third.done()
        second.leave(settled=False)
        await third

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
