"""Do the runs of a baseline differ more from each other than the answers within them explain?"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log

from exporter.statistics.out_of_line import against_others
from exporter.statistics.stratified import exact_test, two_sided


def overdispersion_p_value(runs: Sequence[Sequence[int | None]]) -> float | None:
    """P-value of "every question's scores may be permuted over the runs, independently of every other question's".

    Rows are runs in the order of time, columns are questions, entries are scores or None. None with fewer than two runs.

    Each run but the first is tested against all before it (exact, two-sided, all questions). Given what scores the
    first k runs have together, the p-value of run k says nothing about those of later runs, so the p-values are
    independent and each is at most as often below a as a says: Fisher's product of them (R. A. Fisher 1932,
    "Statistical Methods for Research Workers", section 21.1) is a valid test, without random numbers.

    It sees whole runs that are better or worse than others: days that swing, a step, a slope. It does not see swings
    that cancel within a run (one area up, another down), runs that are too much alike, or anything in a single question.
    """
    if len(runs) < 2:
        return None
    indices = range(len(runs))
    statistic = -sum(log(two_sided(exact_test(against_others(runs, index, indices[: index + 1])))) for index in indices[1:])
    return _chi_square_tail(statistic, len(runs) - 1)


def _chi_square_tail(half: float, half_degrees: int) -> float:
    """P(X >= 2 · half) for a chi-square X with 2 · half_degrees degrees of freedom: a Poisson sum (DLMF 8.4.10)."""
    term = total = 1.0
    for index in range(1, half_degrees):
        term *= half / index
        total += term
    return min(1.0, total * exp(-half))
