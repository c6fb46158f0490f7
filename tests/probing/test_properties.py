"""Whatever fails when: caps hold, books balance, and marks do not depend on who answers first."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from hypothesis import given, settings
from hypothesis import strategies as st

from exporter.probing.outcome import RunOutcome
from exporter.probing.plan import Plan
from exporter.records import Answer, Charge, Reason, RunState, SpendPeriod, Usage
from exporter.store import Cap
from tests.probing.builders import Scene, plan, questions
from tests.probing.fakes import FakeProvider

QUESTIONS = questions(8, max_tokens=200)
PLAN = plan(QUESTIONS)
WORST_OUTPUT = 200
WORST_INPUT = PLAN.costs["key of q1"].worst_tokens - WORST_OUTPUT

usages = st.none() | st.builds(Usage, st.integers(0, WORST_INPUT), st.integers(0, WORST_OUTPUT))
answers = st.builds(
    Answer,
    text=st.sampled_from(["right", "wrong"]),
    usage=usages,
    charge=st.sampled_from(Charge),
    reason=st.none() | st.none() | st.sampled_from(Reason),
    retry_after_seconds=st.none() | st.floats(0, 100),
    cached=st.booleans(),
)
scripts = st.dictionaries(st.sampled_from([question.prompt for question in QUESTIONS]), st.lists(answers, min_size=1, max_size=8))
caps = st.lists(
    st.builds(
        Cap,
        st.sampled_from(["bot", None]),
        st.sampled_from(SpendPeriod),
        st.none() | st.floats(0.0001, 0.05),
        st.none() | st.integers(1, 20_000),
    ),
    max_size=3,
)


def turns_by(seed: int) -> Callable[[str, int], int]:
    """How long each answer takes: another order of completion for each seed."""
    return lambda prompt, number: (hash((seed, int(prompt[1:]), number)) % 23) + 1


def run(run_plan: Plan, script: dict[str, list[Answer]], seed: int, held: list[Cap]) -> tuple[Scene, RunOutcome]:
    scene = Scene(run_plan, FakeProvider(script, turns_by(seed)), caps=held)
    return scene, scene.outcome()


@given(script=scripts, held=caps, seed=st.integers(0, 1000), concurrency=st.integers(1, 6), tries=st.integers(1, 5))
@settings(max_examples=300)
def test_spend_and_open_reservations_are_never_above_a_cap(
    script: dict[str, list[Answer]], held: list[Cap], seed: int, concurrency: int, tries: int
) -> None:
    scene, outcome = run(plan(QUESTIONS, concurrency=concurrency, decision={"tries": tries}), script, seed, held)
    ledger = scene.ledger
    for cap in held:
        assert cap.limit_tokens is None or ledger.most_tokens <= cap.limit_tokens
        assert cap.limit_usd is None or ledger.most_nanos <= round(cap.limit_usd * 1e9)
    assert ledger.open == {}
    assert len(scene.provider.asked) == len(ledger.answers)
    assert outcome.state in (RunState.MEASURED, RunState.FAILED)
    assert {grade.question_id for grade in outcome.grades} == {question.id for question in QUESTIONS}
    assert sorted(map(repr, outcome.grades)) == sorted(map(repr, [*ledger.grades, *outcome.unsent]))


few_failures = st.lists(
    st.tuples(st.integers(1, 8), st.integers(0, 5), st.sampled_from([Reason.NETWORK, Reason.REFUSAL, Reason.OVERLOADED, Reason.TRUNCATED])),
    max_size=5,
)


@given(
    rights=st.lists(st.lists(st.booleans(), min_size=6, max_size=6), min_size=8, max_size=8),
    failures=few_failures,
    seeds=st.tuples(st.integers(0, 1000), st.integers(0, 1000)),
    concurrency=st.integers(1, 8),
)
@settings(max_examples=150)
def test_marks_do_not_depend_on_the_order_of_completion(
    rights: list[list[bool]], failures: list[tuple[int, int, Reason]], seeds: tuple[int, int], concurrency: int
) -> None:
    """Fewer failures than would stop a run by all coming first."""
    script = {
        f"q{number}": [Answer("right" if right else "wrong", usage=Usage(20, 10)) for right in row] for number, row in enumerate(rights, 1)
    }
    for number, place, reason in failures:
        script[f"q{number}"].insert(place, Answer(reason=reason))
    facts = []
    for seed, workers in zip(seeds, (1, concurrency), strict=True):
        _, outcome = run(plan(QUESTIONS, concurrency=workers), script, seed, [])
        facts.append(
            (outcome.state, outcome.reason, outcome.message, [(g.question_id, g.attempt, g.right, g.reason) for g in outcome.grades])
        )
    assert facts[0] == facts[1]


@given(script=scripts, held=caps, seed=st.integers(0, 1000), turns=st.integers(1, 60))
@settings(max_examples=150)
def test_caps_hold_over_an_interruption_too(script: dict[str, list[Answer]], held: list[Cap], seed: int, turns: int) -> None:
    scene = Scene(PLAN, FakeProvider(script, turns_by(seed)), caps=held)

    async def interrupt() -> None:
        task = asyncio.create_task(scene.go())
        for _ in range(turns):
            await asyncio.sleep(0)
        task.cancel()
        await task
        assert scene.ledger.open == {}
        await scene.go(done=scene.ledger.grades)

    asyncio.run(interrupt())
    for cap in held:
        assert cap.limit_tokens is None or scene.ledger.most_tokens <= cap.limit_tokens
        assert cap.limit_usd is None or scene.ledger.most_nanos <= round(cap.limit_usd * 1e9)
    assert scene.ledger.open == {}
