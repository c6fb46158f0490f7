"""One target's life in the daemon: wait until something is due, do it, start over. Nothing here can end it but `stop`."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import structlog

from exporter.config import TotalBudget
from exporter.daemon.admission import Admission
from exporter.daemon.check import Checker, Workshop
from exporter.daemon.live import LiveTarget
from exporter.daemon.memory import Outlook, look_out
from exporter.daemon.pauses import pause
from exporter.daemon.schedule import Due, next_scheduled
from exporter.errors import BudgetExceededError, ExporterError, StoreError, StoreTakenError, StoreUnreachableError
from exporter.records import Check, CheckKind, CheckState, Verdict, VerdictKind
from exporter.reports import describe
from exporter.web.state import Outcome, OutcomeKind
from exporter.web.texts import moment

WAKE_SECONDS = 30.0
"""The longest sleep before the wall clock is looked at again: it may have been set."""

PAUSE_SECONDS = 15.0
"""How long to wait after the store, or something unforeseen, failed."""

ELSEWHERE_SECONDS = 5.0
"""How often a check that another program is at is looked at again: it may be over, or its program may be gone."""

_LOOKING = ThreadPoolExecutor(max_workers=2, thread_name_prefix="looking")
"""For `look_out`: after a start all targets ask for it at once, and of all threads that compute the event loop is only one."""


class Watch:
    """Keeps one target checked. `publish` is told its name whenever what is shown of it has changed.

    `may_work` says whether the target is this program's to work on: not where a newer config of others defines it otherwise, by
    what is known of them; `hear` asks for that anew.
    """

    def __init__(
        self,
        workshop: Workshop,
        admission: Admission,
        live: LiveTarget,
        total: TotalBudget,
        publish: Callable[[str], Awaitable[None]],
        may_work: Callable[[], bool],
        hear: Callable[[], Awaitable[None]],
    ) -> None:
        self.live = live
        self._admission = admission
        self._total = total
        self._workshop = workshop
        self._store = workshop.store
        self._clock = workshop.clock
        self._publish = publish
        self._may_work = may_work
        self._hear = hear
        self._wake = asyncio.Event()
        self._stopping = False
        self._asked: asyncio.Future[Outcome] | None = None
        self._under_way: Check | None = None
        self._elsewhere: int | None = None
        self._task: asyncio.Task[None] | None = None
        self._log = structlog.get_logger().bind(target=live.name)

    def start(self) -> None:
        """Begin. Open checks are taken up first."""
        self._task = asyncio.create_task(self._live_on(), name=f"watch {self.live.name}")

    def adopt(self, live: LiveTarget, total: TotalBudget) -> None:
        """Use another config from the next step on; a run under way ends as it began."""
        self.live, self._total = live, total
        self._wake.set()

    def look_again(self) -> None:
        """Something happened to the target's checks, by whatever program."""
        self._wake.set()

    async def check_now(self) -> Outcome:
        """Begin a check at once, beside the schedule; where one is due in this moment, it is that one.

        Done once it is claimed. Refused while a check is under way or waits for its second run.
        """
        if self._stopping:
            return _stopping(self.live.name)
        if self._under_way is not None:
            return _under_way(self._under_way, self._clock.now())
        if self._asked is not None:
            return Outcome(OutcomeKind.UNDER_WAY, f"a check of {self.live.name} was asked for in this moment")
        self._asked = asyncio.get_running_loop().create_future()
        self._wake.set()
        return await self._asked

    async def stop(self) -> None:
        """Settle what is under way, leave the rest for later, and end."""
        self._stopping = True
        self._answer(_stopping(self.live.name))
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _live_on(self) -> None:
        while not self._stopping:
            try:
                await self._step()
            except StoreTakenError:
                self._answer(_begun_elsewhere(self.live.name))
                await self._pause(ELSEWHERE_SECONDS)
            except StoreUnreachableError as error:  # the service tells of it, once for all targets
                self._answer(Outcome(OutcomeKind.UNAVAILABLE, str(error)))
                await self._pause(PAUSE_SECONDS)
            except ExporterError as error:
                self._log.error("the check cannot go on; trying again", error=str(error), after_seconds=PAUSE_SECONDS)
                self._answer(Outcome(OutcomeKind.UNAVAILABLE, str(error)))
                await self._pause(PAUSE_SECONDS)
            except Exception as error:  # one target's trouble never ends its watch, nor another's
                self._log.error("unexpected failure; trying again", error=repr(error), after_seconds=PAUSE_SECONDS, exc_info=True)
                self._answer(Outcome(OutcomeKind.UNAVAILABLE, f"unexpected failure at {self.live.name}; the log has it"))
                await self._pause(PAUSE_SECONDS)

    async def _step(self) -> None:
        """Do what is due now, or wait until something is."""
        self._wake.clear()
        live = self.live
        if not self._may_work():
            self._answer(_left_alone(live.name))
            await self._pause(WAKE_SECONDS)
            return
        checker = Checker(
            self._workshop, live, self._total, on_trouble=self._tell_trouble, on_wait=self._tell_wait, on_booked=self._tell_booked
        )
        outlook = await self._look_out(live, self._clock.now())
        if outlook.unfinished is not None:
            await self._go_on(checker, live, outlook.unfinished)
            return
        if self._asked is not None:  # a person waits
            is_begun = await self._begin(checker, live)
        elif outlook.due.due_at > self._clock.now():
            await self._sleep_until(outlook.due.due_at)
            return
        else:
            async with self._admission.place(self._wake) as admitted:
                if not admitted:
                    return
                is_begun = await self._begin(checker, live)
        if not is_begun:  # without a place, which others may need
            await self._pause(1.0)

    async def _begin(self, checker: Checker, live: LiveTarget) -> bool:
        """Claim what is still due once it is this program's turn, and make the check; False where nothing is due any more.

        Raises StoreTakenError where another program has the turn.

        A first check is due at once, for each program at a moment of its own: outside of a turn two of them would make it.
        """
        verdict = None
        async with checker.turn():
            due = await self._find_due(live)
            check = None if due is None else await checker.claim(due.kind, due.due_at)
            if check is not None:
                verdict = await self._make(checker, check)
        if check is None:
            self._answer(_begun_elsewhere(live.name))
            return False
        self._tell(verdict)
        await self._publish(live.name)
        return True

    async def _make(self, checker: Checker, check: Check) -> Verdict | None:
        self._log.info("check started", kind=check.kind.value, check=check.id)
        self._answer(Outcome(OutcomeKind.DONE, f"check {check.id} of {check.target} has begun", check.id))
        with self._working_on(check):
            await self._publish(check.target)
            return await self._unless_taken(check, checker.work_on(check))

    async def _look_out(self, live: LiveTarget, now: float) -> Outlook:
        return await asyncio.get_running_loop().run_in_executor(_LOOKING, look_out, self._store, live, now)

    async def _find_due(self, live: LiveTarget) -> Due | None:
        now = self._clock.now()
        outlook = await self._look_out(live, now)
        if outlook.unfinished is not None:
            return None
        if outlook.is_new:
            await self._hear()  # its history may have gone elsewhere a moment ago, under another name
            if not self._may_work():
                return None
        if outlook.due.due_at <= now:
            return outlook.due
        return None if self._asked is None else Due(CheckKind.MANUAL, now)

    async def _go_on(self, checker: Checker, live: LiveTarget, check: Check) -> None:
        now = self._clock.now()
        self._answer(_under_way(check, now))
        if check.state is CheckState.CONFIRMING and check.confirm_at is not None:
            lapse_at = next_scheduled(live.target.schedule, live.name, check.due_at, check.claimed_at)
            if now >= lapse_at:
                self._tell(await checker.lapse(check))
                await self._publish(live.name)
                return
            if not checker.is_time_to_confirm(check):
                await self._sleep_until(min(check.confirm_at, lapse_at))
                return
        with self._working_on(check):
            async with self._admission.place(self._wake) as admitted:
                if not admitted:
                    return
                verdict = await self._resume(checker, check)
        self._tell(verdict)
        await self._publish(live.name)

    async def _resume(self, checker: Checker, check: Check) -> Verdict | None:
        """Take an open check further. Raises StoreTakenError, told once, where another program is at it."""
        try:
            async with checker.turn():
                self._log.info("check goes on", kind=check.kind.value, check=check.id)
                return await self._unless_taken(check, checker.take_up(check))
        except StoreTakenError:
            if self._elsewhere != check.id:
                self._log.info("another program is at the check", check=check.id)
            self._elsewhere = check.id
            raise

    async def _unless_taken(self, check: Check, working: Awaitable[Verdict | None]) -> Verdict | None:
        try:
            return await working
        except StoreTakenError:
            self._log.warning("another program has taken the check over: this one was not heard of for too long", check=check.id)
            self._elsewhere = check.id
            raise

    @contextmanager
    def _working_on(self, check: Check) -> Iterator[None]:
        """Whoever asks for a check meanwhile is told of this one at once."""
        self._under_way = check
        try:
            yield
        finally:
            self._under_way = None

    def _answer(self, outcome: Outcome) -> None:
        """Tell whoever asked for a check, if anybody did."""
        asked, self._asked = self._asked, None
        if asked is not None and not asked.done():
            asked.set_result(outcome)

    async def _sleep_until(self, moment: float) -> None:
        while not self._stopping and not self._wake.is_set() and (left := moment - self._clock.now()) > 0:
            await self._pause(min(left, WAKE_SECONDS))

    async def _pause(self, seconds: float) -> None:
        """Sleep, but not past a wake-up."""
        await pause(self._clock, seconds, self._wake)

    def _tell_trouble(self, error: StoreError) -> None:
        self._log.error("the check waits for the store; answers under way are kept until then", error=str(error))

    def _tell_wait(self, refusal: BudgetExceededError) -> None:
        self._log.warning("the check waits for room under a cap: other requests have it reserved", error=str(refusal))

    def _tell_booked(self, target: str, requests: int) -> None:
        self._log.info("what is reserved is booked as spent: no program is at the check any more", target=target, requests=requests)

    def _tell(self, verdict: Verdict | None) -> None:
        if verdict is None:
            self._log.info("check is left open: it waits for its second run, or the program stops")
            return
        report = describe(verdict)
        serious = verdict.kind in (VerdictKind.DRIFT, VerdictKind.MODEL_CHANGED, VerdictKind.TOKEN_SHIFT, VerdictKind.MEASUREMENT_FAILED)
        tell = self._log.warning if serious else self._log.info
        tell(report.headline, verdict=verdict.standing.value, check=verdict.check_id, next_step=report.next_step)


def _under_way(check: Check, now: float) -> Outcome:
    said = f"check {check.id} of {check.target} is under way"
    if check.state is CheckState.CONFIRMING and check.confirm_at is not None and check.confirm_at > now:
        said = f"check {check.id} of {check.target} waits for its second run, due at {moment(check.confirm_at)}"
    return Outcome(OutcomeKind.UNDER_WAY, said, check.id)


def _stopping(target: str) -> Outcome:
    return Outcome(OutcomeKind.UNAVAILABLE, f"{target} is no longer checked here: the program stops, or the config has changed")


def _left_alone(target: str) -> Outcome:
    said = f"{target} is not checked here: another replica has loaded another config of it since; reload this one, or ask that one"
    return Outcome(OutcomeKind.UNAVAILABLE, said)


def _begun_elsewhere(target: str) -> Outcome:
    return Outcome(OutcomeKind.UNDER_WAY, f"another program has begun a check of {target}")
