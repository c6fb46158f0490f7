"""An event loop with a time of its own, which stands still while anything goes on: no limit runs out because the machine was slow."""

from __future__ import annotations

import asyncio
import selectors
import time
from collections.abc import Coroutine
from typing import Any, TypeVar

_QUIET_SECONDS = 0.2
"""What nobody has done by then is not under way: the next timer is due at once, however far it is."""

_PATIENCE_SECONDS = 60.0
"""How long a loop that never rests is let go on: then its limits run out all the same, and the test fails instead of hanging."""

_Result = TypeVar("_Result")


class _Selector(selectors.DefaultSelector):
    """Time passes where somebody waits for it and nothing else comes."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0
        self._rested_at = time.monotonic()

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = super().select(None if timeout is None else min(timeout, _QUIET_SECONDS))
        if not ready and timeout is not None and timeout > 0:
            self.now += timeout
            self._rested_at = time.monotonic()
        elif time.monotonic() - self._rested_at > _PATIENCE_SECONDS:
            self.now += 1.0
        return ready


class _Loop(asyncio.SelectorEventLoop):
    def __init__(self) -> None:
        self._timed = _Selector()
        super().__init__(self._timed)

    def time(self) -> float:
        return self._timed.now


def run_in_own_time(main: Coroutine[Any, Any, _Result]) -> _Result:
    """As `asyncio.run`. Not for what waits for threads: a thread that works is not seen."""
    with asyncio.Runner(loop_factory=_Loop) as runner:
        return runner.run(main)
