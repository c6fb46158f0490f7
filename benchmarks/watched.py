"""The daemon with somebody beside it who notes how late its event loop comes: `python -m benchmarks.watched CONFIG PORT NOTES`.

The watcher sleeps five milliseconds at a time; how much later than that it wakes is how long the loop was kept from everybody.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from pathlib import Path

from benchmarks.harness import LOOPBACK
from exporter.clock import SystemClock
from exporter.daemon.live import load_live
from exporter.daemon.logs import set_up_logs
from exporter.daemon.service import Service
from exporter.daemon.serving import serve
from exporter.metrics import Tallies
from exporter.store import open_store
from exporter.web.address import ListenAddress
from exporter.web.server import open_listener

NAP_SECONDS = 0.005
LONG_SECONDS = 0.1


class Watcher:
    """Lateness of the loop: the worst, how often it was long, and the share of naps that were late by more than 20 ms."""

    def __init__(self) -> None:
        self._late: list[float] = []

    async def watch(self) -> None:
        """Nap until cancelled."""
        while True:
            asleep_at = time.perf_counter()
            await asyncio.sleep(NAP_SECONDS)
            self._late.append(time.perf_counter() - asleep_at - NAP_SECONDS)

    def notes(self) -> dict[str, float]:
        """What was seen, in milliseconds."""
        late = sorted(self._late)
        return {
            "worst_ms": round(1000 * late[-1], 1),
            "late_99th_ms": round(1000 * late[int(0.99 * len(late))], 1),
            "over_100_ms": sum(one > LONG_SECONDS for one in late),
            "naps": len(late),
        }


async def run(config_file: Path, port: int, notes_file: Path) -> None:
    """Serve until SIGTERM, then leave the notes."""
    tallies, stop, watcher = Tallies(), asyncio.Event(), Watcher()
    set_up_logs("info", "logfmt", tallies)
    live = load_live(config_file)
    listener, _ = open_listener(ListenAddress(LOOPBACK, port))
    store = open_store(live.config.storage)
    service = Service(config_file, live, store, SystemClock(), tallies=tallies)
    service.handle_signals(stop)
    watching = asyncio.create_task(watcher.watch())
    await serve(service, [listener], stop)
    watching.cancel()
    store.close()
    notes_file.write_text(json.dumps(watcher.notes()))


if __name__ == "__main__":
    asyncio.run(run(Path(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3])))
