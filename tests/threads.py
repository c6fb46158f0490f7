"""A server with an asyncio loop of its own, in a thread of this process."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import AbstractAsyncContextManager, contextmanager
from typing import TypeVar

_Served = TypeVar("_Served")


@contextmanager
def in_thread(serving: AbstractAsyncContextManager[_Served]) -> Iterator[tuple[_Served, asyncio.AbstractEventLoop]]:
    """What `serving` gives, and the loop that it runs in, for as long as the block lasts."""
    loop, started, stop = asyncio.new_event_loop(), threading.Event(), asyncio.Event()
    running: list[_Served] = []

    async def serve() -> None:
        try:
            async with serving as served:
                running.append(served)
                started.set()
                await stop.wait()
        finally:
            started.set()  # also where nothing came of it, so that the test fails and does not hang

    thread = threading.Thread(target=lambda: loop.run_until_complete(serve()))
    thread.start()
    started.wait()
    try:
        yield running[0], loop
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join()
        loop.close()
