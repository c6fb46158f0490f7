"""How long a daemon with history takes to be ready, and whether a start, a scrape and a refresh grow with that history.

Prints one line of JSON. The start of Python with the program's own modules is timed in turn.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.harness import LOOPBACK, TOP, middle, own_cpu_seconds, running_daemon, scratch, tell, wait_until_ready
from benchmarks.stores import Size, fill_store, write_config
from exporter.daemon.live import load_live
from exporter.daemon.snapshots import build_snapshot
from exporter.metrics import Exposition, MetricsView
from exporter.store import open_store

TARGETS = 100
DAYS = (30, 90, 365)
ROUNDS = 5


def time_start(config_file: Path, folder: Path) -> float:
    """Seconds from the start of the process to the first 200 of /-/ready."""
    with running_daemon(config_file, folder) as (process, port):
        return wait_until_ready(process, port)


def time_import(folder: Path) -> float:
    """Seconds of a process that only imports what `serve` imports."""
    started = time.perf_counter()
    subprocess.run([sys.executable, "-c", "import exporter.cli.serve"], cwd=folder, env={"PYTHONPATH": str(TOP)}, check=True)
    return time.perf_counter() - started


def time_refresh(config_file: Path, rounds: int) -> dict[str, float]:
    """Milliseconds of processor time: one target read again from the store, and the scrape after it."""
    live = load_live(config_file, with_keys=False)
    store, exposition = open_store(live.config.storage), Exposition()
    now = time.time()
    first, *others = (build_snapshot(store, target, now) for target in live.targets.values())
    exposition.render(MetricsView(snapshots=(first, *others)), "")
    target = live.targets[first.target]
    refreshes, scrapes = [], []
    for _ in range(rounds):
        refreshes.append(own_cpu_seconds(lambda: build_snapshot(store, target, now)))
        changed = MetricsView(snapshots=(build_snapshot(store, target, now), *others))
        scrapes.append(own_cpu_seconds(lambda view=changed: exposition.render(view, "")))  # type: ignore[misc]  # a default binds it
    store.close()
    return {"refresh_ms": middle((1000 * one for one in refreshes), 1), "scrape_ms": middle((1000 * one for one in scrapes), 1)}


def measure(targets: int = TARGETS, days: Sequence[int] = DAYS, rounds: int = ROUNDS, questions: int = 34) -> dict[str, object]:
    """The figures for each length of history, the daemon's start in turn with that of the modules alone."""
    figures: dict[str, object] = {"targets": targets}
    for length in days:
        with scratch() as folder:
            config_file = write_config(folder, Size(targets, length, questions), base_url=f"http://{LOOPBACK}:9/v1")
            fill_store(config_file, length)
            starts, imports = [], []
            for _ in range(rounds):
                imports.append(time_import(folder))
                starts.append(time_start(config_file, folder))
            figures[f"days_{length}"] = {
                "ready_seconds": middle(starts),
                "of_import": middle(start / alone for start, alone in zip(starts, imports, strict=True)),
                **time_refresh(config_file, 4 * rounds),
            }
    return figures


if __name__ == "__main__":
    tell("start", measure())
