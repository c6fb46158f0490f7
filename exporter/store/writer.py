"""The one thread that writes: calls are carried out one after the other, in the order in which they were made."""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from functools import partial
from itertools import groupby
from typing import Any, ParamSpec, TypeVar

from exporter.errors import Problem, StoreError
from exporter.store.database import BatchError

_Parameters = ParamSpec("_Parameters")
_Result = TypeVar("_Result")

MOST_AT_ONCE = 256
"""Calls that share a transaction at the most, so that none waits long for the others."""

GATHER_SECONDS = 0.01
"""How long more calls are waited for where several shared the last transaction: one transaction costs as much as some of the writes."""


class _Call:
    """A function to be called, and who waits for what comes of it."""

    def __init__(self, function: Callable[[], Any]) -> None:
        self.function = function
        self.loop = asyncio.get_running_loop()
        self.future: asyncio.Future[Any] = self.loop.create_future()
        self.result: Any = None
        self.error: BaseException | None = None

    def make(self) -> None:
        """Call it and keep what comes of it."""
        self.result = self.error = None
        try:
            self.result = self.function()
        except BatchError:
            raise
        except BaseException as error:  # whoever waits for it gets it, the thread goes on
            self.error = error

    def tell(self) -> None:
        """Hand over what came of it. In the loop of who waits, or has been cancelled meanwhile."""
        if self.future.done():
            return
        if self.error is None:
            self.future.set_result(self.result)
        else:
            self.future.set_exception(self.error)


def _tell(calls: Iterable[_Call]) -> None:
    """Tell all at once: each waking of the loop from another thread costs as much as some of the writes."""
    for call in calls:
        call.tell()


class Writer:
    """A queue and the thread that works it off, so that the event loop never waits for a disk.

    Calls that pile up while the disk is waited for are made inside one `batch` (Store.batch): they are kept together, and nobody
    is told before they are. What was handed over is done, also where the caller is cancelled while it waits: it was paid for.
    """

    def __init__(self, batch: Callable[[], AbstractContextManager[None]] = nullcontext) -> None:
        self._batch = batch
        self._calls: queue.SimpleQueue[_Call | None] = queue.SimpleQueue()
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._work, name="store-writer", daemon=True)
        self._thread.start()

    async def call(self, function: Callable[_Parameters, _Result], /, *args: _Parameters.args, **kwargs: _Parameters.kwargs) -> _Result:
        """The result of `function` once it has been called in the thread; what it raises is raised here.

        Raises StoreError after `close`.
        """
        if self._closing.is_set():
            raise StoreError(Problem("storage", "the program is stopping, nothing more is written", "start it again"))
        call = _Call(partial(function, *args, **kwargs))
        self._calls.put(call)
        result: _Result = await call.future
        return result

    async def close(self) -> None:
        """Take no more calls, and return when all that were made are done."""
        self._closing.set()
        self._calls.put(None)
        await asyncio.to_thread(self._thread.join)

    def _work(self) -> None:
        going_on, is_busy = True, False
        while going_on:
            taken = [self._calls.get()]
            if is_busy:
                self._closing.wait(GATHER_SECONDS)
            while len(taken) < MOST_AT_ONCE and not self._calls.empty():
                taken.append(self._calls.get())
            going_on, is_busy = None not in taken, len(taken) > 1
            self._make([call for call in taken if call is not None])

    def _make(self, calls: Sequence[_Call]) -> None:
        """Make them together where there are several, else each by itself, and tell those who wait."""
        if len(calls) < 2 or not self._make_together(calls):
            for call in calls:
                call.make()
        for loop, told in groupby(calls, key=lambda call: call.loop):
            with suppress(RuntimeError):  # a loop that was closed meanwhile has nobody in it who waits
                loop.call_soon_threadsafe(_tell, tuple(told))

    def _make_together(self, calls: Sequence[_Call]) -> bool:
        """False, and nothing is kept, where that fails: made by itself, each call will have its own error."""
        try:
            with self._batch():
                for call in calls:
                    call.make()
        except Exception:  # also one that nobody foresaw: without this thread every check would wait for ever
            return False
        return True
