"""What grew too old is removed, once a day and in small pieces, so that no check waits long for its turn to write."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Generator, Iterator
from dataclasses import asdict, dataclass
from functools import partial

import structlog

from exporter.clock import Clock
from exporter.daemon.live import LiveConfig
from exporter.daemon.memory import RECENT_CHECKS, needed_runs
from exporter.errors import StoreError
from exporter.store import Store, Writer

FIRST_AFTER_SECONDS = 300.0
"""A program that has just started has better things to do."""

EVERY_SECONDS = 86_400.0
RUNS_A_PIECE = 10
REQUESTS_A_PIECE = 500


@dataclass(frozen=True, slots=True)
class Removed:
    """How much was removed. Of `requests` the sums are left."""

    grades: int = 0
    runs: int = 0
    requests: int = 0
    errors: int = 0

    def __bool__(self) -> bool:
        return any((self.grades, self.requests, self.errors))


Piece = Callable[[], int]
"""One transaction; how many rows went."""


def chores(store: Store, live: LiveConfig, now: float) -> Generator[Piece, int, Removed]:
    """All that is to be done, piece by piece. Whoever carries a piece out sends back what it says. Raises StoreError.

    What is still needed is asked right before a target's turn; what a person decides meanwhile the store looks at again.
    """
    retention = live.config.retention
    grades = runs = requests = errors = 0
    if retention.grades_seconds is not None:
        before = now - retention.grades_seconds
        for target in store.targets():
            for ids in _old_runs(store, live, target, before):
                gone = yield partial(store.prune_grades, target, ids, now)
                grades, runs = grades + gone, runs + len(ids)
        after = 0
        while ids := store.old_requests(before, after, REQUESTS_A_PIECE):
            requests += yield partial(store.condense_requests, ids)
            after = ids[-1]
    if retention.errors_seconds is not None:
        errors = yield partial(store.prune_errors, now - retention.errors_seconds)
    return Removed(grades, runs, requests, errors)


def keep_house(store: Store, live: LiveConfig, now: float) -> Removed:
    """Do all of it at once, in this thread."""
    work = chores(store, live, now)
    piece = _advance(work, None)
    while not isinstance(piece, Removed):
        piece = _advance(work, piece())
    return piece


async def keep_house_quietly(store: Store, writer: Writer, live: LiveConfig, now: float) -> Removed:
    """Do it beside checks: every piece waits for its turn to write, and what is only read is read off the loop."""
    work = chores(store, live, now)
    piece = await asyncio.to_thread(_advance, work, None)
    while not isinstance(piece, Removed):
        piece = await asyncio.to_thread(_advance, work, await writer.call(piece))
    return piece


class Housekeeper:
    """Does it in the daemon, once a day, as long as it is reminded. A failure is logged, and tried again the next day."""

    def __init__(self, store: Store, writer: Writer, clock: Clock) -> None:
        self._store = store
        self._writer = writer
        self._clock = clock
        self._next_at = clock.now() + FIRST_AFTER_SECONDS
        self._task: asyncio.Task[None] | None = None
        self._log = structlog.get_logger()

    def remind(self, live: LiveConfig) -> None:
        """Begin, where it is time; returns at once."""
        now = self._clock.now()
        if now < self._next_at or (self._task is not None and not self._task.done()):
            return
        self._next_at = now + EVERY_SECONDS
        self._task = asyncio.create_task(self._tidy(live, now), name="housekeeping")

    async def stop(self) -> None:
        """Stop where it stands: every piece is whole, and the rest is done another day."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _tidy(self, live: LiveConfig, now: float) -> None:
        try:
            removed = await keep_house_quietly(self._store, self._writer, live, now)
        except StoreError as error:
            self._log.error("old grades and errors could not be removed; it is tried again in a day", error=str(error))
            return
        if removed:
            self._log.info("old grades and errors removed, requests condensed", **asdict(removed))


def _advance(work: Generator[Piece, int, Removed], gone: int | None) -> Piece | Removed:
    """The next piece, or what came of all. StopIteration could not leave a thread."""
    try:
        return next(work) if gone is None else work.send(gone)
    except StopIteration as done:
        removed: Removed = done.value
        return removed


def _old_runs(store: Store, live: LiveConfig, target: str, before: float) -> Iterator[list[int]]:
    """Runs that nobody needs, some at a time. Of a target that is in the config no more the newest checks stay, as it may come back."""
    old = store.old_runs(target, before)
    if not old:
        return
    if target in live.targets:
        needed = needed_runs(store, live.targets[target].subject)
    else:
        needed = frozenset(run.id for check in store.checks(target, RECENT_CHECKS) for run in check.runs)
    free = [run_id for run_id in old if run_id not in needed]
    for start in range(0, len(free), RUNS_A_PIECE):
        yield free[start : start + RUNS_A_PIECE]
