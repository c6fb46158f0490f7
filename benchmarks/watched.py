"""The daemon with somebody beside it who notes how late its event loop comes: `python -m benchmarks.watched CONFIG PORT NOTES`."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

from benchmarks.harness import LOOPBACK
from benchmarks.napping import Watcher
from exporter.clock import SystemClock
from exporter.daemon.live import load_live
from exporter.daemon.logs import set_up_logs
from exporter.daemon.service import Service
from exporter.daemon.serving import serve
from exporter.metrics import Tallies
from exporter.store import open_store
from exporter.web.address import ListenAddress
from exporter.web.server import open_listener


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
