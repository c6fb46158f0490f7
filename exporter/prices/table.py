"""The offline price table of genai-prices (https://github.com/pydantic/genai-prices). Its updates over the network are never started."""

from __future__ import annotations

import functools
from datetime import UTC, datetime
from decimal import Decimal
from urllib.parse import urlsplit

from genai_prices.data_snapshot import DataSnapshot
from genai_prices.types import TieredPrices

from exporter.config.model import Price, Target

_PROVIDERS = {
    "openai_chat": "openai",
    "openai_responses": "openai",
    "azure_openai": "azure",
    "anthropic": "anthropic",
    "gemini": "google",
    "mistral": "mistral",
    "cohere": "cohere",
}
"""Whose prices hold where a target leaves its base URL to the API. A local server (ollama) has none."""


def look_up(target: Target, now: float) -> Price | None:
    """The listed price of the target's model at its host, or None where host, model, or one of the two prices is not listed.

    Where a price rises with the length of the prompt, the first step counts: a suite's questions are short.
    """
    provider = _PROVIDERS.get(target.api) if target.base_url is None else None
    if target.base_url is None and provider is None:
        return None
    try:
        _, model = _snapshot().find_provider_model(target.model, None, provider, _plain_url(target.base_url))
    except LookupError:
        return None
    listed = model.get_prices(datetime.fromtimestamp(now, UTC))
    input_price, output_price = _dollars(listed.input_mtok), _dollars(listed.output_mtok)
    if input_price is None or output_price is None:
        return None
    return Price(
        input_usd_per_mtok=input_price,
        output_usd_per_mtok=output_price,
        cached_input_usd_per_mtok=_dollars(listed.cache_read_mtok),
    )


@functools.cache
def _snapshot() -> DataSnapshot:
    """The table as shipped, apart from the library's own global one, which other code could have replaced."""
    from genai_prices.data import providers  # a large module: only a target without a price of its own needs it

    return DataSnapshot(providers=providers, from_auto_update=False)


def _plain_url(url: str | None) -> str | None:
    """Scheme, host and path in the form the table's patterns are written in."""
    if url is None:
        return None
    parts = urlsplit(url)
    return f"https://{(parts.hostname or '').lower()}{parts.path}"


def _dollars(price: Decimal | TieredPrices | None) -> float | None:
    listed = price.base if isinstance(price, TieredPrices) else price
    return None if listed is None else float(listed)
