from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any, get_args

import pytest

from exporter.config.model import Api, Target
from exporter.errors import ConfigError
from exporter.providers import default_base_url, open_provider, openai_chat, provider_label
from exporter.providers.http_provider import HttpProvider
from exporter.providers.registry import ADAPTERS
from exporter.providers.reply import Reply
from exporter.records import Answer, Charge, Evidence, Reason
from tests.fakes import FakeClock
from tests.providers.contract import request
from tests.providers.loopback import Loopback, says


def target(**settings: Any) -> Target:
    return Target(**{"name": "bot", "api": "openai_chat", "model": "m", **settings})


def open_and_close(target: Target) -> tuple[str, Evidence]:
    async def run() -> tuple[str, Evidence]:
        provider = open_provider(target, lambda: None, FakeClock())
        await provider.aclose()
        return provider.host, provider.evidence

    return asyncio.run(run())


@pytest.mark.parametrize(
    ("settings", "host", "evidence", "label"),
    [
        ({}, "api.openai.com", Evidence.STRONG, "openai"),
        ({"provider": "us"}, "api.openai.com", Evidence.STRONG, "us"),
        ({"api": "anthropic"}, "api.anthropic.com", Evidence.STRONG, "anthropic"),
        ({"base_url": "https://openrouter.ai/api/v1"}, "openrouter.ai", Evidence.WEAK, "openrouter"),
        ({"base_url": "https://Us.OpenAI.Azure.com/openai/v1"}, "us.openai.azure.com", Evidence.WEAK, "azure_openai"),
        ({"base_url": "https://api.deepseek.com"}, "api.deepseek.com", Evidence.WEAK, "deepseek"),
        ({"base_url": "https://notapi.openai.com.evil.example/v1"}, "notapi.openai.com.evil.example", Evidence.NONE, None),
        ({"base_url": "https://evil-api.openai.com/v1"}, "evil-api.openai.com", Evidence.NONE, None),
        ({"base_url": "http://localhost:8080/v1"}, "localhost:8080", Evidence.NONE, None),
        ({"api": "ollama"}, "localhost:11434", Evidence.STRONG, None),
        ({"api": "anthropic", "base_url": "http://[::1]:8080"}, "::1:8080", Evidence.NONE, None),
    ],
)
def test_a_host_decides_how_far_its_word_goes(settings: dict[str, Any], host: str, evidence: Evidence, label: str | None) -> None:
    assert open_and_close(target(**settings)) == (host, evidence)
    assert provider_label(target(**settings)) == (label or host)


def test_an_api_without_a_url_of_its_own_asks_for_one() -> None:
    with pytest.raises(ConfigError) as caught:
        open_provider(target(api="azure_openai"), lambda: None, FakeClock())
    assert str(caught.value) == "target bot: base_url: missing; give https://<resource>.openai.azure.com/openai/v1"


def test_an_adapter_with_a_fault_of_its_own_gives_a_bad_response() -> None:
    def fail(_: Reply) -> Answer:
        raise KeyError("sk-planted-in-the-exception")

    async def run(faulty: Target) -> Answer:
        provider = HttpProvider(replace(openai_chat.ADAPTER, read_reply=fail), faulty, lambda: None, FakeClock())
        answer = await provider.ask(request())
        await provider.aclose()
        return answer

    async def serve() -> tuple[str, Answer]:
        async with Loopback(says(200, {})) as server:
            return server.url, await run(target(base_url=server.url))

    url, answer = asyncio.run(serve())
    assert (answer.reason, answer.charge) == (Reason.BAD_RESPONSE, Charge.UNKNOWN)
    assert answer.message == f"{url.removeprefix('http://')} sent an answer that could not be read: KeyError"


def test_every_api_of_the_config_is_built() -> None:
    assert set(get_args(Api)) == set(ADAPTERS)
    for api in get_args(Api):
        assert default_base_url(api).startswith("http")
