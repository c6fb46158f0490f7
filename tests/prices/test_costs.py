from __future__ import annotations

import pytest

from exporter.config.model import Price
from exporter.prices import cost_usd, estimate_usd
from exporter.records import Usage

PRICE = Price(input_usd_per_mtok=2.0, output_usd_per_mtok=10.0, cached_input_usd_per_mtok=0.5)
PRICE_WITHOUT_CACHE = Price(input_usd_per_mtok=2.0, output_usd_per_mtok=10.0)


@pytest.mark.parametrize(
    ("usage", "price", "expected_usd"),
    [
        (Usage(1_000_000, 0), PRICE, 2.0),
        (Usage(0, 1_000_000), PRICE, 10.0),
        (Usage(1000, 500), PRICE, 0.007),
        (Usage(1000, 500, reasoning_tokens=400), PRICE, 0.007),
        (Usage(1000, 0, cached_tokens=1000), PRICE, 0.0005),
        (Usage(1000, 0, cached_tokens=400), PRICE, 0.0014),
        (Usage(1000, 0, cached_tokens=400), PRICE_WITHOUT_CACHE, 0.002),
        (Usage(100, 0, cached_tokens=400), PRICE, 0.00005),
        (Usage(0, 0), PRICE, 0.0),
    ],
)
def test_a_request_costs_its_tokens_times_their_prices(usage: Usage, price: Price, expected_usd: float) -> None:
    assert cost_usd(usage, price) == pytest.approx(expected_usd, rel=1e-12)


def test_a_free_model_costs_nothing() -> None:
    assert cost_usd(Usage(10**9, 10**9), Price(input_usd_per_mtok=0, output_usd_per_mtok=0)) == 0.0


def test_an_estimate_counts_no_token_as_cached() -> None:
    assert estimate_usd(1000, 500, PRICE) == pytest.approx(0.007, rel=1e-12)
