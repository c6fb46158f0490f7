from __future__ import annotations

import asyncio
from typing import Any, get_args

import pytest

from exporter.config.model import Api, Target
from exporter.errors import ConfigError
from exporter.providers import default_base_url, open_provider, provider_label
from exporter.records import Evidence
from tests.fakes import FakeClock


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
        ({"api": "anthropic", "base_url": "http://[::1]:8080"}, "::1:8080", Evidence.NONE, None),
    ],
)
def test_a_host_decides_how_far_its_word_goes(settings: dict[str, Any], host: str, evidence: Evidence, label: str | None) -> None:
    assert open_and_close(target(**settings)) == (host, evidence)
    assert provider_label(target(**settings)) == (label or host)


@pytest.mark.parametrize(
    ("api", "base_url"),
    [
        ("openai_responses", "https://api.openai.com/v1"),
        ("azure_openai", "https://<resource>.openai.azure.com/openai/v1"),
        ("gemini", "https://generativelanguage.googleapis.com/v1beta/openai"),
        ("mistral", "https://api.mistral.ai/v1"),
        ("cohere", "https://api.cohere.ai/compatibility/v1"),
        ("ollama", "http://localhost:11434/v1"),
    ],
)
def test_an_api_that_is_not_built_yet_says_what_to_use(api: str, base_url: str) -> None:
    with pytest.raises(ConfigError) as caught:
        open_provider(target(api=api), lambda: None, FakeClock())
    assert str(caught.value) == f"target bot: api: {api} is not built yet; use api: openai_chat with base_url: {base_url}"


def test_every_api_of_the_config_has_a_default_base_url() -> None:
    for api in get_args(Api):
        assert default_base_url(api).startswith("http")
