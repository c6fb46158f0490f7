"""One run, from its first question to its outcome: many questions at once, and one way to stop them all."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from exporter.clock import Clock
from exporter.probing.asking import DEADLINE_PASSED, HANG_SECONDS, Asking, WaitForRoom
from exporter.probing.budget import Books
from exporter.probing.grades import GradeAnswer
from exporter.probing.ledger import Ledger
from exporter.probing.limiter import Limiter
from exporter.probing.outcome import Halt, RunOutcome
from exporter.probing.plan import Plan
from exporter.providers import Provider
from exporter.records import Grade, Reason, Run
from exporter.store import Cap
from exporter.suites import grade

GRACE_SECONDS = 10.0
"""How long requests under way may take to be settled once a run is cancelled."""

OVERTIME_SECONDS = 2 * HANG_SECONDS
"""How long after the deadline the last answers, cut short by it themselves, may take to be settled."""

_ABANDON_SECONDS = 1.0
"""How long a request that was given up may take to let go."""

_INTERRUPTED = Halt(Reason.INTERRUPTED, "the program was stopped in the middle of the run")


async def run_questions(
    plan: Plan,
    provider: Provider,
    ledger: Ledger,
    clock: Clock,
    *,
    run: Run,
    caps: Sequence[Cap] = (),
    done: Sequence[Grade] = (),
    limiter: Limiter | None = None,
    grade_answer: GradeAnswer = grade,
    wait_for_room: WaitForRoom | None = None,
    grace_seconds: float = GRACE_SECONDS,
    on_progress: Callable[[int, int], None] | None = None,
) -> RunOutcome:
    """Ask what `plan` lists, wrong answers again, and say how it ended; every grade goes through `ledger` as it comes.

    `done` are the grades that the ledger already has of this run: only what is missing is asked. `limiter` is shared by all
    runs of the process. `wait_for_room` waits where other programs hold the room under a cap. `on_progress` is told how many
    asks of how many are over.

    Cancelled once, it sends nothing more, waits up to `grace_seconds` for what is under way to be settled, and returns the
    outcome: open, reason interrupted. Cancelled twice, it gives up at once and raises CancelledError. Either way, a request
    that could not be settled stays an open reservation in the ledger. What the ledger raises ends the run in the same
    manner and is raised here.
    """
    seconds_left = min(run.deadline_at - clock.now(), plan.target.run_deadline)
    asking = Asking(
        plan=plan,
        provider=provider,
        books=Books(ledger, clock, plan, run.id, caps),
        clock=clock,
        limiter=limiter or Limiter(plan.target.concurrency),
        deadline=clock.monotonic() + seconds_left,
        seed=run.id,
        done=done,
        grade_answer=grade_answer,
        wait_for_room=wait_for_room,
        on_progress=on_progress,
    )
    workers = asking.start()
    try:
        failed = await _finish(asking, workers, max(0.0, seconds_left), grace_seconds)
    finally:
        await _abandon(workers)
    if failed is not None:
        raise failed
    return asking.conclude()


async def _finish(asking: Asking, workers: set[asyncio.Task[None]], seconds_left: float, grace_seconds: float) -> BaseException | None:
    """Wait for the workers until they are done, fail, run out of time or are cancelled. Returns what one of them raised."""
    if not workers:
        return None
    try:
        done, pending = await asyncio.wait(workers, timeout=seconds_left, return_when=asyncio.FIRST_EXCEPTION)
        if pending:
            asking.halt(_INTERRUPTED if _failure_of(done) else DEADLINE_PASSED)
            await asyncio.wait(pending, timeout=OVERTIME_SECONDS if _failure_of(done) is None else grace_seconds)
    except asyncio.CancelledError:
        asking.halt(_INTERRUPTED)
        await asyncio.wait(workers, timeout=grace_seconds)
        if (task := asyncio.current_task()) is not None:
            task.uncancel()
    return _failure_of(workers)


async def _abandon(workers: set[asyncio.Task[None]]) -> None:
    for worker in workers:
        worker.cancel()
    if any(not worker.done() for worker in workers):
        await asyncio.wait(workers, timeout=_ABANDON_SECONDS)


def _failure_of(workers: set[asyncio.Task[None]]) -> BaseException | None:
    ended = [worker for worker in workers if worker.done() and not worker.cancelled()]
    return next((error for worker in ended if (error := worker.exception()) is not None), None)
