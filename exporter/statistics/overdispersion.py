"""Do the runs of a baseline differ more from each other than the answers within them explain?"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log

from exporter.statistics.out_of_line import against_others
from exporter.statistics.stratified import exact_test, two_sided


def overdispersion_p_value(runs: Sequence[Sequence[int | None]]) -> float | None:
    """P-value of "every question's scores may be permuted over the runs, independently of every other question's".

    Rows are runs in the order of time, columns are questions, entries are scores or None. None with fewer than two runs.

    Two tests, each exact and two-sided over all questions, without random numbers; twice the smaller p-value is valid:

    * each run against all others, n times the smallest p-value (Bonferroni). Best at one odd run;
    * each run against all before it. Whatever scores the first k runs have together, the p-value of run k is at most a
      with probability a or less, and the p-values of later runs hang on nothing but that pool: so their product can be
      judged as one of independent p-values (Fisher 1932, "Statistical Methods for Research Workers", section 21.1).
      Best where every day swings a little.

    It sees whole runs that are better or worse than others: days that swing, a step, a slope. It does not see swings
    that cancel within a run (one area up, another down), runs that are too much alike, or anything in a single question.
    """
    if len(runs) < 2:
        return None
    everyone = range(len(runs))
    against_all = min(1.0, len(runs) * min(_compare(runs, index, everyone) for index in everyone))
    one_by_one = -sum(log(_compare(runs, index, everyone[: index + 1])) for index in everyone[1:])
    return min(1.0, 2 * against_all, 2 * _chi_square_tail(one_by_one, len(runs) - 1))


def _compare(runs: Sequence[Sequence[int | None]], index: int, staying: Sequence[int]) -> float:
    return two_sided(exact_test(against_others(runs, index, staying)))


def _chi_square_tail(half: float, half_degrees: int) -> float:
    """P(X >= 2 · half) for a chi-square X with 2 · half_degrees degrees of freedom: a Poisson sum (DLMF 8.4.10)."""
    term = total = 1.0
    for index in range(1, half_degrees):
        term *= half / index
        total += term
    return min(1.0, total * exp(-half))
