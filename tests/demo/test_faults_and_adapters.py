"""The mock's faults and our own adapters agree on what each fault is."""

from __future__ import annotations

import asyncio

import pytest

from exporter.config.model import Target
from exporter.demo.behaviour import Behaviour
from exporter.demo.faults import FAULTS
from exporter.demo.faults.registry import ALL
from exporter.demo.mock import running_mock
from exporter.demo.tokens import count_tokens
from exporter.providers import open_provider
from exporter.records import Answer, Charge, Reason, Request
from tests.demo.questions import SUITE
from tests.fakes import FakeClock

CASES = [
    (name, api, stream)
    for name, fault in FAULTS.items()
    for api in sorted(fault.apis)
    for stream in ((False,) if fault.plain_only else (False, True))
    if name not in ("silence", "slow_drip")
]
GOOD = [("good", api, stream) for api in sorted(ALL) for stream in (False, True)]
UNCOUNTED = [("uncounted", api, stream) for api in sorted(ALL) for stream in (False, True)]
MODELS = {
    **{name: Behaviour(faults={name: 1.0}) for name in FAULTS},
    "good": Behaviour(served_model="good-1", cached=True),
    "uncounted": Behaviour(usage=False),
}


@pytest.fixture(scope="module")
def answers() -> dict[tuple[str, str, bool], Answer]:
    """What the adapter makes of each model's answer, by model, API and stream: one mock for them all."""

    async def ask(base_url: str, clock: FakeClock, model: str, api: str, *, stream: bool) -> Answer:
        target = Target.model_validate({"name": "t", "api": api, "model": model, "base_url": base_url})
        provider = open_provider(target, lambda: None, clock)
        try:
            return await provider.ask(Request(model, SUITE[0].prompt, 1024, 20.0, stream=stream))
        finally:
            await provider.aclose()

    async def run() -> dict[tuple[str, str, bool], Answer]:
        clock = FakeClock()
        async with running_mock(SUITE, MODELS, clock=clock) as mock:
            return {
                case: await ask(mock.base_url_of(case[1]), clock, case[0], case[1], stream=case[2]) for case in (*CASES, *GOOD, *UNCOUNTED)
            }

    return asyncio.run(run())


@pytest.mark.parametrize("case", CASES, ids=str)
def test_an_adapter_finds_the_reason_of_each_fault(case: tuple[str, str, bool], answers: dict[tuple[str, str, bool], Answer]) -> None:
    answer, fault = answers[case], FAULTS[case[0]]
    assert answer.reason == fault.reason
    assert ("ANSWER: 2" in answer.text) is (fault.reason is None)


@pytest.mark.parametrize("case", GOOD, ids=str)
def test_an_adapter_reads_a_good_answer_whole(case: tuple[str, str, bool], answers: dict[tuple[str, str, bool], Answer]) -> None:
    answer = answers[case]
    assert answer.text.endswith("ANSWER: 2")
    assert answer.usage is not None
    assert (answer.usage.input_tokens, answer.usage.output_tokens) == (14, count_tokens(answer.text))
    assert (answer.identity.served_model, answer.cached) == (None if case[1] == "cohere" else "good-1", True)


@pytest.mark.parametrize("case", UNCOUNTED, ids=str)
def test_tokens_that_no_one_counts_are_unknown_and_may_be_billed(
    case: tuple[str, str, bool], answers: dict[tuple[str, str, bool], Answer]
) -> None:
    answer = answers[case]
    assert answer.text.endswith("ANSWER: 2")
    assert (answer.usage, answer.charge) == (None, Charge.UNKNOWN)


@pytest.mark.parametrize("api", sorted(ALL))
def test_a_stream_that_was_cut_off_at_the_limit_tells_its_tokens_too(api: str, answers: dict[tuple[str, str, bool], Answer]) -> None:
    plain, streamed = answers["truncated", api, False], answers["truncated", api, True]
    assert streamed.usage is not None
    assert (streamed.usage, streamed.charge) == (plain.usage, Charge.REPORTED)
    assert streamed.usage.output_tokens == 1024


@pytest.mark.parametrize("api", sorted(ALL))
def test_a_stream_that_ends_in_an_error_may_have_been_billed(api: str, answers: dict[tuple[str, str, bool], Answer]) -> None:
    answer = answers["stream_error", api, True]
    assert (answer.reason, answer.usage, answer.charge) == (Reason.OVERLOADED, None, Charge.UNKNOWN)
