"""One check of each of several targets, at the same time, from the command line: to its end, or to the first Ctrl-C."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from exporter.clock import Clock
from exporter.config import TotalBudget
from exporter.daemon.check import Checker, Workshop
from exporter.daemon.live import LiveTarget
from exporter.daemon.schedule import next_scheduled
from exporter.errors import BudgetExceededError, ExporterError, Problem, StoreError, UsageError
from exporter.probing.limiter import Limiter
from exporter.records import Check, CheckKind, CheckState, Reason, Verdict
from exporter.store import Store, Writer
from exporter.web.texts import moment

Progress = Callable[[str, int, int, int], None]
"""Told target, run, asks over, asks in all."""


@dataclass(slots=True)
class Outcome:
    """What came of it: verdicts in the order of the targets, and what went wrong where there is none."""

    verdicts: list[Verdict] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    interrupted_by: signal.Signals | None = None


class Session:
    """Checks targets over one store. `note` is told what a person should know beside the verdicts."""

    def __init__(
        self, store: Store, clock: Clock, total: TotalBudget, concurrency: int, progress: Progress, note: Callable[[str], None]
    ) -> None:
        self._store = store
        self._clock = clock
        self._total = total
        self._progress = progress
        self._note = note
        self._writer = Writer(store.batch)
        self._workshop = Workshop(store, self._writer, clock, Limiter(concurrency))
        self._stopped_by: signal.Signals | None = None

    async def run(self, targets: Sequence[LiveTarget]) -> Outcome:
        """Check them all. SIGINT and SIGTERM settle what is under way and leave the rest for later; a second one does not wait.

        What one target's check raises ends only that one; an error nobody meant to raise is raised once all have ended.
        """
        tasks = [asyncio.create_task(self._check(target), name=target.name) for target in targets]
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, self._stop, number, tasks)
        try:
            results = await asyncio.gather(*tasks, return_exceptions=True)
        finally:
            for number in (signal.SIGINT, signal.SIGTERM):
                loop.remove_signal_handler(number)
            await self._writer.close()
        return self._conclude(targets, results)

    def _stop(self, number: signal.Signals, tasks: Sequence[asyncio.Task[Verdict | None]]) -> None:
        if self._stopped_by is None:
            self._note("stopping: answers under way are settled; once more to stop at once")
        self._stopped_by = number
        for task in tasks:
            task.cancel()

    def _conclude(self, targets: Sequence[LiveTarget], results: Sequence[Verdict | BaseException | None]) -> Outcome:
        outcome = Outcome(interrupted_by=self._stopped_by)
        for target, result in zip(targets, results, strict=True):
            match result:
                case Verdict():
                    outcome.verdicts.append(result)
                case ExporterError():
                    outcome.problems += result.problems
                case None | asyncio.CancelledError():
                    outcome.problems.append(Problem(f"target {target.name}", "interrupted", "the next check, or serve, goes on with it"))
                case _:
                    raise result
        return outcome

    async def _check(self, target: LiveTarget) -> Verdict | None:
        def report(run: int, done: int, total: int) -> None:
            self._progress(target.name, run, done, total)

        def wait_for_store(error: StoreError) -> None:
            self._note(f"{target.name}: waiting, {error}")

        def wait_for_room(refusal: BudgetExceededError) -> None:
            self._note(f"{target.name}: waiting for room that other requests have reserved, {refusal}")

        def tell_booked(other: str, requests: int) -> None:
            self._note(f"{other}: what is reserved there is booked as spent, as no program is at it any more (requests: {requests})")

        checker = Checker(
            self._workshop,
            target,
            self._total,
            confirm_at_once=True,
            on_progress=report,
            on_trouble=wait_for_store,
            on_wait=wait_for_room,
            on_booked=tell_booked,
        )
        for check in await asyncio.to_thread(self._store.open_checks, target.name):
            going_on = not self._is_over(target, check)
            verb = "going on with" if going_on else "closing"
            self._note(f"{target.name}: {verb} the check of {moment(check.claimed_at)} that was left open")
            verdict = await (checker.go_on(check) if going_on else checker.lapse(check))
            # One that could not be finished in time says nothing of now, and now is what was asked for.
            if going_on and (verdict is None or verdict.reason is not Reason.INTERRUPTED):
                return verdict
        new = await checker.claim(CheckKind.MANUAL, self._clock.now())
        if new is None:
            raise UsageError(Problem(f"target {target.name}", "another check of it was begun at the same moment", "try again"))
        return await checker.go_on(new)

    def _is_over(self, target: LiveTarget, check: Check) -> bool:
        """Whether the next check was due before the second run of this one could be made."""
        if check.state is not CheckState.CONFIRMING:
            return False
        return self._clock.now() >= next_scheduled(target.target.schedule, target.name, check.due_at, check.claimed_at)
