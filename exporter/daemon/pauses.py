"""A sleep that something may end early."""

from __future__ import annotations

import asyncio

from exporter.clock import Clock


async def pause(clock: Clock, seconds: float, unless: asyncio.Event) -> None:
    """Sleep, but not past the moment in which `unless` is set."""
    sleeping = asyncio.create_task(clock.sleep(seconds))
    waking = asyncio.create_task(unless.wait())
    try:
        await asyncio.wait((sleeping, waking), return_when=asyncio.FIRST_COMPLETED)
    finally:
        sleeping.cancel()
        waking.cancel()
