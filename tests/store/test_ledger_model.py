from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from typing import ClassVar

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule, run_state_machine_as_test

from exporter.errors import BudgetExceededError
from exporter.records import CheckKind, Reason, Run, RunState, SpendPeriod
from exporter.store import Cap, Store, open_store
from tests.postgres import PostgresServer
from tests.store.conftest import empty
from tests.store.facts import DAY_SECONDS, NOW, a_cap, a_failed_answer, a_grade, an_answer, finish_check
from tests.store.ledger_model import Attempt, LedgerModel

TARGETS = ("bot", "cat")
MOMENTS = (NOW, NOW + DAY_SECONDS, NOW + 20 * DAY_SECONDS)  # 15 and 16 January, 4 February
CENTS = st.one_of(st.none(), st.integers(0, 12))
LIMITS = st.fixed_dictionaries({"usd": st.one_of(st.none(), st.integers(1, 40)), "tokens": st.one_of(st.none(), st.integers(50, 4000))})


class LedgerMachine(RuleBasedStateMachine):
    """Reserving, settling, crashing, ending runs and days passing, in any order, against the plain model."""

    make: ClassVar[Callable[[], AbstractContextManager[str]]]
    """An empty store for as long as the block lasts: its URL."""

    def __init__(self) -> None:
        super().__init__()
        self.model = LedgerModel()
        self.rest = ExitStack()
        self.url = self.rest.enter_context(type(self).make())
        self.store: Store = self.open()
        self.day = 0
        self.checks = 0
        self.runs: dict[str, Run] = {}

    def open(self) -> Store:
        return open_store(self.url)

    def teardown(self) -> None:
        problems = self.store.verify()
        self.store.close()
        self.rest.close()
        assert problems == ()

    @initialize(limits=st.tuples(*[LIMITS] * 5))
    def set_caps(self, limits: tuple[dict[str, int | None], ...]) -> None:
        self.limits = dict(zip([("", "check"), ("", "day"), ("", "month"), (None, "day"), (None, "month")], limits, strict=True))
        for target in TARGETS:
            self.start_check(target)

    def caps(self, target: str) -> tuple[Cap, ...]:
        return tuple(
            a_cap(period, usd and usd / 100, limit["tokens"], scope if scope is None else target)
            for (scope, period), limit in self.limits.items()
            for usd in [limit["usd"]]
        )

    @property
    def now(self) -> float:
        return MOMENTS[self.day]

    def start_check(self, target: str) -> None:
        self.checks += 1
        check = self.store.claim_check(target, CheckKind.SCHEDULED, float(self.checks), self.now)
        assert check is not None
        self.runs[target] = self.store.open_run(check.id, 1, "p1", self.now, self.now + 600)

    @rule(bot=st.sampled_from(TARGETS), cents=CENTS, tokens=st.integers(0, 900))
    def reserve(self, bot: str, cents: int | None, tokens: int) -> None:
        run, caps = self.runs[bot], self.caps(bot)
        fits = all(self.model.fits(cap, self.day, run.check_id, cents, tokens) for cap in caps)
        usd = None if cents is None else cents / 100
        refusal: BudgetExceededError | None = None
        try:
            reservation = self.store.reserve(run.id, "key", 0, 1, tokens, usd, self.now, caps)
            self.model.attempts[reservation] = Attempt(bot, run.check_id, run.id, self.day, cents, tokens)
        except BudgetExceededError as error:
            refusal = error
        assert fits is (refusal is None)
        settled = all(self.model.fits(cap, self.day, run.check_id, cents, tokens, with_open=False) for cap in caps)
        assert refusal is None or refusal.may_pass is settled

    @precondition(lambda self: self.model.attempts)
    @rule(data=st.data(), failed=st.booleans(), estimated=st.booleans())
    def settle(self, data: st.DataObject, failed: bool, estimated: bool) -> None:
        """Any reservation, also one that was settled before; at most what was reserved."""
        reservation = data.draw(st.sampled_from(sorted(self.model.attempts)))
        attempt = self.model.attempts[reservation]
        cents = None if attempt.cents is None else data.draw(st.integers(0, attempt.cents))
        tokens = data.draw(st.integers(0, attempt.tokens))
        booked = self.store.settle(
            reservation,
            answer=a_failed_answer(Reason.TIMEOUT) if failed else an_answer(),
            usd=None if cents is None else cents / 100,
            tokens=tokens,
            estimated=estimated,
            identity=None,
            grade=a_grade(str(reservation)),
            now=self.now,
        )
        assert booked is not attempt.settled
        if booked:
            attempt.cents, attempt.tokens, attempt.settled, attempt.estimated = cents, tokens, True, estimated
            self.model.failures += failed

    @rule()
    def crash(self) -> None:
        self.store.close()
        self.store = self.open()

    @rule()
    def book_orphans(self) -> None:
        assert self.store.book_orphans(self.now) == self.model.book_orphans()

    @rule(bot=st.sampled_from(TARGETS), state=st.sampled_from([RunState.MEASURED, RunState.FAILED]))
    def finish(self, bot: str, state: RunState) -> None:
        run = self.runs[bot]
        self.model.book_orphans(run.id)
        self.store.close_run(run.id, state, Reason.DEADLINE if state is RunState.FAILED else None, "", self.now)
        finish_check(self.store, run)
        self.start_check(bot)

    @precondition(lambda self: self.day < 2)
    @rule()
    def let_a_day_pass(self) -> None:
        self.day += 1

    @invariant()
    def spend_is_what_the_model_says_and_never_above_a_cap(self) -> None:
        for target in (*self.runs, None):
            check_id = self.runs[target].check_id if target else None
            for period, spent in self.store.spend(target, self.now).items():
                cents, tokens = self.model.spent(target, period, self.day, check_id)
                assert (spent.usd or 0.0, spent.tokens) == (cents / 100, tokens)
                for cap in self.caps(target or "bot"):
                    if (cap.scope, cap.period) == (target, period):
                        assert cap.limit_usd is None or cents <= round(cap.limit_usd * 100)
                        assert cap.limit_tokens is None or tokens <= cap.limit_tokens

    @invariant()
    def every_attempt_is_counted_once_when_it_is_settled(self) -> None:
        counters = [self.store.counters(target) for target in self.runs]
        settled = [attempt for attempt in self.model.attempts.values() if attempt.settled]
        assert sum(each.requests for each in counters) == len(settled)
        assert sum(sum(each.request_failures.values()) for each in counters) == self.model.failures
        assert round(sum(each.spend_usd for each in counters) * 100, 6) == sum(attempt.cents or 0 for attempt in settled)
        estimated = sum(attempt.cents or 0 for attempt in settled if attempt.estimated)
        assert round(sum(each.spend_estimated_usd for each in counters) * 100, 6) == estimated


def run_with(make: Callable[[], AbstractContextManager[str]], examples: int) -> None:
    LedgerMachine.make = staticmethod(make)
    slow = [HealthCheck.too_slow, HealthCheck.filter_too_much]
    run_state_machine_as_test(LedgerMachine, settings=settings(max_examples=examples, stateful_step_count=30, suppress_health_check=slow))


def test_whatever_happens_no_cap_is_broken_and_nothing_is_counted_twice(fresh_file: Path, fast_folder: Path) -> None:
    @contextmanager
    def make() -> Iterator[str]:
        path = Path(tempfile.mkdtemp(dir=fast_folder)) / "history.db"
        shutil.copy(fresh_file, path)
        yield f"sqlite:///{path}"
        shutil.rmtree(path.parent)

    run_with(make, 25)


def test_the_same_holds_on_a_server(postgres: PostgresServer, migrated_database: str) -> None:
    @contextmanager
    def make() -> Iterator[str]:
        empty(postgres)
        yield migrated_database

    run_with(make, 6)


def test_the_model_itself_knows_a_broken_cap() -> None:
    model = LedgerModel({1: Attempt("bot", 1, 1, 0, 10, 100), 2: Attempt("cat", 2, 2, 1, 5, 50)})
    assert model.fits(a_cap("day", usd=0.2), 0, 1, 10, 0)
    assert not model.fits(a_cap("day", usd=0.2), 0, 1, 11, 0)
    assert not model.fits(a_cap("month", usd=0.2, scope=None), 0, 1, 6, 0)
    assert model.fits(a_cap("month", usd=0.2, scope=None), 2, 1, 20, 0)
    assert not model.fits(a_cap("check", tokens=120), 1, 1, None, 21)
    assert model.spent("bot", SpendPeriod.MONTH, 1, 1) == (10, 100)
