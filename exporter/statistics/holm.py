"""Several p-values held to one level: Holm's step-down rule, and the share of a level that areas get."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from exporter.records import OVERALL


@dataclass(frozen=True, slots=True)
class AreaDecision:
    """`adjusted` has a p-value for the whole set and each area tested, made comparable with the level itself.

    `combined` is the one number over all of them, the smallest; `passed` names those at or below the level.
    """

    combined: float
    adjusted: Mapping[str, float]
    passed: frozenset[str]


def adjust(p_values: Sequence[float]) -> tuple[float, ...]:
    """Holm's adjusted p-values, in the order given: those at or below a level pass with that level kept over all of them.

    S. Holm 1979, "A simple sequentially rejective multiple test procedure": the k-th smallest of n is multiplied by
    n - k + 1 and is never below the one before it. Needs no independence.
    """
    order = sorted(range(len(p_values)), key=lambda index: p_values[index])
    adjusted = [1.0] * len(p_values)
    largest = 0.0
    for rank, index in enumerate(order):
        largest = max(largest, (len(order) - rank) * p_values[index])
        adjusted[index] = min(1.0, largest)
    return tuple(adjusted)


def split_level(
    p_overall: float, p_areas: Mapping[str, float], level: float, overall_share: float = 0.6, *, overall_name: str = OVERALL
) -> AreaDecision:
    """Share one level: the whole set is tested at `overall_share` of it, the areas share the rest by Holm's rule.

    With fewer than two areas the whole set gets all of it and areas are not tested. Instead of smaller levels the
    p-values are made larger (p / share, at most 1), so each can be read beside `level`.
    """
    if len(p_areas) < 2:
        adjusted = {overall_name: p_overall}
    else:
        areas = zip(p_areas, adjust(tuple(p_areas.values())), strict=True)
        adjusted = {overall_name: min(1.0, p_overall / overall_share)}
        adjusted |= {name: min(1.0, p_value / (1 - overall_share)) for name, p_value in areas}
    passed = frozenset(name for name, p_value in adjusted.items() if p_value <= level)
    return AreaDecision(min(adjusted.values()), adjusted, passed)
