"""One check, from claim to verdict. It can be left and taken up again at any point: the store knows how far it came."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field, replace
from typing import TypeVar

from exporter.clock import Clock
from exporter.config import Target, TotalBudget, read_api_key
from exporter.daemon.ledger import OnTrouble, StoreLedger
from exporter.daemon.live import LiveTarget
from exporter.daemon.memory import read_recent_history
from exporter.daemon.room import OnBooked, OnWait, Room
from exporter.daemon.turns import turn_of
from exporter.errors import BudgetExceededError
from exporter.metrics import Tallies
from exporter.probing.budget import caps_of
from exporter.probing.limiter import Limiter
from exporter.probing.plan import Plan, plan_run
from exporter.probing.runner import run_questions
from exporter.probing.use import past_use
from exporter.providers import Provider, open_provider
from exporter.records import (
    BaselineEvent,
    Check,
    CheckKind,
    EventKind,
    Reason,
    Run,
    RunState,
    SpendPeriod,
    Verdict,
)
from exporter.store import Store, Writer
from exporter.verdicts import Freeze, History, Judgement, judge, needs_second_run

OpenProvider = Callable[[Target, Clock], Provider]

_JUDGING = ThreadPoolExecutor(max_workers=1, thread_name_prefix="judging")
"""Reading a history and judging by it, one after the other: it computes nearly all the time, and so two are no faster than one, but keep
the event loop waiting twice as long, and months of two targets in memory."""

_Result = TypeVar("_Result")

TOO_LATE = "the run was interrupted and could not be finished in time"

_REFUSED_SECOND_RUN = "no second run: "

PAST_CHECKS = 5
"""Newest closed checks that an estimate rests on."""


def open_target(target: Target, clock: Clock) -> Provider:
    """The target's endpoint; its key is read again whenever it is asked."""
    return open_provider(target, lambda: read_api_key(target), clock)


def plan_check(live: LiveTarget, checks: Sequence[Check]) -> Plan:
    """The plan of a first run, with what it should cost by what the newest of `checks` (closed ones, newest last) took."""
    return _plan_after(live, [run for check in checks[-PAST_CHECKS:] for run in check.runs if run.number == 1])


def _plan_after(live: LiveTarget, runs: Iterable[Run]) -> Plan:
    return plan_run(live.target, live.questions, live.price, past_use(runs))


@dataclass(frozen=True, slots=True)
class Workshop:
    """What every check is made with. `limiter` is shared by all of them."""

    store: Store
    writer: Writer
    clock: Clock
    limiter: Limiter
    tallies: Tallies = field(default_factory=Tallies)
    open_provider: OpenProvider = open_target


class Checker:
    """Makes checks of one target as it is configured now.

    `confirm_at_once`: the second run is not waited for (the command line). `on_progress` is told run, asks over, asks in all;
    `on_trouble` is told what is wrong with the store when a run has to wait for it, `on_wait` which cap when the check has to
    wait for room under it, `on_booked` what is booked meanwhile.
    """

    def __init__(
        self,
        workshop: Workshop,
        live: LiveTarget,
        total: TotalBudget,
        *,
        confirm_at_once: bool = False,
        on_progress: Callable[[int, int, int], None] | None = None,
        on_trouble: OnTrouble = lambda error: None,
        on_wait: OnWait = lambda refusal: None,
        on_booked: OnBooked = lambda target, requests: None,
    ) -> None:
        self._store = workshop.store
        self._write = workshop.writer.call
        self._clock = workshop.clock
        self._workshop = workshop
        self._live = live
        self._caps = caps_of(live.target, total)
        self._confirm_at_once = confirm_at_once
        self._on_progress = on_progress
        self._on_trouble = on_trouble
        self._room = Room(workshop.store, workshop.writer, workshop.clock, on_wait, on_booked)

    async def claim(self, kind: CheckKind, due_at: float) -> Check | None:
        """Claim the check that is due; None where somebody has it already."""
        return await self._write(self._store.claim_check, self._live.name, kind, due_at, self._clock.now())

    def turn(self) -> AbstractAsyncContextManager[None]:
        """Be the only program at this target for as long as the block lasts. Raises StoreTakenError where another one is."""
        return turn_of(self._store, self._live.name)

    async def go_on(self, check: Check) -> Verdict | None:
        """Take a check as far as it goes now. None: it waits for its second run, or was interrupted; the store has it.

        Raises StoreTakenError where another program is at this target, or has taken it over meanwhile, StoreError where the
        store does not do its part: the check can be taken up again later.
        """
        async with self.turn():
            return await self.take_up(check)

    async def take_up(self, check: Check) -> Verdict | None:
        """The same for who has the turn: somebody may have been at the check before."""
        check = await asyncio.to_thread(self._store.check, check.id)
        return check.verdict or await self.work_on(check)

    async def work_on(self, check: Check) -> Verdict | None:
        """The same for who has had the turn since the check was claimed."""
        plan = await self._plan()
        first = await self._run(check, 1, plan)
        if first is None:
            return None
        judgement = None if len(check.runs) > 1 and first.state is RunState.MEASURED else await self._in_thread(self._screen, check, first)
        if judgement is not None:
            return await self._close(check, judgement, plan)
        repeat = _plan_after(self._live, (first,))  # a second run is as dear as the first one was
        if len(check.runs) < 2:
            if first.protocol != self._live.protocol:
                why = "no second run: the protocol was changed in between"
                return await self._close(check, await self._in_thread(self._judge, check, first), plan, why)
            if problem := await self._find_no_room(check, repeat):
                refused = await self._refuse(check, 2, f"{_REFUSED_SECOND_RUN}{problem}")
                return await self._close_both(check, first, refused, plan)
            if not self.is_time_to_confirm(check):
                if check.confirm_at is None:
                    confirm_at = self._clock.now() + self._live.target.decision.confirm_after
                    await self._write(self._store.set_confirming, check.id, confirm_at)
                return None
        second = await self._run(check, 2, repeat)
        return None if second is None else await self._close_both(check, first, second, plan)

    async def _close_both(self, check: Check, first: Run, second: Run, plan: Plan) -> Verdict:
        notes = [second.message] if second.message.startswith(_REFUSED_SECOND_RUN) else []
        return await self._close(check, await self._in_thread(self._judge, check, first, second), plan, *notes)

    async def lapse(self, check: Check) -> Verdict:
        """Close a check whose second run came too late: the next check is due. Raises as `go_on` does."""
        async with self.turn():
            check = await asyncio.to_thread(self._store.check, check.id)
            return check.verdict or await self._lapse(check)

    async def _lapse(self, check: Check) -> Verdict:
        why = "no second run: the next check was due before it"
        return await self._close(check, await self._in_thread(self._judge, check, *check.runs[:1]), await self._plan(), why)

    async def _plan(self) -> Plan:
        return _plan_after(self._live, await asyncio.to_thread(self._store.first_runs, self._live.name, PAST_CHECKS))

    async def _in_thread(self, judging: Callable[[Check, tuple[Run, ...]], _Result], check: Check, *runs: Run) -> _Result:
        return await asyncio.get_running_loop().run_in_executor(_JUDGING, judging, check, runs)

    def _screen(self, check: Check, runs: tuple[Run, ...]) -> Judgement | None:
        """What the first run alone comes to; None where a second one has to tell chance from change."""
        history = read_recent_history(self._store, self._live.subject)
        if runs[0].state is RunState.MEASURED and needs_second_run(self._live.subject, history, runs[0]):
            return None
        return self._judge_by(history, check, runs)

    def _judge(self, check: Check, runs: tuple[Run, ...]) -> Judgement:
        """By what was decided up to now: a reset that fell into a run counts."""
        return self._judge_by(read_recent_history(self._store, self._live.subject), check, runs)

    def _judge_by(self, history: History, check: Check, runs: tuple[Run, ...]) -> Judgement:
        """With what the check has cost, now that its runs have ended."""
        now = self._clock.now()
        judgement = judge(self._live.subject, history, replace(check, runs=runs), now)
        spent = self._store.spend(self._live.name, now)[SpendPeriod.CHECK]
        usd = spent.usd if self._live.price is not None else None
        return replace(judgement, verdict=replace(judgement.verdict, spend_usd=usd, spend_tokens=spent.tokens))

    def is_time_to_confirm(self, check: Check) -> bool:
        """Whether the second run is due. A check claimed in the future was so by a clock that has been set back: it waits no longer."""
        now = self._clock.now()
        if self._confirm_at_once or self._live.target.decision.confirm_after <= 0 or check.claimed_at > now:
            return True
        return check.confirm_at is not None and check.confirm_at <= now

    async def _find_no_room(self, check: Check, plan: Plan) -> str:
        """Why a whole run does not fit under the caps; empty where it does. What is only reserved is waited for, for a run's time."""
        tokens, usd = plan.estimate.needed_tokens, plan.estimate.needed_usd
        give_up_at = self._clock.monotonic() + self._live.target.run_deadline
        while True:
            try:
                await asyncio.to_thread(
                    self._store.require_room, self._live.name, self._caps, tokens=tokens, usd=usd, now=self._clock.now(), check_id=check.id
                )
            except BudgetExceededError as error:
                if not error.may_pass or self._clock.monotonic() >= give_up_at:
                    return str(error)
                await self._room.wait(error)
            else:
                return ""

    async def _run(self, check: Check, number: int, plan: Plan) -> Run | None:
        """The check's run of this number, made or finished now unless it has ended. None: interrupted."""
        run = next((run for run in check.runs if run.number == number), None)
        if run is None:
            problem = await self._find_no_room(check, plan) if number == 1 else ""
            if problem:
                return await self._refuse(check, number, f"the check was not started: {problem}")
            run = await self._write(self._store.open_run, *self._beginning(check, number))
        elif run.state is not RunState.OPEN:
            return run
        else:
            await self._write(self._store.book_orphans, self._clock.now(), (run.id,))
            if run.protocol != self._live.protocol or run.deadline_at <= self._clock.now():
                return await self._end(run, RunState.FAILED, Reason.INTERRUPTED, TOO_LATE)
        return await self._ask(run, plan)

    def _beginning(self, check: Check, number: int) -> tuple[int, int, str, float, float]:
        """What the store is told of a run that begins now."""
        now = self._clock.now()
        return check.id, number, self._live.protocol, now, now + self._live.target.run_deadline

    async def _refuse(self, check: Check, number: int, why: str) -> Run:
        """A run that a cap left no room for: all its questions count as not measured, so that somebody is told."""
        return await self._write(self._store.refuse_run, *self._beginning(check, number), Reason.BUDGET, why)

    async def _ask(self, run: Run, plan: Plan) -> Run | None:
        shop = self._workshop
        provider = shop.open_provider(self._live.target, self._clock)
        try:
            outcome = await run_questions(
                plan,
                provider,
                StoreLedger(self._store, shop.writer, self._clock, shop.tallies, self._live.name, self._on_trouble),
                self._clock,
                run=run,
                caps=self._caps,
                done=run.grades,
                limiter=shop.limiter,
                wait_for_room=self._room.wait,
                on_progress=self._progress_of(run),
            )
        finally:
            await provider.aclose()
        if outcome.state is RunState.OPEN:
            return None
        return await self._end(replace(run, grades=outcome.grades), outcome.state, outcome.reason, outcome.message)

    def _progress_of(self, run: Run) -> Callable[[int, int], None] | None:
        report = self._on_progress
        return None if report is None else lambda done, total: report(run.number, done, total)

    async def _end(self, run: Run, state: RunState, reason: Reason | None, message: str) -> Run:
        now = self._clock.now()
        await self._write(self._store.close_run, run.id, state, reason, message, now)
        return replace(run, state=state, reason=reason, message=message, ended_at=now)

    async def _close(self, check: Check, judgement: Judgement, plan: Plan, *notes: str) -> Verdict:
        now = judgement.verdict.decided_at
        verdict = replace(
            judgement.verdict,
            estimate_usd=plan.estimate.usd,
            estimate_tokens=plan.estimate.tokens,
            notes=(*judgement.verdict.notes, *notes),
        )
        freezes = [self._event_of(freeze, now) for freeze in judgement.freezes]
        await self._write(self._store.close_check, check.id, verdict, now, freezes)
        return verdict

    def _event_of(self, freeze: Freeze, now: float) -> BaselineEvent:
        return BaselineEvent(
            id=0,
            target=self._live.name,
            kind=EventKind.FREEZE,
            happened_at=now,
            protocol=self._live.protocol,
            run_ids=freeze.run_ids,
            question_keys=freeze.question_keys,
        )
