"""How long one check takes beside the time that its requests cannot do without.

Prints one line of JSON. The provider is a process of its own that answers after a second.
"""

from __future__ import annotations

import asyncio
import math
import time
from pathlib import Path

from benchmarks.crowd import ask_once
from benchmarks.harness import LOOPBACK, middle, scratch, tell
from benchmarks.provider import running_provider
from benchmarks.stores import Size, write_config
from exporter.clock import SystemClock
from exporter.config import TotalBudget
from exporter.daemon.check import Checker, Workshop
from exporter.daemon.live import load_live
from exporter.probing import Limiter
from exporter.records import CheckKind
from exporter.store import Writer, open_store

LATENCY_SECONDS = 1.0
QUESTIONS = 34
CONCURRENCIES = (4, 16)
ROUNDS = 3


async def check_once(config_file: Path) -> float:
    """Seconds from the claim of a target's first check to its verdict."""
    live = load_live(config_file)
    store, clock = open_store(live.config.storage), SystemClock()
    writer = Writer(store.batch)
    try:
        workshop = Workshop(store, writer, clock, Limiter(live.config.concurrency))
        (target,) = live.targets.values()
        started = time.perf_counter()
        checker = Checker(workshop, target, TotalBudget())
        check = await checker.claim(CheckKind.MANUAL, clock.now())
        if check is None or await checker.go_on(check) is None:
            raise RuntimeError("the check did not come to an end")
        return time.perf_counter() - started
    finally:
        await writer.close()
        store.close()


def measure(
    questions: int = QUESTIONS,
    latency_seconds: float = LATENCY_SECONDS,
    concurrencies: tuple[int, ...] = CONCURRENCIES,
    rounds: int = ROUNDS,
) -> dict[str, object]:
    """For each concurrency the median time over that of as many rounds of requests as there have to be."""
    figures: dict[str, object] = {"questions": questions}
    with scratch() as folder, running_provider(folder, latency_seconds) as port:
        for concurrency in concurrencies:
            size = Size(targets=1, days=0, questions=questions, target_concurrency=concurrency)
            config_file = write_config(folder, size, base_url=f"http://{LOOPBACK}:{port}/v1")
            ideal = math.ceil(questions / concurrency) * latency_seconds
            checks, plain = [], []
            for _ in range(rounds):
                checks.append(asyncio.run(check_once(config_file)) / ideal)
                plain.append(asyncio.run(ask_once(port, concurrency, questions)) / ideal)
            figures[f"concurrency_{concurrency}"] = {"of_ideal": middle(checks, 3), "plain_client_of_ideal": middle(plain, 3)}
    return figures


if __name__ == "__main__":
    tell("check", measure())
