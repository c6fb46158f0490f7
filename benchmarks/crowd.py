"""Many targets due at once: requests a second under the limit on all of them, while scrapes go on and the loop is watched.

Prints one line of JSON. The provider is a process of its own, and a plain client (aiohttp, which the daemon
asks with) asks it in turn with the daemon.
"""

from __future__ import annotations

import asyncio
import json
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path

import aiohttp

from benchmarks.harness import LOOPBACK, cpu_seconds, free_port, get, memory_mb, middle, running, scratch, tell, wait_until_ready
from benchmarks.provider import answered, running_provider
from benchmarks.stores import Size, fill_store, write_config
from tests.verdicts.lives import DAY

LATENCY_SECONDS = 0.1
MOST_SECONDS = 150.0
"""How long the daemon is let work at the most; what it has done by then is counted."""

SCRAPE_SECONDS = 1.5
PLAIN_SECONDS = 5.0

_BODY = json.dumps({"model": "model-1", "max_tokens": 512, "messages": [{"role": "user", "content": "x" * 400}]}).encode()


@dataclass(frozen=True)
class Plain:
    """What aiohttp alone does: requests a second, and milliseconds of processor time for each."""

    rate: float
    cpu_ms: float


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


async def ask_plainly(port: int, concurrency: int, questions: int, seconds: float) -> Plain:
    """What aiohttp does alone in some seconds: the same requests, on clients that are closed after as many as a check has."""
    started, used, count = time.perf_counter(), time.process_time(), 0

    async def work() -> None:
        nonlocal count
        while True:
            async with _client() as client:
                for _ in range(questions):
                    if time.perf_counter() - started > seconds:
                        return
                    await _ask(client, port)
                    count += 1

    await asyncio.gather(*(work() for _ in range(concurrency)))
    return Plain(count / (time.perf_counter() - started), 1000 * (time.process_time() - used) / max(1, count))


async def ask_once(port: int, concurrency: int, questions: int) -> float:
    """Seconds in which aiohttp alone asks all questions once."""
    started, left = time.perf_counter(), iter(range(questions))
    async with _client() as client:

        async def work() -> None:
            for _ in left:
                await _ask(client, port)

        await asyncio.gather(*(work() for _ in range(concurrency)))
    return time.perf_counter() - started


def _client() -> aiohttp.ClientSession:
    return aiohttp.ClientSession(headers={"content-type": "application/json"}, timeout=aiohttp.ClientTimeout())


async def _ask(client: aiohttp.ClientSession, port: int) -> None:
    async with client.post(f"http://{LOOPBACK}:{port}/v1/chat/completions", data=_BODY) as response:
        json.loads(await response.read())


def work_off(folder: Path, config_file: Path, provider_port: int, expected: int, seconds: float) -> dict[str, object]:
    """Let the daemon do what is due, scraping it meanwhile."""
    port, notes_file, idle_file = free_port(), folder / "notes.json", folder / "idle.json"
    before = answered(provider_port)
    arguments = [sys.executable, "-m", "benchmarks.watched", str(config_file), str(port), str(notes_file)]
    napping = [sys.executable, "-m", "benchmarks.napping", str(idle_file)]
    with running(napping, folder, "napping"), running(arguments, folder, "daemon") as process:
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
        "idle_loop": json.loads(idle_file.read_text()),
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
        "plain_client_of_limit": middle(one.rate / limit for one in plain),
        "of_plain_client": middle(rate / one.rate for one in plain),
        "plain_client_cpu_ms_per_request": middle(one.cpu_ms for one in plain),
    }


if __name__ == "__main__":
    tell("crowd", {**measure(Size(targets=1000, days=0)), "after_60_days": measure(Size(targets=1000, days=60))})
