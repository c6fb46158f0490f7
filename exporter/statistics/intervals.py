"""Student's t and the two intervals built on it, from the standard library alone."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import exp, lgamma, log, sqrt
from statistics import fmean, stdev
from typing import NamedTuple

TINY = 1e-300
CLOSE = 1e-15
STEPS = 10_000


class Interval(NamedTuple):
    """A mean with the two ends of an interval around it, in the unit of the values."""

    mean: float
    lower: float
    upper: float


def mean_interval(values: Sequence[float], confidence: float = 0.95) -> Interval | None:
    """Where the mean behind the values lies: mean ± t(n - 1) · s / sqrt(n). None with fewer than two values."""
    return _interval(values, confidence, 0.0)


def prediction_interval(values: Sequence[float], confidence: float = 0.95) -> Interval | None:
    """Where one more value should lie: mean ± t(n - 1) · s · sqrt(1 + 1/n). None with fewer than two values."""
    return _interval(values, confidence, 1.0)


def _interval(values: Sequence[float], confidence: float, of_the_next: float) -> Interval | None:
    count = len(values)
    if count < 2:
        return None
    mean = fmean(values)
    half = student_t_quantile((1 + confidence) / 2, count - 1) * stdev(values) * sqrt(of_the_next + 1 / count)
    return Interval(mean, mean - half, mean + half)


def student_t_cdf(t: float, degrees: float) -> float:
    """P(T <= t) for Student's t with so many degrees of freedom (> 0).

    Through the regularised incomplete beta function: P(|T| > t) = I_x(degrees / 2, 1 / 2) at x = degrees / (degrees + t²)
    (NIST DLMF 8.17; Abramowitz and Stegun 26.7.1).
    """
    whole = degrees + t * t
    outside = _regularised_beta(degrees / whole, t * t / whole, degrees / 2, 0.5)
    return 1 - outside / 2 if t > 0 else outside / 2


@lru_cache(maxsize=256)
def student_t_quantile(probability: float, degrees: float) -> float:
    """The t with P(T <= t) = probability, by bisection of `student_t_cdf` to the last digit of a float.

    Raises ValueError unless 0 < probability < 1.
    """
    if not 0 < probability < 1:
        raise ValueError(f"a quantile is for a probability between 0 and 1, not {probability}")
    tail = min(probability, 1 - probability)
    low, high = 0.0, 1.0
    while student_t_cdf(-high, degrees) > tail:
        low, high = high, 2 * high
    while low < (middle := (low + high) / 2) < high:
        if student_t_cdf(-middle, degrees) > tail:
            low = middle
        else:
            high = middle
    return high if probability > 0.5 else -high if probability < 0.5 else 0.0


def _regularised_beta(x: float, rest: float, a: float, b: float) -> float:
    """I_x(a, b), by the continued fraction on the side where it converges fast (DLMF 8.17.4 for the other side).

    `rest` is 1 - x, given apart because near 1 the difference would lose its digits.
    """
    if x == 0 or rest == 0:
        return 0.0 if x == 0 else 1.0
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(rest))
    if x < (a + 1) / (a + b + 2):
        return front * _beta_fraction(x, a, b) / a
    return 1 - front * _beta_fraction(rest, b, a) / b


def _beta_fraction(x: float, a: float, b: float) -> float:
    """The continued fraction of DLMF 8.17.22, evaluated from the front by the modified Lentz method (DLMF 3.10(iii))."""
    value, numerator, denominator = TINY, TINY, 0.0
    for step in range(STEPS):
        half = step // 2
        if step == 0:
            term = 1.0
        elif step % 2:
            term = -(a + half) * (a + b + half) * x / ((a + step - 1) * (a + step))
        else:
            term = half * (b - half) * x / ((a + step - 1) * (a + step))
        denominator = 1 / (1 + term * denominator or TINY)
        numerator = 1 + term / numerator or TINY
        value *= numerator * denominator
        if abs(numerator * denominator - 1) < CLOSE:
            return value
    return value
