"""Room under a cap that requests of other programs hold for a while: waited for, and never used before it is given back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exporter.records import Reason, RunState, SpendPeriod
from exporter.store import Cap
from tests.fakes import FakeClock
from tests.probing.builders import Scene, plan
from tests.probing.fakes import FakeLedger, Reservation

WORST = plan(1).costs["key of q1"].worst_tokens
ANSWER = 30
"""What a right answer takes of it."""


@dataclass(frozen=True)
class Other:
    """A request of another program: settled when so much time has passed, at so many of the tokens that it has reserved."""

    seconds: float
    reserved: int
    tokens: int


@dataclass
class SharedLedger(FakeLedger):
    """Others have reservations in it, under ids below zero."""

    clock: FakeClock = field(default_factory=FakeClock)
    others: Sequence[Other] = ()

    def __post_init__(self) -> None:
        self.open |= {-number: Reservation("theirs", 0, 1, other.reserved, None) for number, other in enumerate(self.others, 1)}
        self.began_at = self.clock.monotonic()

    async def reserve(self, *args: object, **kwargs: object) -> int:
        self.settle_others(self.clock.monotonic() - self.began_at)
        return await super().reserve(*args, **kwargs)  # type: ignore[arg-type]  # handed on as they came

    def settle_others(self, seconds: float) -> None:
        for number, other in enumerate(self.others, 1):
            if other.seconds <= seconds and self.open.pop(-number, None) is not None:
                self.spent_tokens += other.tokens


def share(others: Sequence[Other], limit: int, *, scope: str | None = None, questions: int = 4, concurrency: int = 2) -> Scene:
    """A run of questions whose right answers take 30 tokens each."""
    clock = FakeClock()
    caps = [Cap(scope, SpendPeriod.DAY, limit_tokens=limit)]
    return Scene(plan(questions, concurrency=concurrency), ledger=SharedLedger(clock=clock, others=others), clock=clock, caps=caps)


@pytest.mark.parametrize("scope", [None, "bot"])
def test_room_that_others_have_reserved_is_waited_for(scope: str | None) -> None:
    scene = share([Other(12.0, reserved=1000, tokens=10)], limit=1000, scope=scope)
    outcome = scene.outcome()
    assert (outcome.state, scene.clock.slept) == (RunState.MEASURED, [5.0, 5.0, 5.0])
    assert scene.ledger.most_tokens <= 1000


def test_the_others_are_asked_for_again_where_one_answer_of_the_run_does_not_suffice() -> None:
    scene = share([Other(7.0, reserved=1000, tokens=10)], limit=1000 + WORST, questions=8, concurrency=8)
    outcome = scene.outcome()
    assert (outcome.state, scene.clock.slept) == (RunState.MEASURED, [5.0, 5.0])
    assert scene.ledger.most_tokens <= 1000 + WORST


def test_room_that_is_never_given_back_ends_the_run_before_its_deadline_for_want_of_budget() -> None:
    scene = share([Other(9999.0, reserved=1000, tokens=10)], limit=1000)
    outcome = scene.outcome()
    assert (outcome.state, outcome.reason) == (RunState.FAILED, Reason.BUDGET)
    assert outcome.message.startswith(f"budget.total.tokens_per_day: 1,000 of 1,000 tokens are spent or reserved, {WORST} more do not fit;")
    assert scene.clock.slept == [5.0] * 119
    assert scene.provider.asked == []


def test_room_that_is_spent_is_not_waited_for() -> None:
    scene = share([Other(7.0, reserved=500, tokens=10)], limit=1000)
    scene.ledger.spent_tokens = 1001 - WORST
    outcome = scene.outcome()
    assert (outcome.state, outcome.reason, scene.clock.slept) == (RunState.FAILED, Reason.BUDGET, [])
    assert scene.provider.asked == []


others = st.lists(
    st.builds(
        lambda seconds, reserved, share: Other(seconds, reserved, int(reserved * share)),
        st.floats(0, 300),
        st.integers(0, 2000),
        st.floats(0, 1),
    ),
    max_size=6,
)


@given(held=others, left=st.integers(0, 2 * WORST), scope=st.sampled_from(["bot", None]), concurrency=st.integers(1, 6))
@settings(max_examples=200)
def test_a_run_is_measured_unless_what_is_spent_leaves_no_room_and_no_cap_is_ever_passed(
    held: list[Other], left: int, scope: str | None, concurrency: int
) -> None:
    limit = max(1, sum(other.reserved for other in held) + left)
    scene = share(held, limit, scope=scope, concurrency=concurrency)
    outcome = scene.outcome()
    ledger = scene.ledger
    assert isinstance(ledger, SharedLedger)
    assert ledger.most_tokens <= limit
    if outcome.state is RunState.MEASURED:
        return
    ledger.settle_others(9999.0)
    assert outcome.reason is Reason.BUDGET
    assert ledger.spent_tokens + WORST > limit
