"""The n-th ask of a question by a model has one result, whatever else is asked and in whatever order."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from exporter.demo.behaviour import Behaviour
from exporter.demo.exchange import Ask
from exporter.demo.pretended import PretendedModels
from tests.demo.asking import Asker, with_mock
from tests.demo.questions import SUITE

BEHAVIOUR = Behaviour(
    profile="mixed",
    lost_ratio=0.1,
    faults={"rate_limited": 0.1, "truncated": 0.1, "server_error": 0.1},
    minority_model="other",
    minority_ratio=0.2,
)
ASKS = [(model, number) for model in ("a", "b") for number in range(8)] * 3


def results(order: Sequence[tuple[str, int]], seed: int = 0) -> Mapping[tuple[str, int, int], object]:
    """Each ask's turn by (model, question, attempt)."""
    models = PretendedModels(SUITE, seed)
    found = {}
    for model, number in order:
        turn = models.answer(Ask(model, SUITE[number].prompt, max_tokens=100), BEHAVIOUR, "openai_chat")
        found[model, number, turn.attempt] = turn
    return found


@settings(max_examples=40)
@given(st.permutations(ASKS))
def test_any_order_of_the_same_asks_gives_the_same_results(order: Sequence[tuple[str, int]]) -> None:
    assert results(order) == results(ASKS)


def test_another_seed_gives_other_results() -> None:
    assert results(ASKS, seed=1) != results(ASKS, seed=2)


def test_asks_made_at_the_same_time_over_http_give_what_asks_one_by_one_give() -> None:
    def gather(log: Sequence[Mapping[str, Any]]) -> list[tuple[Any, ...]]:
        names = ("model", "question", "attempt", "status", "fault", "right", "output_tokens")
        return sorted((tuple(entry[name] for name in names) for entry in log), key=str)

    async def talk(asker: Asker) -> None:
        for model, number in ASKS:
            await asker.ask(SUITE[number].prompt, model=model)
        one_by_one = gather(await asker.log())
        await asker.client.post("/control/reset")
        await asyncio.gather(*(asker.ask(SUITE[number].prompt, model=model) for model, number in reversed(ASKS)))
        assert gather(await asker.log()) == one_by_one

    with_mock(talk, {"a": BEHAVIOUR, "b": BEHAVIOUR}, seed=7)
