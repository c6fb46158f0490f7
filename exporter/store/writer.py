"""The one thread that writes: calls are carried out one after the other, in the order in which they were made."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import ParamSpec, TypeVar

from exporter.errors import Problem, StoreError

_Parameters = ParamSpec("_Parameters")
_Result = TypeVar("_Result")


class Writer:
    """A queue and the thread that works it off, so that the event loop never waits for a disk.

    What was handed over is done, also where the caller is cancelled while it waits: the answer was paid for.
    """

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="store-writer")
        self._closed = False

    async def call(self, function: Callable[_Parameters, _Result], /, *args: _Parameters.args, **kwargs: _Parameters.kwargs) -> _Result:
        """The result of `function` once it has been called in the thread; what it raises is raised here.

        Raises StoreError after `close`.
        """
        if self._closed:
            raise StoreError(Problem("storage", "the program is stopping, nothing more is written", "start it again"))
        work = asyncio.get_running_loop().run_in_executor(self._thread, partial(function, *args, **kwargs))
        return await asyncio.shield(work)

    async def close(self) -> None:
        """Take no more calls, and return when all that were made are done."""
        self._closed = True
        await asyncio.to_thread(self._thread.shutdown)
