"""Many targets due at once: requests a second under the limit on all of them, while scrapes go on and the loop is watched.

Prints one line of JSON. The provider is a process of its own, and a plain httpx client asks it in turn with the daemon.
"""

from __future__ import annotations

import asyncio
import json
import sys
import threading
import time
from pathlib import Path

import httpx

from benchmarks.harness import LOOPBACK, cpu_seconds, free_port, get, memory_mb, middle, running, scratch, tell, wait_until_ready
from benchmarks.provider import answered, running_provider
from benchmarks.stores import DAY, Size, fill_store, write_config

LATENCY_SECONDS = 0.1
MOST_SECONDS = 150.0
"""How long the daemon is let work at the most; what it has done by then is counted."""

SCRAPE_SECONDS = 1.5
PLAIN_SECONDS = 5.0


class Scraper(threading.Thread):
    """Scrapes as Prometheus does, compressed, until stopped; keeps how long each scrape took."""

    def __init__(self, port: int) -> None:
        super().__init__(daemon=True)
        self._port = port
        self._stopped = threading.Event()
        self.seconds: list[float] = []

    def run(self) -> None:
        """Scrape."""
        while not self._stopped.wait(SCRAPE_SECONDS):
            started = time.perf_counter()
            status, _ = get(self._port, "/metrics", {"Accept-Encoding": "gzip"})
            if status == 200:
                self.seconds.append(time.perf_counter() - started)

    def stop(self) -> None:
        """End after the scrape under way."""
        self._stopped.set()
        self.join()


async def ask_plainly(port: int, concurrency: int, questions: int, seconds: float) -> float:
    """Requests a second of httpx alone: the same requests, on clients that are closed after as many as a check has."""
    body = json.dumps({"model": "model-1", "max_tokens": 512, "messages": [{"role": "user", "content": "x" * 400}]}).encode()
    context = httpx.create_ssl_context()
    started, count = time.perf_counter(), 0

    async def work() -> None:
        nonlocal count
        while True:
            async with httpx.AsyncClient(timeout=None, verify=context) as client:  # noqa: S113  # ended from outside
                for _ in range(questions):
                    if time.perf_counter() - started > seconds:
                        return
                    response = await client.post(f"http://{LOOPBACK}:{port}/v1/chat/completions", content=body)
                    json.loads(response.content)
                    count += 1

    await asyncio.gather(*(work() for _ in range(concurrency)))
    return count / (time.perf_counter() - started)


def work_off(folder: Path, config_file: Path, provider_port: int, expected: int, seconds: float) -> dict[str, object]:
    """Let the daemon do what is due, scraping it meanwhile."""
    port, notes_file = free_port(), folder / "notes.json"
    before = answered(provider_port)
    arguments = [sys.executable, "-m", "benchmarks.watched", str(config_file), str(port), str(notes_file)]
    with running(arguments, folder, "daemon") as process:
        wait_until_ready(process, port)
        started = time.perf_counter()
        used = cpu_seconds(process.pid)
        scraper = Scraper(port)
        scraper.start()
        while (count := answered(provider_port) - before) < expected and time.perf_counter() - started < seconds:
            time.sleep(0.2)
        elapsed = time.perf_counter() - started
        scraper.stop()
        used = cpu_seconds(process.pid) - used
        peak = memory_mb(process.pid, "VmHWM")
    return {
        "requests": count,
        "requests_per_second": round(count / elapsed, 1),
        "cpu_ms_per_request": round(1000 * used / max(1, count), 2),
        "peak_mb": round(peak),
        "scrapes": len(scraper.seconds),
        "scrape_median_seconds": middle(scraper.seconds or [0.0], 3),
        "scrape_worst_seconds": round(max(scraper.seconds, default=0.0), 3),
        "loop": json.loads(notes_file.read_text()),
    }


def measure(size: Size, seconds: float = MOST_SECONDS, plain_seconds: float = PLAIN_SECONDS) -> dict[str, object]:
    """All figures: the daemon between two spells of the plain client."""
    limit = size.concurrency / LATENCY_SECONDS
    with scratch() as folder, running_provider(folder, LATENCY_SECONDS) as provider_port:
        config_file = write_config(folder, size, base_url=f"http://{LOOPBACK}:{provider_port}/v1", cron="0 9 * * *")
        if size.days:
            fill_store(config_file, size.days, until=time.time() - 2 * DAY)
        plain = [asyncio.run(ask_plainly(provider_port, size.concurrency, size.questions, plain_seconds))]
        done = work_off(folder, config_file, provider_port, size.targets * size.questions, seconds)
        plain.append(asyncio.run(ask_plainly(provider_port, size.concurrency, size.questions, plain_seconds)))
    rate = float(str(done["requests_per_second"]))
    return {
        "targets": size.targets,
        "days": size.days,
        **done,
        "of_limit": round(rate / limit, 2),
        "plain_client_of_limit": round(middle(plain) / limit, 2),
        "of_plain_client": round(rate / middle(plain), 2),
    }


if __name__ == "__main__":
    tell("crowd", measure(Size(targets=1000, days=0)))
