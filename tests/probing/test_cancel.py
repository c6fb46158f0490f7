"""A run that is cancelled at every turn of the loop, one after the other: the books are right each time."""

from __future__ import annotations

import asyncio

import pytest

from exporter.errors import BudgetExceededError
from exporter.probing.limiter import Limiter, Slot
from exporter.probing.outcome import RunOutcome
from exporter.records import Grade, Reason, RunState, SpendPeriod
from exporter.store import Cap
from tests.fakes import FakeClock
from tests.probing.builders import Scene, plan
from tests.probing.fakes import FakeLedger, FakeProvider, failed, right, wrong

SCRIPT = {
    "q1": [wrong(), right()],
    "q2": [failed(Reason.OVERLOADED), right()],
    "q3": [wrong(), failed(Reason.NETWORK), wrong(), right()],
    "q5": [failed(Reason.REFUSAL)],
}
WORST_TOKENS = plan(1).costs["key of q1"].worst_tokens


class SlowClock(FakeClock):
    """A clock on which waiting takes turns of the loop, so that a run can be cancelled while it waits."""

    async def sleep(self, seconds: float) -> None:
        for _ in range(4):
            await asyncio.sleep(0)
        self.advance(seconds)


def new_scene(ledger: FakeLedger | None = None, provider: FakeProvider | None = None, grace_seconds: float = 10.0) -> Scene:
    """Six questions, three workers, and room under the cap for two reservations at a time."""
    return Scene(
        plan(6, concurrency=3),
        provider or FakeProvider(SCRIPT),
        ledger or FakeLedger(),
        SlowClock(),
        caps=[Cap("bot", SpendPeriod.CHECK, limit_tokens=2 * WORST_TOKENS + 400)],
        grace_seconds=grace_seconds,
    )


def facts(grades: tuple[Grade, ...] | list[Grade]) -> list[tuple[str, int, bool | None, Reason | None]]:
    return sorted((grade.question_id, grade.attempt, grade.right, grade.reason) for grade in grades)


WHOLE = facts(new_scene().outcome().grades)


async def turn(times: int) -> None:
    for _ in range(times):
        await asyncio.sleep(0)


async def count_turns() -> int:
    task = asyncio.create_task(new_scene().go())
    turns = 0
    while not task.done():
        await turn(1)
        turns += 1
    return turns


TURNS = asyncio.run(count_turns())


def test_the_story_is_long_enough_to_be_cancelled_in_all_its_parts() -> None:
    assert TURNS > 40
    assert WHOLE == [
        ("q1", 1, False, None),
        ("q1", 2, True, None),
        ("q2", 1, True, None),
        ("q3", 1, False, None),
        ("q3", 2, False, None),
        ("q3", 3, True, None),
        ("q4", 1, True, None),
        ("q5", 1, None, Reason.REFUSAL),
        ("q6", 1, True, None),
    ]


async def cancel_once(scene: Scene, turns: int) -> RunOutcome:
    task = asyncio.create_task(scene.go())
    await turn(turns)
    task.cancel()
    await turn(2)
    asked = len(scene.provider.asked)
    outcome = await task
    assert task.cancelling() == 0, "a cancel that was heeded is still pending"
    assert len(scene.provider.asked) == asked, "sent after it was cancelled"
    assert asyncio.all_tasks() == {asyncio.current_task()}
    return outcome


@pytest.mark.parametrize("turns", range(1, TURNS))
def test_a_cancelled_run_settles_what_is_under_way_and_goes_on_where_it_stood(turns: int) -> None:
    scene = new_scene()
    outcome = asyncio.run(cancel_once(scene, turns))
    assert scene.ledger.open == {}
    assert facts(outcome.grades) == facts(scene.ledger.grades)
    if facts(outcome.grades) == WHOLE:
        assert (outcome.state, outcome.reason) == (RunState.MEASURED, None)
    else:
        assert (outcome.state, outcome.reason, outcome.unsent) == (RunState.OPEN, Reason.INTERRUPTED, ())
    resumed = new_scene(scene.ledger, scene.provider).outcome(done=scene.ledger.grades)
    assert resumed.state is RunState.MEASURED
    assert facts(resumed.grades) == facts(scene.ledger.grades) == WHOLE


async def cancel_twice(scene: Scene, turns: int, later: int) -> RunOutcome | None:
    task = asyncio.create_task(scene.go())
    await turn(turns)
    task.cancel()
    await turn(later)
    task.cancel()
    try:
        return await task
    except asyncio.CancelledError:
        return None
    finally:
        assert asyncio.all_tasks() == {asyncio.current_task()}


@pytest.mark.parametrize("turns", range(1, TURNS))
def test_a_run_cancelled_twice_gives_up_at_once_and_leaves_open_what_it_could_not_settle(turns: int) -> None:
    for later in range(1, 9):
        scene = new_scene()
        asyncio.run(cancel_twice(scene, turns, later))
        ledger = scene.ledger
        assert not set(ledger.open) & set(ledger.settled)
        assert len(scene.provider.asked) <= len(ledger.open) + len(ledger.settled)
        resumed = new_scene(ledger, scene.provider)
        resumed.caps = ()  # what was left open may fill the cap
        assert resumed.outcome(done=ledger.grades).state is RunState.MEASURED
        assert {(question_id, attempt) for question_id, attempt, _, _ in facts(ledger.grades)} >= {(f"q{n}", 1) for n in range(1, 7)}


@pytest.mark.parametrize("turns", range(1, TURNS, 5))
def test_without_any_grace_a_cancelled_run_is_given_up_but_still_has_its_outcome(turns: int) -> None:
    scene = new_scene(grace_seconds=0.0)
    outcome = asyncio.run(cancel_once(scene, turns))
    assert outcome.state in (RunState.OPEN, RunState.MEASURED)
    assert not set(scene.ledger.open) & set(scene.ledger.settled)


def test_a_run_cancelled_before_it_began_has_touched_nothing() -> None:
    async def cancel_at_once(scene: Scene) -> None:
        task = asyncio.create_task(scene.go())
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    scene = new_scene()
    asyncio.run(cancel_at_once(scene))
    assert (scene.provider.asked, scene.ledger.open, scene.ledger.settled) == ([], {}, [])


def test_the_message_of_an_interrupted_run_says_what_stopped_it() -> None:
    outcome = asyncio.run(cancel_once(new_scene(), 10))
    assert outcome.message == "the program was stopped in the middle of the run"


def test_a_failure_that_comes_back_after_a_cancel_is_not_waited_for() -> None:
    async def cancel_in_flight() -> None:
        scene = Scene(plan(1), FakeProvider({"q1": [failed(Reason.OVERLOADED)]}))
        task = asyncio.create_task(scene.go())
        scene.provider.before_answer = lambda prompt: task.cancel()
        outcome = await task
        assert (outcome.state, outcome.grades, scene.ledger.open) == (RunState.OPEN, (), {})
        assert scene.clock.slept == []

    asyncio.run(cancel_in_flight())


def test_a_run_that_waits_for_a_slot_has_set_two_requests_aside_and_takes_them_back_once_cancelled() -> None:
    async def cancel_in_queue() -> None:
        scene, limiter = Scene(plan(5, concurrency=3)), Limiter(1)
        await Slot(limiter).take()
        task = asyncio.create_task(scene.go(limiter=limiter))
        await turn(20)
        assert (len(scene.ledger.open), scene.provider.asked) == (2, [])
        task.cancel()
        async with asyncio.timeout(60):
            assert (await task).state is RunState.OPEN
        assert (scene.ledger.open, scene.ledger.spent_tokens, scene.provider.asked) == ({}, 0, [])
        assert (sorted(scene.ledger.taken_back), scene.ledger.answers) == ([1, 2], [])

    asyncio.run(cancel_in_queue())


def test_a_request_under_way_keeps_its_slot_when_its_run_is_cancelled() -> None:
    async def cancel_in_flight() -> None:
        provider, limiter = FakeProvider(turns=30), Limiter(1)
        first = asyncio.create_task(Scene(plan(3), provider).go(limiter=limiter))
        await turn(15)
        second = asyncio.create_task(Scene(plan(3), provider).go(limiter=limiter))
        await turn(5)
        first.cancel()
        async with asyncio.timeout(60):
            outcomes = await asyncio.gather(first, second)
        assert [outcome.state for outcome in outcomes] == [RunState.OPEN, RunState.MEASURED]
        assert provider.most_under_way == 1

    asyncio.run(cancel_in_flight())


def test_a_run_that_is_given_up_while_it_waits_for_a_slot_leaves_the_queue() -> None:
    async def give_up() -> None:
        scene, limiter = Scene(plan(2)), Limiter(1)
        taken = Slot(limiter)
        await taken.take()
        task = asyncio.create_task(scene.go(limiter=limiter))
        await turn(20)
        task.cancel()
        await turn(1)
        task.cancel()
        await asyncio.wait((task,), timeout=60)
        taken.free()
        async with asyncio.timeout(60):
            await Slot(limiter).take()

    asyncio.run(give_up())


def test_a_reservation_refused_after_a_cancel_is_not_waited_for() -> None:
    tasks: list[asyncio.Task[RunOutcome]] = []

    class Full(FakeLedger):
        async def reserve(self, *reservation: object) -> int:
            tasks[0].cancel()
            await turn(3)
            raise BudgetExceededError(scope=None, period="day", unit="tokens", limit=1, spent=1, wanted=1)

    async def cancel_in_reserve() -> None:
        limiter = Limiter(2)
        limiter.under_way.enter()
        tasks.append(asyncio.create_task(Scene(plan(1), ledger=Full()).go(limiter=limiter)))
        async with asyncio.timeout(60):
            assert (await tasks[0]).state is RunState.OPEN

    asyncio.run(cancel_in_reserve())
