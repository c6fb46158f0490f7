"""Tokens times price, in dollars."""

from __future__ import annotations

from exporter.config.model import Price
from exporter.records import Usage

_TOKENS_PER_MTOK = 1_000_000


def cost_usd(usage: Usage, price: Price) -> float:
    """What one request cost. Cached input is charged at its own price where one is known, else as any other input."""
    cached_price = price.input_usd_per_mtok if price.cached_input_usd_per_mtok is None else price.cached_input_usd_per_mtok
    cached = min(usage.cached_tokens, usage.input_tokens)
    fresh = usage.input_tokens - cached
    total = fresh * price.input_usd_per_mtok + cached * cached_price + usage.output_tokens * price.output_usd_per_mtok
    return total / _TOKENS_PER_MTOK


def estimate_usd(input_tokens: int, output_tokens: int, price: Price) -> float:
    """What a request would cost, nothing of it cached."""
    return (input_tokens * price.input_usd_per_mtok + output_tokens * price.output_usd_per_mtok) / _TOKENS_PER_MTOK
