"""How late an event loop comes, and one that has nothing else to do: `python -m benchmarks.napping NOTES` naps until it is ended.

The second tells what the machine adds: how late a program comes that hardly wants a core.
"""

from __future__ import annotations

import asyncio
import json
import signal
import sys
import time
from pathlib import Path

NAP_SECONDS = 0.005
LONG_SECONDS = 0.1


class Watcher:
    """Sleeps five milliseconds at a time; how much later than that it wakes is how long the loop was kept from everybody."""

    def __init__(self) -> None:
        self._naps: list[tuple[float, float]] = []

    async def watch(self) -> None:
        """Nap until cancelled."""
        while True:
            asleep_at, used = time.perf_counter(), time.process_time()
            await asyncio.sleep(NAP_SECONDS)
            self._naps.append((time.perf_counter() - asleep_at - NAP_SECONDS, time.process_time() - used))

    def notes(self) -> dict[str, float]:
        """What was seen. `own_over_100_ms` are those late naps in which this process itself used a core for as long."""
        late = sorted(late for late, _ in self._naps)
        return {
            "worst_ms": round(1000 * late[-1], 1),
            "late_99th_ms": round(1000 * late[int(0.99 * len(late))], 1),
            "over_100_ms": sum(one > LONG_SECONDS for one in late),
            "own_over_100_ms": sum(min(nap) > LONG_SECONDS for nap in self._naps),
            "naps": len(late),
        }


async def nap(notes_file: Path) -> None:
    """Do nothing else until SIGTERM, then leave the notes."""
    stop, watcher = asyncio.Event(), Watcher()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    watching = asyncio.create_task(watcher.watch())
    await stop.wait()
    watching.cancel()
    notes_file.write_text(json.dumps(watcher.notes()))


if __name__ == "__main__":
    asyncio.run(nap(Path(sys.argv[1])))
