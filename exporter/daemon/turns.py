"""A target's turn, taken and given back off the event loop: with a server it is a row in its database."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager

from exporter.errors import StoreLockedError, StoreTakenError
from exporter.store import Store

_closing: set[asyncio.Task[None]] = set()
"""Turns being given back, which whoever was cancelled twice does not wait for."""


class Pulse:
    """Whether an event loop runs, for threads to ask: one that hangs works on nothing, and must not keep others from it."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._has_answered = True

    def beats(self) -> bool:
        """Whether the loop has come round since this was last asked, however often that is."""
        if not self._has_answered:
            return False
        self._has_answered = False
        try:
            self._loop.call_soon_threadsafe(self._answer)
        except RuntimeError:  # it is closed
            return False
        return True

    def _answer(self) -> None:
        self._has_answered = True


@asynccontextmanager
async def turn_of(store: Store, target: str) -> AsyncIterator[None]:
    """Be the only one of all programs to work on a target for as long as the block lasts, and the event loop runs; see `Store.turn`.

    Raises StoreTakenError where another program is at it, and StoreError where that cannot be told.
    """
    held = ExitStack()
    entering = asyncio.create_task(asyncio.to_thread(_enter, held, store, target, Pulse(asyncio.get_running_loop())))
    try:
        await asyncio.shield(entering)
        yield
    finally:
        closing = asyncio.create_task(_close(entering, held))
        _closing.add(closing)
        closing.add_done_callback(_closing.discard)
        await asyncio.shield(closing)


def _enter(held: ExitStack, store: Store, target: str, pulse: Pulse) -> None:
    try:
        held.enter_context(store.turn(target, pulse.beats))
    except StoreLockedError as error:
        raise StoreTakenError(error.problems) from error


async def _close(entering: asyncio.Task[None], held: ExitStack) -> None:
    await asyncio.wait((entering,))
    await asyncio.to_thread(held.close)
