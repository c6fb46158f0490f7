"""Work cut into pieces with chance of their own, spread over processes: the figures are the same for any number of them."""

from __future__ import annotations

import multiprocessing
import zlib
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from typing import TypeVar

import numpy as np

Task = TypeVar("Task")
Result = TypeVar("Result")
Report = Callable[[int, int], None]
"""Told after each piece of work: how many are done, of how many."""


def generator(seed: int, *place: str | int) -> np.random.Generator:
    """The chance of one piece of work, named by its place; the same for every procedure."""
    key = [zlib.crc32(part.encode()) if isinstance(part, str) else part for part in place]
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=key))


def blocks(total: int, size: int) -> list[int]:
    """The sizes of the pieces."""
    return [min(size, total - start) for start in range(0, total, size)]


def spread(work: Callable[[Task], Result], tasks: Sequence[Task], processes: int, report: Report) -> list[Result]:
    """The results in the order of the tasks."""
    if processes == 1:
        results = []
        for number, task in enumerate(tasks, 1):
            results.append(work(task))
            report(number, len(tasks))
        return results
    # a forked process would hold copies of locks that threads of this one have taken
    with ProcessPoolExecutor(processes, multiprocessing.get_context("spawn")) as pool:
        futures = [pool.submit(work, task) for task in tasks]
        try:
            waiting = set(futures)
            while waiting:
                done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                for future in done:
                    future.result()
                report(len(tasks) - len(waiting), len(tasks))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
        return [future.result() for future in futures]
