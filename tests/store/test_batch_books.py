"""Calls that share a transaction come to what they would have come to one after the other, to the last cent."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random

import pytest

from exporter.errors import BudgetExceededError, StoreError
from exporter.records import Run, RunState
from exporter.store import Cap, Store, open_store
from tests.store.facts import DAY_SECONDS, NOW, a_cap, a_grade, reserve, settle, start_run

TARGETS = ("bot", "cat")
WAYS = (*["reserve"] * 12, *["settle"] * 12, "end", "orphans")
DAYS = (*[0] * 12, 1, 17, 17)
CAPS: dict[str, Callable[[str], Cap]] = {
    "a check": lambda target: a_cap("check", usd=0.30, scope=target),
    "a day": lambda target: a_cap("day", usd=0.18, scope=target),
    "a month": lambda target: a_cap("month", usd=0.25, scope=target),
    "a day's tokens": lambda target: a_cap("day", tokens=1500, scope=target),
    "a day of all": lambda target: a_cap("day", usd=0.30, scope=None),
    "a month of all": lambda target: a_cap("month", usd=0.45, scope=None),
}

Step = tuple[str, int, int, int]
"""What is done, to which of the targets or reservations, for how many cents, on which day."""


def draw_steps(seed: int) -> list[Step]:
    random = Random(seed)  # noqa: S311 - what is tried is no secret
    return [(random.choice(WAYS), random.randrange(1000), random.choice((0, 1, 5, 12)), random.choice(DAYS)) for _ in range(60)]


class Life:
    """Two targets with a run each, and what comes of each step."""

    def __init__(self, store: Store, cap: str) -> None:
        self.store = store
        self.cap = CAPS[cap]
        self.runs: dict[str, Run] = {target: start_run(store, target) for target in TARGETS}
        self.reservations: list[int] = []
        self.outcomes: list[object] = []

    def do(self, step: Step) -> None:
        try:
            self.outcomes.append(self._do(*step))
        except (BudgetExceededError, StoreError) as error:
            self.outcomes.append((str(error), getattr(error, "may_pass", None)))

    def _do(self, way: str, which: int, cents: int, days: int) -> object:
        target, now = TARGETS[which % 2], NOW + days * DAY_SECONDS
        run = self.runs[target]
        if way == "reserve":
            self.reservations.append(reserve(self.store, run, tokens=cents * 100, usd=cents / 100, caps=(self.cap(target),), now=now))
            return self.reservations[-1]
        if way == "settle":
            reservation = self.reservations[which % len(self.reservations)] if self.reservations else 99
            return settle(self.store, reservation, usd=cents / 100, tokens=cents * 50, grade=a_grade(f"q{cents}"), now=now)
        if way == "orphans":
            return self.store.book_orphans(now, [run.id])
        self.store.close_run(run.id, RunState.MEASURED, None, "", now)
        self.runs[target] = self.store.open_run(run.check_id, run.number + 1, "p1", now, now + 600)
        return self.runs[target].id


@contextmanager
def fresh_store(fresh_file: Path, folder: Path) -> Iterator[Store]:
    own = Path(tempfile.mkdtemp(dir=folder))
    shutil.copy(fresh_file, own)
    store = open_store(f"sqlite:///{own / fresh_file.name}")
    yield store
    store.close()
    shutil.rmtree(own)


@pytest.mark.parametrize("cap", CAPS)
def test_a_batch_comes_to_what_its_calls_come_to_one_by_one(fresh_file: Path, fast_folder: Path, cap: str) -> None:
    for seed in range(5):
        with ExitStack() as stack:
            alone, together = (Life(stack.enter_context(fresh_store(fresh_file, fast_folder)), cap) for _ in range(2))
            for step in draw_steps(seed):
                alone.do(step)
            with together.store.batch():
                for step in draw_steps(seed):
                    together.do(step)
            assert together.outcomes == alone.outcomes
            assert any("are spent or reserved" in str(outcome) for outcome in alone.outcomes)
            assert [together.store.spend(target, NOW) for target in (*TARGETS, None)] == [
                alone.store.spend(target, NOW) for target in (*TARGETS, None)
            ]
            assert together.store.open_checks() == alone.store.open_checks()
            assert together.store.verify() == ()


@pytest.mark.parametrize("usd", [0.10, 0.30])
def test_what_a_request_cost_is_known_to_the_next_one_of_its_batch(store: Store, usd: float) -> None:
    """Less than was reserved is free again, more ends the spending."""
    run = start_run(store)
    caps = (a_cap("day", usd=0.45),)
    with store.batch():
        first = reserve(store, run, usd=0.20, caps=caps)
        reserve(store, run, usd=0.20, caps=caps)
        settle(store, first, usd=usd)
        if usd > 0.20:
            with pytest.raises(BudgetExceededError, match=r"\$0.5 of \$0.45 are spent or reserved"):
                reserve(store, run, usd=0.01, caps=caps)
        else:
            reserve(store, run, usd=0.15, caps=caps)


def test_a_cap_over_all_targets_counts_what_a_batch_reserved_without_one(store: Store) -> None:
    run, other = start_run(store), start_run(store, "cat")
    with store.batch():
        reserve(store, run, usd=0.20, caps=(a_cap("day", usd=1),))
        with pytest.raises(BudgetExceededError, match=r"^budget.total.usd_per_day: \$0.2 of \$0.3 are spent or reserved"):
            reserve(store, other, usd=0.20, caps=(a_cap("day", usd=1, scope="cat"), a_cap("day", usd=0.30, scope=None)))
        with pytest.raises(BudgetExceededError, match=r"^budget.total.usd_per_day: "):
            reserve(store, run, usd=0.20, caps=(a_cap("day", usd=1), a_cap("day", usd=0.30, scope=None)))


def test_a_target_that_gets_another_name_in_a_batch_keeps_what_it_spent(store: Store) -> None:
    run = start_run(store)
    with store.batch():
        reserve(store, run, usd=0.20, caps=(a_cap("day", usd=0.30),))
        store.rename_target("bot", "cat")
        with pytest.raises(BudgetExceededError, match=r"^budget.usd_per_day of cat: \$0.2 of \$0.3 are spent or reserved"):
            reserve(store, run, usd=0.20, caps=(a_cap("day", usd=0.30, scope="cat"),))
