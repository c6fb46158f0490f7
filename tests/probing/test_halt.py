"""What ends a run before all is asked, and what is said about it."""

from __future__ import annotations

import asyncio

import pytest

from exporter.errors import StoreError
from exporter.probing.limiter import Limiter, Slot
from exporter.records import Answer, Charge, Grade, Reason, Request, RunState, SpendPeriod, ToolSpec, Usage
from exporter.store import Cap
from tests.own_time import run_in_own_time
from tests.probing.builders import Scene, plan, question
from tests.probing.fakes import FakeLedger, FakeProvider, failed, right, wrong


def reasons_of(grades: tuple[Grade, ...]) -> list[str]:
    return [str(grade.reason) for grade in grades]


@pytest.mark.parametrize("reason", [Reason.AUTH, Reason.QUOTA, Reason.MODEL_NOT_FOUND, Reason.UNSUPPORTED_PARAMETER])
def test_what_every_question_would_meet_stops_the_run(reason: Reason) -> None:
    scene = Scene(plan(10, concurrency=1), FakeProvider({"q3": [failed(reason, "as the provider says")]}))
    outcome = scene.outcome()
    assert scene.provider.prompts == ["q1", "q2", "q3"]
    assert (outcome.state, outcome.reason) == (RunState.FAILED, reason)
    assert outcome.message == "as the provider says; 8 of 10 questions have no mark"
    assert reasons_of(outcome.grades) == ["None", "None", *[str(reason)] * 8]
    assert [grade.question_id for grade in outcome.unsent] == ["q4", "q5", "q6", "q7", "q8", "q9", "q10"]
    assert [grade.question_id for grade in scene.ledger.grades] == ["q1", "q2", "q3"]


def test_tools_that_are_refused_cost_the_questions_with_tools_and_no_others() -> None:
    tools = (ToolSpec("find", "Finds it", {"type": "object"}),)
    asked = [question(f"q{number}", tools=tools if number <= 8 else ()) for number in range(1, 41)]
    refused = failed(Reason.UNSUPPORTED_PARAMETER, "knows no tools; set tool_calling: text", tools_refused=True)
    scene = Scene(plan(asked, concurrency=1), FakeProvider({f"q{number}": [refused] for number in range(1, 9)}))
    outcome = scene.outcome()
    assert len(scene.provider.prompts) == 40
    assert reasons_of(outcome.grades) == ["unsupported_parameter"] * 8 + ["None"] * 32
    assert (outcome.state, outcome.message) == (RunState.MEASURED, "")
    scene = Scene(plan(asked[:30], concurrency=1), FakeProvider({f"q{number}": [refused] for number in range(1, 9)}))
    outcome = scene.outcome()
    assert (outcome.state, outcome.reason) == (RunState.FAILED, Reason.UNSUPPORTED_PARAMETER)
    assert outcome.message == "knows no tools; set tool_calling: text; 8 of 30 questions have no mark"


def test_tools_that_were_not_sent_and_are_refused_all_the_same_stop_the_run() -> None:
    refused = failed(Reason.UNSUPPORTED_PARAMETER, "knows no tools", tools_refused=True)
    scene = Scene(plan(10, concurrency=1), FakeProvider({"q3": [refused]}))
    assert scene.outcome().reason is Reason.UNSUPPORTED_PARAMETER
    assert scene.provider.prompts == ["q1", "q2", "q3"]


def test_a_run_that_is_stopped_when_nearly_done_is_measured() -> None:
    scene = Scene(plan(10, concurrency=1), FakeProvider({"q9": [failed(Reason.QUOTA)]}))
    outcome = scene.outcome()
    assert (outcome.state, outcome.reason, outcome.message) == (RunState.MEASURED, None, "")
    assert reasons_of(outcome.unsent) == ["quota"]


@pytest.mark.parametrize(("concurrency", "sent"), [(1, 6), (3, 6), (4, 8), (8, 16)])
def test_first_requests_that_all_fail_stop_the_run(concurrency: int, sent: int) -> None:
    script = {f"q{number}": [failed(Reason.REFUSAL, "no")] for number in range(1, 35)}
    scene = Scene(plan(34, concurrency=concurrency), FakeProvider(script, turns=1))
    outcome = scene.outcome()
    assert sent <= len(scene.provider.asked) < sent + concurrency
    assert (outcome.state, outcome.reason) == (RunState.FAILED, Reason.REFUSAL)
    assert outcome.message == f"the first {sent} requests all failed, the last one so: no; 34 of 34 questions have no mark"


def test_first_requests_count_with_those_that_are_sent_again() -> None:
    scene = Scene(plan(34, concurrency=1), FakeProvider({f"q{n}": [failed(Reason.OVERLOADED, "busy")] for n in range(1, 35)}))
    outcome = scene.outcome()
    assert scene.provider.prompts == ["q1"] * 5 + ["q2"]
    assert reasons_of(outcome.grades) == ["overloaded"] * 34


def test_one_answer_among_the_first_requests_lets_the_run_go_on() -> None:
    script = {f"q{number}": [failed(Reason.TRUNCATED, "cut off; raise max_tokens_scale")] for number in range(1, 35) if number != 6}
    scene = Scene(plan(34, concurrency=1), FakeProvider(script))
    outcome = scene.outcome()
    assert len(scene.provider.asked) == 34
    assert (outcome.state, outcome.reason) == (RunState.FAILED, Reason.TRUNCATED)
    assert outcome.message == "cut off; raise max_tokens_scale; 33 of 34 questions have no mark"


def test_as_many_questions_without_a_mark_as_are_allowed_still_measure() -> None:
    refused = {f"q{number}": [failed(Reason.REFUSAL)] for number in (2, 5)}
    assert Scene(plan(10), FakeProvider(refused)).outcome().state is RunState.MEASURED
    more = {**refused, "q9": [failed(Reason.REFUSAL)]}
    assert Scene(plan(10), FakeProvider(more)).outcome().state is RunState.FAILED


def test_a_question_without_a_mark_in_one_sample_has_none() -> None:
    scene = Scene(plan(4, decision={"samples": 2}, concurrency=1), FakeProvider({"q2": [right(), failed(Reason.REFUSAL)]}))
    outcome = scene.outcome()
    assert (outcome.state, outcome.reason) == (RunState.FAILED, Reason.REFUSAL)
    assert outcome.message == "it said refusal; 1 of 4 questions have no mark"


def test_the_reason_of_a_failed_run_is_the_most_frequent_one() -> None:
    script = {"q1": [failed(Reason.TRUNCATED)], "q2": [failed(Reason.REFUSAL)], "q3": [failed(Reason.REFUSAL)]}
    outcome = Scene(plan(6), FakeProvider(script)).outcome()
    assert (outcome.reason, outcome.message) == (Reason.REFUSAL, "it said refusal; 3 of 6 questions have no mark, 2 of them for refusal")


def test_of_equally_frequent_reasons_the_first_in_their_list_is_told() -> None:
    script = {"q1": [failed(Reason.REFUSAL)], "q2": [failed(Reason.TRUNCATED)]}
    assert Scene(plan(4), FakeProvider(script)).outcome().reason is Reason.TRUNCATED


def test_the_first_reason_to_stop_is_the_one_that_is_told() -> None:
    script = {"q1": [failed(Reason.AUTH)], "q2": [failed(Reason.QUOTA)]}
    outcome = Scene(plan(6, concurrency=2), FakeProvider(script)).outcome()
    assert reasons_of(outcome.grades) == ["auth", "quota", "auth", "auth", "auth", "auth"]


def test_after_the_deadline_nothing_is_sent() -> None:
    scene = Scene(plan(10, concurrency=1), seconds=100.0)
    scene.provider.before_answer = lambda prompt: scene.clock.advance(30.0)
    outcome = scene.outcome()
    assert scene.provider.prompts == ["q1", "q2", "q3", "q4"]
    assert len(scene.ledger.settled) == 4
    assert [request.timeout_seconds for request in scene.provider.asked] == [90.0, 70.0, 40.0, 10.0]
    assert (outcome.state, outcome.reason) == (RunState.FAILED, Reason.DEADLINE)
    assert outcome.message == "the run's deadline has passed; 6 of 10 questions have no mark"


def test_a_key_that_is_refused_stops_the_requests_that_wait_for_the_slot_of_the_one_that_told() -> None:
    async def refuse() -> None:
        scene = Scene(plan(8, concurrency=4), FakeProvider({f"q{n}": [failed(Reason.AUTH)] for n in range(1, 9)}))
        outcome = await scene.go(limiter=Limiter(1))
        assert (outcome.state, outcome.reason) == (RunState.FAILED, Reason.AUTH)
        assert len(scene.provider.asked) == len(scene.ledger.answers) == 1
        assert scene.ledger.open == {}

    asyncio.run(refuse())


def test_a_reservation_that_outlasts_the_deadline_is_not_sent_and_costs_nothing() -> None:
    class SlowLedger(FakeLedger):
        async def _turn(self) -> None:
            await super()._turn()
            scene.clock.advance(6.0)

    scene = Scene(plan(1), ledger=SlowLedger(), seconds=10.0)
    outcome = scene.outcome()
    assert scene.provider.asked == []
    assert (scene.ledger.open, scene.ledger.settled, scene.ledger.taken_back) == ({}, [], [1])
    assert reasons_of(outcome.unsent) == ["deadline"]


def test_a_failure_of_an_earlier_try_is_not_the_reason_of_a_later_one() -> None:
    scene = Scene(plan(1), FakeProvider({"q1": [failed(Reason.NETWORK), wrong()]}), seconds=100.0)
    scene.provider.before_answer = lambda prompt: scene.clock.advance(50.0)
    outcome = scene.outcome()
    assert [(grade.attempt, grade.right, grade.reason) for grade in outcome.grades] == [(1, False, None), (2, None, Reason.DEADLINE)]


def test_a_timeout_that_the_deadline_cut_short_is_the_deadlines() -> None:
    scene = Scene(plan(1), FakeProvider({"q1": [failed(Reason.TIMEOUT, charge=Charge.UNKNOWN)]}), seconds=40.0)
    outcome = scene.outcome()
    assert reasons_of(outcome.grades) == ["deadline"]
    assert scene.provider.prompts == ["q1"]


def test_a_clock_that_was_set_back_does_not_prolong_a_run() -> None:
    scene = Scene(plan(1, run_deadline="50s"))
    scene.clock.set(scene.clock.now() - 3600)
    scene.outcome()
    assert [request.timeout_seconds for request in scene.provider.asked] == [50.0]


def test_a_run_whose_deadline_passed_while_the_program_was_down_sends_nothing() -> None:
    scene = Scene(plan(3), seconds=-5.0)
    outcome = scene.outcome()
    assert scene.provider.asked == []
    assert (outcome.state, outcome.reason) == (RunState.FAILED, Reason.DEADLINE)


def test_a_wait_that_outlasts_the_deadline_is_ended_by_the_loops_own_time() -> None:
    """All slots are taken by others: no clock of ours is read while waiting for one."""

    async def starve() -> None:
        scene = Scene(plan(3))
        limiter = Limiter(1)
        await Slot(limiter).take()
        outcome = await scene.go(limiter=limiter)
        assert scene.provider.asked == []
        assert (scene.ledger.open, scene.ledger.settled) == ({}, [])
        assert reasons_of(outcome.unsent) == ["deadline"] * 3

    run_in_own_time(starve())


def test_a_provider_that_never_returns_is_given_up_and_its_reservation_stays_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("exporter.probing.runner.OVERTIME_SECONDS", 1.0)

    class Stuck(FakeProvider):
        async def ask(self, request: Request) -> Answer:
            try:
                await asyncio.Event().wait()
            finally:
                for _ in range(5):
                    await asyncio.sleep(0)
            raise AssertionError

    async def give_up(scene: Scene) -> None:
        outcome = await scene.go()
        assert asyncio.all_tasks() == {asyncio.current_task()}
        assert (outcome.state, outcome.reason) == (RunState.FAILED, Reason.DEADLINE)

    scene = Scene(plan(1), Stuck(), seconds=60.0)
    run_in_own_time(give_up(scene))
    assert list(scene.ledger.open) == [1]
    assert scene.ledger.settled == []


def test_a_provider_that_outlasts_its_timeout_has_timed_out() -> None:
    class Slow(FakeProvider):
        async def ask(self, request: Request) -> Answer:
            if request.prompt == "q1":
                await asyncio.Event().wait()
            return await super().ask(request)

    scene = Scene(plan(6), Slow())
    outcome = run_in_own_time(scene.go())
    assert reasons_of(outcome.grades) == ["timeout", "None", "None", "None", "None", "None"]
    assert scene.ledger.estimated_tokens == 3 * scene.plan.costs["key of q1"].tokens


def test_a_cap_that_is_used_up_leaves_the_rest_unasked() -> None:
    scene = Scene(plan(10, concurrency=2), caps=[Cap("bot", SpendPeriod.CHECK, limit_tokens=500)])
    outcome = scene.outcome()
    assert (outcome.state, outcome.reason) == (RunState.FAILED, Reason.BUDGET)
    assert "budget.tokens_per_check of bot: " in outcome.message
    assert scene.ledger.most_tokens <= 500
    assert reasons_of(outcome.unsent) == ["budget"] * (10 - len(scene.provider.asked))


def test_a_provider_that_charges_more_than_it_was_asked_for_is_sent_nothing_more() -> None:
    """What it says is booked, whatever it says; no reservation can bound it."""
    scene = Scene(plan(10, concurrency=1), FakeProvider({"q1": [right(usage=Usage(20, 1_000_000))]}))
    scene.caps = [Cap("bot", SpendPeriod.CHECK, limit_tokens=50_000)]
    outcome = scene.outcome()
    assert scene.provider.prompts == ["q1"]
    assert scene.ledger.spent_tokens == 1_000_020
    assert (outcome.state, outcome.reason) == (RunState.FAILED, Reason.BUDGET)


def test_open_reservations_are_waited_for_before_a_cap_is_called_used_up() -> None:
    """Room for one reservation at a time, and for all answers: eight workers must not shut each other out."""
    worst = plan(1).costs["key of q1"].worst_tokens
    scene = Scene(plan(8, concurrency=8), caps=[Cap("bot", SpendPeriod.DAY, limit_tokens=worst + 7 * 30)])
    outcome = scene.outcome()
    assert outcome.state is RunState.MEASURED
    assert scene.provider.most_under_way == 1
    assert scene.ledger.refusals > 0


def test_a_run_waits_for_the_reservations_of_others_where_a_cap_is_over_all_targets() -> None:
    async def share() -> None:
        worst = plan([question("other 1")]).costs["key of other 1"].worst_tokens
        caps = [Cap(None, SpendPeriod.DAY, limit_tokens=worst + 7 * 30)]
        ledger, limiter = FakeLedger(), Limiter(8)
        first = Scene(plan(4), ledger=ledger, caps=caps)
        second = Scene(plan([question(f"other {n}") for n in range(4)]), ledger=ledger, caps=caps)
        outcomes = await asyncio.gather(first.go(limiter=limiter), second.go(limiter=limiter))
        assert [outcome.state for outcome in outcomes] == [RunState.MEASURED, RunState.MEASURED]
        assert ledger.refusals > 0

    asyncio.run(share())


def test_a_run_does_not_wait_for_others_where_the_cap_is_its_own() -> None:
    async def stay_alone() -> None:
        limiter = Limiter(2)
        limiter.under_way.enter()
        outcome = await Scene(plan(2), caps=[Cap("bot", SpendPeriod.MONTH, limit_usd=0.0001)]).go(limiter=limiter)
        assert (outcome.state, outcome.reason) == (RunState.FAILED, Reason.BUDGET)

    asyncio.run(stay_alone())


def test_what_the_ledger_raises_ends_the_run_and_is_raised() -> None:
    scene = Scene(plan(10))
    scene.ledger.failure = StoreError(())
    with pytest.raises(StoreError):
        scene.outcome()
    assert len(scene.provider.asked) == 2
    assert len(scene.ledger.open) == 2


def test_a_ledger_that_fails_for_one_answer_stops_the_others_and_settles_them() -> None:
    """What failed meanwhile has no grade: the run stays open, and that question is asked again."""
    scene = Scene(
        plan(20, concurrency=2), FakeProvider({"q2": [failed(Reason.OVERLOADED)]}, turns=lambda prompt, _: 20 if prompt == "q2" else 1)
    )
    scene.ledger.failure, scene.ledger.fails_for = StoreError(()), "q1"
    with pytest.raises(StoreError):
        scene.outcome()
    assert sorted(scene.provider.prompts) == ["q1", "q2"]
    assert list(scene.ledger.open) == [1]
    assert scene.ledger.grades == []


def test_a_failure_that_comes_back_after_the_run_was_stopped_is_not_sent_again() -> None:
    script = {"q1": [failed(Reason.OVERLOADED, "busy")], "q2": [failed(Reason.AUTH, "no such key")]}
    scene = Scene(plan(2, concurrency=2), FakeProvider(script, turns=lambda prompt, _: 20 if prompt == "q1" else 1))
    outcome = scene.outcome()
    assert scene.provider.prompts == ["q1", "q2"]
    assert reasons_of(outcome.grades) == ["overloaded", "auth"]
    assert outcome.unsent == ()
    assert len(scene.ledger.grades) == 2


def test_a_failure_that_was_to_be_sent_again_keeps_its_reason_when_the_run_is_stopped() -> None:
    script = {"q1": [failed(Reason.OVERLOADED, "busy", retry_after_seconds=10.0)], "q2": [failed(Reason.AUTH, "no such key")]}

    class Patient(FakeProvider):
        async def ask(self, request: Request) -> Answer:
            while request.prompt == "q2" and not scene.ledger.settled:
                await asyncio.sleep(0)
            return await super().ask(request)

    scene = Scene(plan(2, concurrency=2), Patient(script))
    scene.clock.sleep = lambda seconds: asyncio.Event().wait()  # type: ignore[method-assign, assignment, return-value]  # a wait that only a halt ends
    outcome = scene.outcome()
    assert [(grade.reason, grade.message) for grade in outcome.grades] == [(Reason.OVERLOADED, "busy"), (Reason.AUTH, "no such key")]


def test_a_question_cut_off_between_its_tries_keeps_the_mark_so_far() -> None:
    scene = Scene(plan(5, concurrency=1), FakeProvider({"q5": [wrong(), wrong(), failed(Reason.QUOTA)]}))
    outcome = scene.outcome()
    assert outcome.state is RunState.MEASURED
    assert [grade.right for grade in outcome.grades if grade.question_id == "q5"] == [False, False, None]
