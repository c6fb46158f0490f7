from __future__ import annotations

from math import atan, pi, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exporter.statistics import mean_interval, prediction_interval, student_t_cdf, student_t_quantile

TABLE = [
    (0.975, 1, 12.7062047362),
    (0.975, 2, 4.30265272975),
    (0.975, 4, 2.77644510520),
    (0.975, 14, 2.14478668792),
    (0.975, 30, 2.04227245630),
    (0.975, 120, 1.97993040508),
    (0.995, 4, 4.60409487135),
    (0.995, 14, 2.97684273437),
    (0.95, 10, 1.81246112281),
    (0.9, 5, 1.47588404882),
    (0.9995, 3, 12.9239786367),
]


@pytest.mark.parametrize(("probability", "degrees", "t"), TABLE)
def test_quantiles_are_those_of_the_printed_tables(probability: float, degrees: int, t: float) -> None:
    assert student_t_quantile(probability, degrees) == pytest.approx(t, rel=1e-11)
    assert student_t_quantile(1 - probability, degrees) == pytest.approx(-t, rel=1e-10)


@given(st.floats(-1e6, 1e6))
def test_one_and_two_degrees_of_freedom_have_a_closed_form(t: float) -> None:
    assert student_t_cdf(t, 1) == pytest.approx(0.5 + atan(t) / pi, abs=1e-14)
    assert student_t_cdf(t, 2) == pytest.approx(0.5 + t / (2 * sqrt(2 + t * t)), abs=1e-14)


@given(st.floats(1e-9, 1 - 1e-9), st.sampled_from([1, 2, 4, 14, 1000, 1_000_000]))
def test_the_quantile_undoes_the_distribution(probability: float, degrees: int) -> None:
    assert student_t_cdf(student_t_quantile(probability, degrees), degrees) == pytest.approx(probability, rel=1e-9)


def test_the_middle_is_zero() -> None:
    assert student_t_quantile(0.5, 7) == 0.0
    assert student_t_cdf(0.0, 7) == 0.5


@pytest.mark.parametrize("probability", [0.0, 1.0, -0.1, 1.5, float("nan")])
def test_there_is_no_quantile_outside_zero_to_one(probability: float) -> None:
    with pytest.raises(ValueError, match=f"a quantile is for a probability between 0 and 1, not {probability}"):
        student_t_quantile(probability, 4)


def test_intervals_of_five_values() -> None:
    # mean 3, s = sqrt(2.5), t(4; 97.5 %) = 2.776445
    assert mean_interval([1, 2, 3, 4, 5]) == pytest.approx((3.0, 3 - 1.963243, 3 + 1.963243), abs=1e-6)
    assert prediction_interval([1, 2, 3, 4, 5]) == pytest.approx((3.0, 3 - 4.808941, 3 + 4.808941), abs=1e-5)


def test_more_confidence_is_wider() -> None:
    # t(4; 99.5 %) = 4.604095
    assert prediction_interval([1, 2, 3, 4, 5], 0.99) == pytest.approx((3.0, 3 - 7.974526, 3 + 7.974526), abs=1e-5)


def test_equal_values_leave_no_width() -> None:
    assert mean_interval([2.5, 2.5]) == (2.5, 2.5, 2.5)


@pytest.mark.parametrize("values", [[], [4.0]])
def test_fewer_than_two_values_have_no_interval(values: list[float]) -> None:
    assert mean_interval(values) is None
    assert prediction_interval(values) is None
