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


def count_sums(pooled: Sequence[int], drawn: int) -> dict[int, int]:
    """In how many ways `drawn` of the `pooled` scores give each sum: one score after the other, with no packing."""
    ways: list[dict[int, int]] = [{0: 1}] + [{} for _ in range(drawn)]
    for score in pooled:
        for taken in range(drawn, 0, -1):
            for total, count in ways[taken - 1].items():
                ways[taken][total + score] = ways[taken].get(total + score, 0) + count
    return ways[drawn]


def convolve_tails(strata: Sequence[Stratum]) -> tuple[Fraction, Fraction]:
    """The same as `find_tails`, for more scores than can be written out: in whole numbers, with plain dictionaries."""
    sums = {0: 1}
    for stratum in strata:
        merged: dict[int, int] = {}
        ways = count_sums(stratum.baseline + stratum.new, len(stratum.new))
        for total, count in sums.items():
            for more, times in ways.items():
                merged[total + more] = merged.get(total + more, 0) + count * times
        sums = merged
    observed = _total(strata)
    everything = sum(sums.values())
    upper = sum(count for total, count in sums.items() if total >= observed)
    lower = sum(count for total, count in sums.items() if total <= observed)
    return Fraction(upper, everything), Fraction(lower, everything)


def _choices(stratum: Stratum) -> Iterator[Stratum]:
    pooled = stratum.baseline + stratum.new
    for chosen in combinations(range(len(pooled)), len(stratum.new)):
        rest = tuple(score for index, score in enumerate(pooled) if index not in chosen)
        yield Stratum(rest, tuple(pooled[index] for index in chosen))


def _total(strata: Sequence[Stratum]) -> int:
    return sum(sum(stratum.new) for stratum in strata)
