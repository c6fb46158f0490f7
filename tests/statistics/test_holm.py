from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exporter.statistics import adjust, split_level

levels = st.floats(0, 1)


def test_the_smallest_of_four_is_multiplied_by_four_the_next_by_three() -> None:
    assert adjust([0.01, 0.04, 0.03, 0.005]) == pytest.approx((0.03, 0.06, 0.06, 0.02))


@pytest.mark.parametrize(
    ("p_values", "adjusted"),
    [
        ((), ()),
        ((0.2,), (0.2,)),
        ((0.5, 0.5), (1.0, 1.0)),
        ((0.9, 0.9, 0.9), (1.0, 1.0, 1.0)),
        ((0.02, 0.02), (0.04, 0.04)),
    ],
)
def test_adjusted_p_values(p_values: tuple[float, ...], adjusted: tuple[float, ...]) -> None:
    assert adjust(p_values) == adjusted


@given(st.lists(levels), levels)
def test_adjusted_values_pass_exactly_where_the_step_down_rule_does(p_values: list[float], level: float) -> None:
    order = sorted(p_values)
    steps = next((rank for rank, p in enumerate(order) if (len(order) - rank) * p > level), len(order))
    assert sum(p <= level for p in adjust(p_values)) == (steps if level < 1 else len(order))


def test_the_whole_set_gets_sixty_percent_and_the_areas_share_forty() -> None:
    decision = split_level(0.0018, {"reasoning": 0.0006, "instruction": 0.3, "japanese": 0.0007}, 0.004)
    assert decision.adjusted == pytest.approx({"overall": 0.003, "reasoning": 0.0045, "japanese": 0.0045, "instruction": 0.75})
    assert decision.combined == pytest.approx(0.003)
    assert decision.passed == {"overall"}


def test_an_area_alone_can_pass() -> None:
    decision = split_level(0.2, {"reasoning": 0.0005, "japanese": 0.0015}, 0.004)
    assert decision.adjusted == pytest.approx({"overall": 1 / 3, "reasoning": 0.0025, "japanese": 0.00375})
    assert decision.passed == {"reasoning", "japanese"}
    assert decision.combined == pytest.approx(0.0025)


def test_an_adjusted_p_equal_to_the_level_passes() -> None:
    assert split_level(0.03, {"a": 1.0, "b": 1.0}, 0.05).passed == {"overall"}


@pytest.mark.parametrize("areas", [{}, {"reasoning": 1e-9}])
def test_with_fewer_than_two_areas_the_whole_set_gets_the_whole_level(areas: dict[str, float]) -> None:
    decision = split_level(0.004, areas, 0.004)
    assert decision.adjusted == {"overall": 0.004}
    assert decision.combined == 0.004
    assert decision.passed == {"overall"}


def test_nothing_is_above_one() -> None:
    decision = split_level(0.9, {"a": 0.9, "b": 0.8}, 0.05, overall_share=0.5, overall_name="all")
    assert decision.adjusted == {"all": 1.0, "a": 1.0, "b": 1.0}
    assert decision.combined == 1.0
    assert decision.passed == frozenset()


@given(levels, st.dictionaries(st.text(max_size=3), levels, max_size=4), st.floats(0.001, 0.999))
def test_something_passes_exactly_when_the_combined_p_does(p_overall: float, p_areas: dict[str, float], level: float) -> None:
    decision = split_level(p_overall, p_areas, level, overall_name="the whole set")
    assert bool(decision.passed) == (decision.combined <= level)
