"""Exact tests and intervals: numbers in, numbers out.

Done here: the one exact permutation test, sharing a level over areas, Student t intervals, and what is asked of a
baseline's runs with them. Nothing here knows of marks, models or days, draws a random number, reads a clock or logs, and
nothing is imported but the standard library and the records' name of the whole set. What a p-value means for a target is
decided in `exporter.verdicts`.
"""

from exporter.statistics.holm import AreaDecision, adjust, split_level
from exporter.statistics.intervals import Interval, mean_interval, prediction_interval, student_t_cdf, student_t_quantile
from exporter.statistics.out_of_line import find_out_of_line
from exporter.statistics.overdispersion import overdispersion_p_value
from exporter.statistics.stratified import Stratum, Tails, exact_test, two_sided

__all__ = [
    "AreaDecision",
    "Interval",
    "Stratum",
    "Tails",
    "adjust",
    "exact_test",
    "find_out_of_line",
    "mean_interval",
    "overdispersion_p_value",
    "prediction_interval",
    "split_level",
    "student_t_cdf",
    "student_t_quantile",
    "two_sided",
]
