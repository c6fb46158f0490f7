from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Iterator

import pytest

from exporter.errors import StoreError
from exporter.store import Writer


def test_calls_are_done_in_the_order_in_which_they_were_made_by_one_thread() -> None:
    done: list[int] = []
    threads: set[int] = set()

    def note(number: int) -> int:
        done.append(number)
        threads.add(threading.get_ident())
        return number * 2

    async def scenario() -> list[int]:
        writer = Writer()
        results = await asyncio.gather(*(writer.call(note, number) for number in range(200)))
        await writer.close()
        return results

    assert asyncio.run(scenario()) == [number * 2 for number in range(200)]
    assert done == list(range(200))
    assert len(threads) == 1
    assert threading.get_ident() not in threads


def test_what_a_call_raises_is_raised_where_it_is_awaited_and_nowhere_else() -> None:
    def fail(word: str) -> None:
        raise KeyError(word)

    async def scenario() -> list[object]:
        writer = Writer()
        outcomes = await asyncio.gather(writer.call(fail, "a"), writer.call(int, "7"), writer.call(fail, word="b"), return_exceptions=True)
        await writer.close()
        return outcomes

    first, second, third = asyncio.run(scenario())
    assert isinstance(first, KeyError)
    assert second == 7
    assert isinstance(third, KeyError)
    assert (first.args, third.args) == (("a",), ("b",))


def test_close_returns_when_all_that_was_handed_over_is_done() -> None:
    done: list[int] = []

    async def scenario() -> None:
        writer = Writer()
        gate = threading.Event()
        held = asyncio.ensure_future(writer.call(gate.wait))
        calls = [asyncio.ensure_future(writer.call(done.append, number)) for number in range(50)]
        await asyncio.sleep(0)
        closing = asyncio.ensure_future(writer.close())
        await asyncio.sleep(0)
        assert not closing.done()
        gate.set()
        await closing
        assert done == list(range(50))
        await asyncio.gather(held, *calls)

    asyncio.run(scenario())


def test_nobody_is_told_before_the_batch_is_kept() -> None:
    keeping, kept = threading.Event(), threading.Event()

    @contextlib.contextmanager
    def batch() -> Iterator[None]:
        yield
        keeping.set()
        kept.wait()

    async def scenario() -> None:
        writer = Writer(batch)
        gate = threading.Event()
        held = asyncio.ensure_future(writer.call(gate.wait))
        calls = [asyncio.ensure_future(writer.call(int, "7")) for _ in range(3)]
        await asyncio.sleep(0)
        gate.set()
        await asyncio.to_thread(keeping.wait)
        assert not any(call.done() for call in calls)
        kept.set()
        assert await asyncio.gather(held, *calls) == [True, 7, 7, 7]
        await writer.close()

    asyncio.run(scenario())


def test_while_calls_come_together_more_are_waited_for_until_the_writer_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("exporter.store.writer.GATHER_SECONDS", 60.0)
    batches: list[list[str]] = []
    made: list[str] = []

    @contextlib.contextmanager
    def batch() -> Iterator[None]:
        made.clear()
        yield
        batches.append(list(made))

    async def scenario() -> None:
        writer = Writer(batch)
        gate = threading.Event()
        held = asyncio.ensure_future(writer.call(gate.wait))
        together = [asyncio.ensure_future(writer.call(made.append, name)) for name in ("a", "b")]
        await asyncio.sleep(0)
        gate.set()
        await asyncio.gather(held, *together)
        later = asyncio.ensure_future(writer.call(made.append, "c"))
        await asyncio.sleep(0)
        last = asyncio.ensure_future(writer.call(made.append, "d"))
        await asyncio.sleep(0)
        await writer.close()
        await asyncio.gather(later, last)

    asyncio.run(scenario())
    assert batches[-1] == ["c", "d"]


def test_a_batch_that_fails_as_nobody_foresaw_ends_neither_its_calls_nor_the_thread() -> None:
    @contextlib.contextmanager
    def batch() -> Iterator[None]:
        yield
        raise KeyError("unforeseen")

    async def scenario() -> list[object]:
        writer = Writer(batch)
        gate = threading.Event()
        held = asyncio.ensure_future(writer.call(gate.wait))
        calls = [asyncio.ensure_future(writer.call(int, "7")) for _ in range(3)]
        await asyncio.sleep(0)
        gate.set()
        async with asyncio.timeout(60):
            outcomes: list[object] = await asyncio.gather(held, *calls)
        await writer.close()
        return outcomes

    assert asyncio.run(scenario()) == [True, 7, 7, 7]


def test_a_cancelled_caller_takes_nothing_back() -> None:
    done: list[str] = []

    async def scenario() -> None:
        writer = Writer()
        gate = threading.Event()
        held = asyncio.ensure_future(writer.call(gate.wait))
        settling = asyncio.ensure_future(writer.call(done.append, "settled"))
        await asyncio.sleep(0)
        settling.cancel()
        with pytest.raises(asyncio.CancelledError):
            await settling
        assert done == []
        gate.set()
        await held
        await writer.close()

    asyncio.run(scenario())
    assert done == ["settled"]


def test_a_closed_writer_takes_nothing_more() -> None:
    async def scenario() -> None:
        writer = Writer()
        await writer.close()
        await writer.close()
        await writer.call(int, "7")

    with pytest.raises(StoreError, match=r"^storage: the program is stopping, nothing more is written; start it again$"):
        asyncio.run(scenario())
