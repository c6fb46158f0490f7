"""Every API of one real server, plain and streamed: a dozen short requests, and never a text or a score."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from exporter.clock import SystemClock
from exporter.config.model import Api, Target
from exporter.providers import open_provider
from exporter.records import Answer, Charge, Reason, Request
from tests.real_model.serving import NAME, ModelServer

pytestmark = pytest.mark.real_model

STORY = "Tell me a very long story about a fox and a hedgehog."
TOKENS = 8
CONTEXT_TOKENS = 8192
both_ways = pytest.mark.parametrize("stream", [False, True], ids=["plain", "streamed"])
every_api = pytest.mark.parametrize("api", ["openai_chat", "openai_responses", "anthropic"])


@pytest.fixture(scope="module")
def url(real_model: Mapping[str, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    log: Path = tmp_path_factory.mktemp("apis") / "server.log"
    with ModelServer(real_model, log) as server:
        server.start(real_model["model"])
        yield server.url


def ask(api: Api, url: str, prompt: str, *, stream: bool) -> Answer:
    async def run() -> Answer:
        target = Target(name="small", api=api, base_url=f"{url}/v1", model=NAME)
        provider = open_provider(target, lambda: None, SystemClock())
        try:
            return await provider.ask(Request(model=NAME, prompt=prompt, max_tokens=TOKENS, timeout_seconds=120.0, stream=stream))
        finally:
            await provider.aclose()

    return asyncio.run(run())


@every_api
@both_ways
def test_an_answer_that_was_cut_off_is_told_with_its_tokens_and_its_model(url: str, api: Api, stream: bool) -> None:
    answer = ask(api, url, STORY, stream=stream)
    assert (answer.reason, answer.charge) == (Reason.TRUNCATED, Charge.REPORTED)
    assert answer.usage is not None
    assert answer.usage.output_tokens == TOKENS
    assert answer.usage.input_tokens >= len(STORY.split())
    assert answer.identity.served_model == NAME


@every_api
@both_ways
def test_a_prompt_too_long_was_turned_away_and_costs_nothing(url: str, api: Api, stream: bool) -> None:
    answer = ask(api, url, "fox " * CONTEXT_TOKENS, stream=stream)
    assert (answer.reason, answer.charge) == (Reason.BAD_REQUEST, Charge.NOTHING)
    assert "exceeds the available context size" in answer.message
