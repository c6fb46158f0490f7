from __future__ import annotations

import math
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exporter.web.axes import PercentAxis, PValueAxis, Tick, TimeAxis

DAY = 86_400.0


def at(text: str) -> float:
    return datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()


def labels(first: str, last: str) -> list[tuple[str, str]]:
    return [(tick.label, tick.below) for tick in TimeAxis(at(first), at(last)).ticks()]


@pytest.mark.parametrize(
    ("first", "last", "expected"),
    [
        ("2027-01-15 08:00:10", "2027-01-15 08:02:30", [("08:01", "15 Jan"), ("08:02", "")]),
        ("2027-01-15 21:00", "2027-01-16 05:00", [("22:00", "15 Jan"), ("00:00", "16 Jan"), ("02:00", ""), ("04:00", "")]),
        ("2026-12-28", "2027-01-20", [("31 Dec", "2026"), ("7 Jan", "2027"), ("14 Jan", "")]),
        ("2026-12-30", "2027-01-01 12:00", [("30 Dec", "2026"), ("31 Dec", ""), ("1 Jan", "2027")]),
        ("2027-01-15 08:00", "2027-01-15 08:00", [("08:00", "15 Jan")]),
    ],
)
def test_times_are_round_and_the_date_is_told_where_it_changes(first: str, last: str, expected: list[tuple[str, str]]) -> None:
    assert labels(first, last) == expected


@given(st.floats(1e9, 4e9), st.floats(0, 2e9))
def test_there_are_never_more_times_than_fit_on_a_phone_and_all_are_inside(first: float, span: float) -> None:
    ticks = TimeAxis(first, first + span).ticks()
    assert 1 <= len(ticks) <= 4
    assert all(-1e-6 <= tick.at <= 100 + 1e-6 for tick in ticks)


def test_a_time_is_a_share_of_the_width_and_a_single_one_stands_in_the_middle() -> None:
    axis = TimeAxis(1000, 2000)
    assert [axis.at(1000), axis.at(1250), axis.at(2000)] == [0, 25, 100]
    assert TimeAxis(5, 5).at(5) == 50


@pytest.mark.parametrize(
    ("ratios", "bottom", "top"),
    [([0.95, 0.97], 80, 100), ([0.75, 0.97], 70, 100), ([1.0], 80, 100), ([0.0], 0, 20), ([0.0, 1.0], 0, 100), ([0.5], 40, 60)],
)
def test_noise_never_fills_the_chart(ratios: list[float], bottom: int, top: int) -> None:
    axis = PercentAxis.around(ratios, 200)
    assert (axis.bottom, axis.top) == (bottom, top)


def test_a_share_is_lower_where_it_is_less() -> None:
    axis = PercentAxis(70, 100, 180)
    assert [axis.at(1.0), axis.at(0.85), axis.at(0.7)] == pytest.approx([0, 90, 180])
    assert [tick.label for tick in axis.ticks()] == ["100 %", "95 %", "90 %", "85 %", "80 %", "75 %", "70 %"]


@given(st.lists(st.floats(0, 1), min_size=1))
def test_every_share_is_inside(ratios: list[float]) -> None:
    axis = PercentAxis.around(ratios, 100)
    assert all(-1e-9 <= axis.at(ratio) <= 100 + 1e-9 for ratio in ratios)
    assert 3 <= len(axis.ticks()) <= 7


def test_each_power_of_ten_is_as_high_as_the_next() -> None:
    axis = PValueAxis.down_to([0.5, 0.0004], 110)
    assert axis.exponent == -4
    assert [axis.at(1.0), axis.at(0.01), axis.at(0.0001)] == pytest.approx([0, 55, 110])
    assert axis.ticks()[1] == Tick(pytest.approx(27.5), "0.1")
    assert [tick.label for tick in axis.ticks()] == ["1", "0.1", "0.01", "0.001", "0.0001"]


def test_a_p_value_too_small_to_be_drawn_stands_at_the_bottom() -> None:
    axis = PValueAxis.down_to([1e-30], 80)
    assert [tick.label for tick in axis.ticks()] == ["1", "0.01", "0.0001", "1e-6", "1e-8"]
    assert axis.at(1e-30) == axis.at(0.0) == 80


def test_quiet_p_values_leave_room_for_small_ones() -> None:
    assert PValueAxis.down_to([0.5], 80).exponent == -3
    assert math.isclose(PValueAxis.down_to([0.001], 80).at(0.001), 80)
