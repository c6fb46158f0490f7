from __future__ import annotations

import pytest

from exporter.web.texts import count, dollars, moment, p_value, percent, points, span


@pytest.mark.parametrize(
    ("at", "text"),
    [(0.0, "1970-01-01 00:00 UTC"), (1_800_000_000.9, "2027-01-15 08:00 UTC"), (None, "—"), (1e30, "—"), (float("nan"), "—")],
)
def test_a_moment_is_in_utc(at: float | None, text: str) -> None:
    assert moment(at) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.2, "0 s"), (59.4, "59 s"), (59.6, "1 min 0 s"), (61.5, "1 min 2 s"), (3599.9, "1 h 0 min"), (90_000, "25 h 0 min"), (None, "—")],
)
def test_a_span_is_in_its_two_largest_units(seconds: float | None, text: str) -> None:
    assert span(seconds) == text


def test_shares_and_changes() -> None:
    assert [percent(0.9375), percent(1.0), percent(None)] == ["93.8 %", "100.0 %", "—"]
    assert [points(-0.25), points(0.0), points(0.031), points(None)] == ["-25.0", "+0.0", "+3.1", "—"]
    assert [p_value(0.00025), p_value(1.0), p_value(None)] == ["0.00025", "1", "—"]


def test_money_and_counts() -> None:
    assert [dollars(0.0), dollars(0.00001), dollars(0.0123), dollars(0.5)] == ["$0.00", "<$0.0001", "$0.0123", "$0.50"]
    assert [dollars(1234.5), dollars(1.23456), dollars(None)] == ["$1,234.50", "$1.23", "—"]
    assert [count(0), count(1234567), count(None)] == ["0", "1,234,567", "—"]
