"""How much memory a daemon holds that shows 60 days of history and is scraped: with one target and with a thousand.

Prints one line of JSON.
"""

from __future__ import annotations

import time

from benchmarks.harness import LOOPBACK, get, memory_mb, running_daemon, scratch, tell, wait_until_ready
from benchmarks.stores import Size, fill_store, write_config

SIZES = (1, 1000)
DAYS = 60
SCRAPES = 10
PAUSE_SECONDS = 1.0


def weigh(size: Size, scrapes: int = SCRAPES, pause_seconds: float = PAUSE_SECONDS) -> dict[str, object]:
    """MB after the scrapes, and the most there ever were."""
    with scratch() as folder:
        config_file = write_config(folder, size, base_url=f"http://{LOOPBACK}:9/v1")
        fill_store(config_file, size.days)
        with running_daemon(config_file, folder) as (process, port):
            wait_until_ready(process, port)
            for number in range(scrapes):
                get(port, "/metrics", {"Accept-Encoding": "gzip"} if number % 2 else {})
                time.sleep(pause_seconds)
            return {"resident_mb": round(memory_mb(process.pid)), "peak_mb": round(memory_mb(process.pid, "VmHWM"))}


def main() -> None:
    """Print the figures of all sizes."""
    tell("memory", {f"targets_{targets}": weigh(Size(targets=targets, days=DAYS)) for targets in SIZES})


if __name__ == "__main__":
    main()
