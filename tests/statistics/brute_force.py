"""The exact test by writing out every outcome: slow, plain, in fractions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product

from exporter.statistics import Stratum


def enumerate_outcomes(strata: Sequence[Stratum]) -> Iterator[tuple[Stratum, ...]]:
    """Every way to choose which pooled scores are the new ones, over all strata; all are equally likely."""
    return product(*(list(_choices(stratum)) for stratum in strata))


def find_tails(strata: Sequence[Stratum]) -> tuple[Fraction, Fraction]:
    """P(T >= observed) and P(T <= observed)."""
    observed = _total(strata)
    totals = [_total(outcome) for outcome in enumerate_outcomes(strata)]
    upper = sum(total >= observed for total in totals)
    lower = sum(total <= observed for total in totals)
    return Fraction(upper, len(totals)), Fraction(lower, len(totals))


def _choices(stratum: Stratum) -> Iterator[Stratum]:
    pooled = stratum.baseline + stratum.new
    for chosen in combinations(range(len(pooled)), len(stratum.new)):
        rest = tuple(score for index, score in enumerate(pooled) if index not in chosen)
        yield Stratum(rest, tuple(pooled[index] for index in chosen))


def _total(strata: Sequence[Stratum]) -> int:
    return sum(sum(stratum.new) for stratum in strata)
