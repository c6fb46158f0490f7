from __future__ import annotations

import socket
from datetime import UTC, datetime
from typing import Any

import pytest
from genai_prices import data_snapshot

from exporter.config.model import Price, Target
from exporter.errors import ConfigError
from exporter.prices import find_price, table

NOW = datetime(2026, 11, 1, tzinfo=UTC).timestamp()
OWN = Price(input_usd_per_mtok=1.25, output_usd_per_mtok=10)


def target(**settings: Any) -> Target:
    return Target(**{"name": "bot", "api": "openai_chat", "model": "gpt-4o-mini", **settings})


def test_the_price_of_the_config_wins_over_the_table() -> None:
    assert find_price(target(price=OWN), now=NOW) == OWN


def test_a_price_that_is_said_to_be_unknown_is_no_price() -> None:
    assert find_price(target(price="unknown"), now=NOW) is None


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({}, (0.15, 0.60, 0.075)),
        ({"model": "gpt-4o-mini-2024-07-18"}, (0.15, 0.60, 0.075)),
        ({"base_url": "https://api.openai.com/v1"}, (0.15, 0.60, 0.075)),
        ({"base_url": "https://API.OpenAI.com:443/v1/"}, (0.15, 0.60, 0.075)),
        ({"base_url": "https://openrouter.ai/api/v1", "model": "openai/gpt-4o-mini"}, (0.15, 0.60, 0.075)),
        ({"api": "anthropic", "model": "claude-haiku-4-5-20251001"}, (1.0, 5.0, 0.1)),
    ],
)
def test_the_table_knows_the_models_of_known_hosts(settings: dict[str, Any], expected: tuple[float, float, float]) -> None:
    found = find_price(target(**settings), now=NOW)
    assert found is not None
    assert (found.input_usd_per_mtok, found.output_usd_per_mtok, found.cached_input_usd_per_mtok) == expected


def test_a_price_that_rises_with_the_prompt_counts_at_its_first_step() -> None:
    found = find_price(target(api="gemini", model="gemini-2.5-pro"), now=NOW)
    assert found is not None
    assert (found.input_usd_per_mtok, found.output_usd_per_mtok) == (1.25, 10.0)


FIX = "add price: {input_usd_per_mtok: …, output_usd_per_mtok: …}, or set price: unknown (then only token caps hold)"


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"model": "no-such-model"}, "missing, and the price table knows no 'no-such-model' at openai_chat"),
        ({"base_url": "http://127.0.0.1:8080/v1"}, "missing, and the price table knows no 'gpt-4o-mini' at 127.0.0.1"),
        ({"base_url": "http://localhost:11434/v1"}, "missing, and the price table knows no 'gpt-4o-mini' at localhost"),
        ({"base_url": "https://llm.example.net/v1"}, "missing, and the price table knows no 'gpt-4o-mini' at llm.example.net"),
        ({"api": "ollama", "model": "llama3"}, "missing, and the price table knows no 'llama3' at ollama"),
        ({"model": "text-embedding-3-small"}, "missing, and the price table knows no 'text-embedding-3-small' at openai_chat"),
    ],
)
def test_a_price_that_nobody_knows_is_a_config_error(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        find_price(target(**settings), where="config.yml:14: targets[1].price", now=NOW)
    assert str(caught.value) == f"config.yml:14: targets[1].price: {message}; {FIX}"


def test_a_config_error_names_the_target_where_nobody_says_where() -> None:
    with pytest.raises(ConfigError, match=r"^target bot: price: missing"):
        find_price(target(model="no-such-model"), now=NOW)


def test_looking_up_a_price_opens_no_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a price was looked up over the network")

    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    assert find_price(target(), now=NOW) is not None


def test_a_table_that_other_code_has_put_in_place_is_not_used() -> None:
    table._snapshot.cache_clear()
    data_snapshot.set_custom_snapshot(data_snapshot.DataSnapshot(providers=[], from_auto_update=True))
    try:
        assert find_price(target(), now=NOW) is not None
    finally:
        data_snapshot.set_custom_snapshot(None)
