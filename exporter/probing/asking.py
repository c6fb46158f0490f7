"""The questions of one run, several at once: each asked, retried, graded, asked again, until nothing is left or a halt."""

from __future__ import annotations

import asyncio
import itertools
import random
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager

from exporter.clock import Clock
from exporter.errors import BudgetExceededError
from exporter.probing.budget import Books
from exporter.probing.grades import GradeAnswer, grade_of, rule, see_through
from exporter.probing.limiter import Limiter, Slot, UnderWay
from exporter.probing.outcome import Halt, RunOutcome, conclude, most_frequent
from exporter.probing.plan import Ask, Plan, request_of
from exporter.probing.retry import next_delay
from exporter.providers import Provider, identity_key
from exporter.records import STOPS_RUN, Answer, Grade, Reason, Request, SpendPeriod
from exporter.records.marks import next_attempt

HANG_SECONDS = 5.0
"""How long beyond a request's own timeout its provider is waited for."""

FIRST_FAILURES = 6
"""If the first requests all fail, this many or two for each worker, the rest is not asked."""

MOST_AHEAD = 2
"""Requests of a run that may be reserved and wait for a slot: one that falls free is used at once, however long the store takes,
and little is set aside for what has yet to be sent."""

ROOM_SECONDS = 5.0
"""How often is asked again for room that requests of other programs hold under a cap."""

WaitForRoom = Callable[[BudgetExceededError], Awaitable[None]]
"""Waits until it is worthwhile to ask for that room again, ROOM_SECONDS at least."""

DEADLINE_PASSED = Halt(Reason.DEADLINE, "the run's deadline has passed")


class Asking:
    """The state of one run while it goes on.

    A worker is either waiting (for its turn, for room under a cap, for a retry), and then a halt ends it on the spot, or it
    is exchanging (from before a reservation until after its settlement), and then a halt lets it finish that and no more.
    """

    def __init__(
        self,
        *,
        plan: Plan,
        provider: Provider,
        books: Books,
        clock: Clock,
        limiter: Limiter,
        deadline: float,
        seed: int,
        done: Sequence[Grade],
        grade_answer: GradeAnswer,
        wait_for_room: WaitForRoom | None,
        on_progress: Callable[[int, int], None] | None,
    ) -> None:
        self._plan = plan
        self._provider = provider
        self._books = books
        self._clock = clock
        self._limiter = limiter
        self._deadline = deadline
        self._grade_answer = grade_answer
        self._wait_for_room = wait_for_room or self._wait
        self._on_progress = on_progress
        self._jitter = random.Random(seed)  # noqa: S311 - spreads retries, guards nothing
        self._grades: defaultdict[tuple[str, int], list[Grade]] = defaultdict(list)
        self._to_be_sent_again: dict[tuple[str, int], Answer] = {}
        self._halt: Halt | None = None
        self._workers: set[asyncio.Task[None]] = set()
        self._exchanging: set[asyncio.Task[None]] = set()
        self._under_way = UnderWay()
        self._turn = asyncio.Lock()
        self._ahead = asyncio.Semaphore(MOST_AHEAD)
        self._slots: set[Slot] = set()
        self._failures: list[Reason] | None = []
        for grade in done:
            self._grades[grade.question_key, grade.sample].append(grade)
            self._count_failure(grade.reason, grade.message)

    def start(self) -> set[asyncio.Task[None]]:
        """Start the workers: as many as the target's `concurrency`, or as there are questions left."""
        self._tell_progress()
        left = [ask for ask in self._plan.asks if self._next_attempt(ask) is not None]
        asks = iter(left)
        self._workers = {asyncio.create_task(self._work(asks)) for _ in range(min(self._plan.target.concurrency, len(left)))}
        return set(self._workers)

    def halt(self, halt: Halt) -> None:
        """Send nothing more. Only the first halt counts."""
        if self._halt is not None:
            return
        self._halt = halt
        for worker in self._workers - self._exchanging - {asyncio.current_task()}:
            worker.cancel()
        for slot in self._slots:
            slot.give_up()

    def conclude(self) -> RunOutcome:
        """How the run ended. Not to be called before the workers are done."""
        return conclude(self._plan, self._grades, self._halt, self._to_be_sent_again, self._clock.now())

    async def _work(self, asks: Iterator[Ask]) -> None:
        for ask in asks:
            while self._halt is None and (attempt := self._next_attempt(ask)) is not None:
                await self._try(ask, attempt)
            if self._halt is not None:
                return
            self._tell_progress()

    async def _try(self, ask: Ask, attempt: int) -> None:
        """One try at a question: sent until there is a grade, or nothing more may be sent."""
        for sent in itertools.count(1):
            delay = await self._exchange(ask, attempt, sent)
            if delay is None or self._halt is not None:
                return
            await self._clock.sleep(delay)

    async def _exchange(self, ask: Ask, attempt: int, sent: int) -> float | None:
        """One request from its reservation to its settlement. Returns how long to wait before the next; None: the try is over."""
        reservation_id, settled = None, False
        with self._slot() as slot:
            try:
                async with self._ahead:
                    reservation_id = await self._reserve(ask, attempt)
                    if reservation_id is None:
                        return None
                    with self._finishing():
                        await slot.take()
                with self._finishing():
                    delay = await self._ask(slot, reservation_id, ask, attempt, sent)
                settled = True
                return delay
            finally:
                if reservation_id is not None:
                    self._leave(settled=settled)

    async def _reserve(self, ask: Ask, attempt: int) -> int | None:
        """Reserve, one worker after the other; wait where open reservations take the room. None: halted."""
        async with self._turn:
            while True:
                self._enter()
                seen = self._under_way.settled_count, self._limiter.under_way.settled_count
                reserved = False
                try:
                    if self._seconds_left() <= 0:
                        self.halt(DEADLINE_PASSED)
                        return None
                    with self._finishing():
                        reservation_id = await self._books.reserve(ask, attempt)
                    reserved = True
                    return reservation_id
                except BudgetExceededError as error:
                    refusal = error
                finally:
                    if not reserved:
                        self._leave(settled=False)
                if self._halt is None and not await self._find_room(refusal, *seen):
                    self.halt(Halt(Reason.BUDGET, str(refusal)))
                if self._halt is not None:
                    return None

    async def _find_room(self, refusal: BudgetExceededError, own_seen: int, all_seen: int) -> bool:
        """Wait until a request that counts for the same cap may have been settled. False: there will be no room in time."""
        if not refusal.may_pass:
            return False
        if refusal.scope is None and refusal.period != SpendPeriod.CHECK:
            settled = await self._limiter.under_way.more_settled(all_seen)
        else:
            settled = await self._under_way.more_settled(own_seen)
        if not settled:  # it is other programs whose requests are under way
            if self._seconds_left() <= ROOM_SECONDS:
                return False
            await self._wait_for_room(refusal)
        return True

    async def _wait(self, _: BudgetExceededError) -> None:
        await self._clock.sleep(ROOM_SECONDS)

    async def _ask(self, slot: Slot, reservation_id: int, ask: Ask, attempt: int, sent: int) -> float | None:
        target = self._plan.target
        seconds_left = self._seconds_left()
        if seconds_left <= 0:
            self.halt(DEADLINE_PASSED)
        if self._halt is not None:
            await self._books.take_back(reservation_id)
            return None
        request = request_of(target, ask.question, min(target.request_timeout, seconds_left))
        answer = see_through(await self._send(request), ask.question, request, target)
        if answer.reason in STOPS_RUN and not (answer.tools_refused and request.tools):
            self.halt(Halt(answer.reason, answer.message))  # before another of the run has the slot
        slot.free()
        ruling = None if answer.reason is not None else await rule(self._grade_answer, ask.question, answer)
        delay = None if answer.reason is None else self._delay_after(answer.reason, sent, answer.retry_after_seconds)
        grade = None if delay is not None else grade_of(ask, attempt, answer, ruling, target, self._clock.now())
        await self._books.settle(reservation_id, ask, answer, identity_key(answer.identity, target.identity), grade)
        self._record(ask, answer, grade)
        return delay

    async def _send(self, request: Request) -> Answer:
        """The provider's answer. One that hangs or raises, against its contract, costs this answer and not the run."""
        try:
            async with asyncio.timeout(request.timeout_seconds + HANG_SECONDS):
                return await self._provider.ask(request)
        except TimeoutError:
            return Answer(reason=Reason.TIMEOUT, message="no answer in time", latency_seconds=request.timeout_seconds)
        except Exception as error:  # whatever an adapter may raise, no other question must suffer for it
            return Answer(reason=Reason.BAD_RESPONSE, message=f"a defect of this program, please report it: {type(error).__name__}")

    def _delay_after(self, reason: Reason, sent: int, retry_after_seconds: float | None) -> float | None:
        if self._halt is not None and self._halt.reason is not Reason.INTERRUPTED:
            return None
        return next_delay(reason, sent, retry_after_seconds, self._seconds_left(), self._jitter.random())

    def _record(self, ask: Ask, answer: Answer, grade: Grade | None) -> None:
        if grade is None:
            self._to_be_sent_again[ask.key] = answer
        else:
            self._to_be_sent_again.pop(ask.key, None)
            self._grades[ask.key].append(grade)
        self._count_failure(answer.reason, answer.message)

    def _count_failure(self, reason: Reason | None, message: str) -> None:
        if reason in STOPS_RUN:
            return  # has stopped the run, or tells of questions with tools alone
        if reason is None or self._failures is None:
            self._failures = None
            return
        self._failures.append(reason)
        if len(self._failures) == max(FIRST_FAILURES, 2 * self._plan.target.concurrency):
            frequent, _ = most_frequent(self._failures)
            self.halt(Halt(frequent, f"the first {len(self._failures)} requests all failed, the last one so: {message or reason}"))

    def _next_attempt(self, ask: Ask) -> int | None:
        return next_attempt(self._grades[ask.key], self._plan.target.decision.tries)

    def _seconds_left(self) -> float:
        return self._deadline - self._clock.monotonic()

    @contextmanager
    def _finishing(self) -> Iterator[None]:
        """What a halt lets the worker finish."""
        worker = asyncio.current_task()
        assert worker is not None  # noqa: S101 - only workers come here
        self._exchanging.add(worker)
        try:
            yield
        finally:
            self._exchanging.discard(worker)

    @contextmanager
    def _slot(self) -> Iterator[Slot]:
        """A slot to wait for; after a halt nobody waits, and nothing is sent."""
        slot = Slot(self._limiter)
        self._slots.add(slot)
        try:
            yield slot
        finally:
            self._slots.discard(slot)
            slot.free()

    def _enter(self) -> None:
        self._under_way.enter()
        self._limiter.under_way.enter()

    def _leave(self, *, settled: bool) -> None:
        self._under_way.leave(settled=settled)
        self._limiter.under_way.leave(settled=settled)

    def _tell_progress(self) -> None:
        if self._on_progress is not None:
            asks = self._plan.asks
            self._on_progress(sum(self._next_attempt(ask) is None for ask in asks), len(asks))
