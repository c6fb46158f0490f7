from __future__ import annotations

import math
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exporter.store.units import day_of, day_text, month_of, safe_text, to_nanos, to_usd


@given(st.integers(min_value=0, max_value=10**15))
def test_money_survives_the_way_out_and_back(nanos: int) -> None:
    assert to_nanos(to_usd(nanos)) == nanos


@pytest.mark.parametrize("usd", [-0.000000001, math.nan, math.inf, -math.inf])
def test_what_is_no_amount_of_money_is_refused(usd: float) -> None:
    with pytest.raises(ValueError, match="is not an amount in USD"):
        to_nanos(usd)


@pytest.mark.parametrize(
    ("unix_seconds", "text"),
    [(0.0, "1970-01-01"), (86399.999, "1970-01-01"), (86400.0, "1970-01-02"), (-0.5, "1969-12-31"), (1_800_000_000.0, "2027-01-15")],
)
def test_a_day_begins_at_midnight_utc(unix_seconds: float, text: str) -> None:
    assert day_text(day_of(unix_seconds)) == text


@given(st.datetimes(min_value=datetime(1970, 1, 1), max_value=datetime(2200, 1, 1)))  # noqa: DTZ001 - made UTC below
def test_a_month_is_the_days_that_share_its_name(naive: datetime) -> None:
    day = day_of(naive.replace(tzinfo=UTC).timestamp())
    month = month_of(day)
    assert day in month
    assert {day_text(each)[:7] for each in month} == {day_text(day)[:7]}
    assert day_text(month.start - 1)[:7] != day_text(month.stop)[:7]
    assert day_text(month.start).endswith("-01")
    assert day_text(month.stop).endswith("-01")


@pytest.mark.parametrize(
    ("text", "safe"),
    [("", ""), ("naïve 漢字 😀", "naïve 漢字 😀"), ("a\0b", "a\ufffdb"), ("\ud83d", "\ufffd"), ("x" * 257, "x" * 256), ("\n\t", "\n\t")],
)
def test_text_is_cut_and_rid_of_what_no_database_holds(text: str, safe: str) -> None:
    assert safe_text(text) == safe


@given(st.text(alphabet=st.characters()))
def test_safe_text_can_always_be_written(text: str) -> None:
    assert len(safe_text(text).encode()) <= 1024
    assert safe_text(safe_text(text)) == safe_text(text)
