from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from exporter.suites.graders.number import Number


def accepts(value: object, answer: str, **settings: Any) -> bool:
    return Number.model_validate({"kind": "number", "value": value, **settings}).accepts(answer)


@pytest.mark.parametrize("value", [42, 42.0, "42", "4.2e1", "42.00"])
def test_the_value_may_be_a_number_or_a_text(value: object) -> None:
    assert accepts(value, "42")
    assert not accepts(value, "43")


def test_a_huge_value_is_compared_to_the_last_digit() -> None:
    assert accepts(10**40 + 1, f"{10**40 + 1:,}")
    assert not accepts(10**40 + 1, f"{10**40:,}")


def test_the_tolerance_is_counted_in() -> None:
    assert accepts(3.14, "3.15", tolerance=0.01)
    assert accepts(3.14, "3.13", tolerance=0.01)
    assert not accepts(3.14, "3.1501", tolerance=0.01)


def test_a_fraction_is_right_only_where_one_is_expected() -> None:
    assert accepts("3/4", "6/8")
    assert accepts("3/4", "0.75")
    assert not accepts(0.75, "3/4")


def test_only_listed_units_may_follow() -> None:
    assert accepts(12, "12 %", units=["%", "percent"])
    assert accepts(12, "12 percent", units=["%", "percent"])
    assert not accepts(12, "12 points", units=["%", "percent"])
    assert not accepts(12, "12 %")


@pytest.mark.parametrize("value", [True, None, [1], "many", "1,2,3", float("inf"), float("nan")])
def test_a_value_that_is_no_number_is_refused(value: object) -> None:
    with pytest.raises(ValidationError, match="is not a number; write it as 42"):
        accepts(value, "1")


@pytest.mark.parametrize("tolerance", [-1, float("nan"), float("inf")])
def test_a_tolerance_must_be_finite_and_not_negative(tolerance: float) -> None:
    with pytest.raises(ValidationError):
        accepts(1, "1", tolerance=tolerance)
