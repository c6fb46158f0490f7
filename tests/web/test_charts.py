from __future__ import annotations

from dataclasses import replace

import pytest

from exporter.records import OVERALL, TestName, TestResult, Verdict, VerdictKind
from exporter.web.charts import Band, Line, Point, accuracy_chart, p_value_charts
from tests.web.scenes import past_of

COLLECTING, STABLE, FAILED, DRIFT = (
    VerdictKind.COLLECTING,
    VerdictKind.STABLE,
    VerdictKind.MEASUREMENT_FAILED,
    VerdictKind.DRIFT,
)


def past(*kinds: VerdictKind) -> list[Verdict]:
    return past_of(kinds)[::-1]


def test_accuracy_is_drawn_check_by_check_with_what_was_said() -> None:
    chart = accuracy_chart(past(STABLE, DRIFT))
    assert chart is not None
    assert chart.points == [
        Point(0.0, pytest.approx(54), "stable", "2027-01-14 07:50 UTC: 91.0 % against 93.8 % in the baseline, stable"),
        Point(100.0, pytest.approx(150), "drift", "2027-01-15 07:50 UTC: 75.0 % against 93.8 % in the baseline, drift"),
    ]
    assert chart.lines == [Line(0.0, pytest.approx(54), 100.0, pytest.approx(150))]
    assert chart.summary == (
        "2 checks were measured, 0 could not be. The last one measured: 2027-01-15 07:50 UTC: 75.0 % against 93.8 % in the baseline, drift."
    )


def test_a_failed_check_is_a_gap_and_a_mark_below_the_axis_and_never_a_drop() -> None:
    chart = accuracy_chart(past(STABLE, STABLE, FAILED, STABLE, STABLE))
    assert chart is not None
    assert [point.x for point in chart.points] == [0.0, 25.0, 75.0, 100.0]
    assert [(line.x1, line.x2) for line in chart.lines] == [(0.0, 25.0), (75.0, 100.0)]
    assert chart.failed == [Point(50.0, 191, "measurement_failed", "2027-01-13 07:50 UTC: could not be measured (rate_limited)")]
    assert chart.failed[0].y > chart.height
    assert max(tick.at for tick in chart.down) == chart.height


def test_the_band_is_the_baselines_range_and_begins_with_the_first_check_that_was_held_against_it() -> None:
    chart = accuracy_chart(past(COLLECTING, COLLECTING, STABLE, STABLE, STABLE))
    assert chart is not None
    assert chart.bands == [Band(37.5, 100.0, pytest.approx(27), pytest.approx(81))]
    assert chart.levels == [Line(37.5, pytest.approx(56.25), 100.0, pytest.approx(56.25))]


def test_another_baseline_is_another_band() -> None:
    before, after = past(STABLE, STABLE)
    after = replace(after, baseline=replace(after.baseline, lowest_ratio=0.9))
    chart = accuracy_chart([before, after])
    assert chart is not None
    assert [(band.left, band.right) for band in chart.bands] == [(0.0, 50.0), (50.0, 100.0)]


def test_a_baseline_whose_runs_are_all_alike_can_still_be_seen() -> None:
    (verdict,) = past(STABLE)
    chart = accuracy_chart([replace(verdict, baseline=replace(verdict.baseline, lowest_ratio=1.0, highest_ratio=1.0))])
    assert chart is not None
    assert chart.bands == [Band(0.0, 100.0, -1.5, 3.0)]


def test_a_verdict_of_an_older_version_has_the_mean_and_no_band() -> None:
    (verdict,) = past(STABLE)
    chart = accuracy_chart([replace(verdict, baseline=replace(verdict.baseline, lowest_ratio=None, highest_ratio=None))])
    assert chart is not None
    assert (len(chart.bands), len(chart.levels)) == (0, 1)


@pytest.mark.parametrize("kinds", [(), (FAILED,), (FAILED, FAILED)])
def test_where_nothing_was_measured_there_is_no_chart(kinds: tuple[VerdictKind, ...]) -> None:
    assert accuracy_chart(past(*kinds)) is None
    assert p_value_charts(past(*kinds)) == []


def test_p_values_are_drawn_beside_the_threshold_of_their_check() -> None:
    accuracy, trend, tokens = p_value_charts(past(COLLECTING, STABLE, STABLE, DRIFT))
    assert [accuracy.title, trend.title, tokens.title] == ["Accuracy", "Trend of several days", "Answer lengths"]
    assert [(round(point.x), point.mark) for point in accuracy.points] == [(33, "quiet"), (67, "quiet"), (100, "passed")]
    assert accuracy.points[-1].title == "2027-01-15 07:50 UTC: p = 0.0004, at or below the threshold 0.004"
    assert [(round(line.x1), round(line.x2), round(line.y1)) for line in accuracy.levels] == [(17, 83, 36), (83, 100, 66)]
    assert accuracy.thresholds == ["0.05", "0.004"]
    assert (trend.thresholds, tokens.thresholds) == (["0.001"], ["0.01"])
    assert accuracy.summary == (
        "The test was made in 3 checks and found something in 1. The last one: "
        "2027-01-15 07:50 UTC: p = 0.0004, at or below the threshold 0.004."
    )


def test_all_charts_have_the_same_time_below_them() -> None:
    verdicts = past(COLLECTING, STABLE, FAILED, DRIFT)
    accuracy = accuracy_chart(verdicts)
    assert accuracy is not None
    for chart in p_value_charts(verdicts):
        assert chart.across == accuracy.across


def test_a_single_check_stands_in_the_middle() -> None:
    chart = accuracy_chart(past(STABLE))
    assert chart is not None
    assert [point.x for point in chart.points] == [50.0]
    assert [(tick.label, tick.below) for tick in chart.across] == [("07:50", "15 Jan")]


@pytest.mark.parametrize(
    ("test", "p_value", "passed", "mark"),
    [
        (TestName.TREND, 0.0004, True, "passed"),
        (TestName.TREND, 0.0004, False, "below"),
        (TestName.TREND, 0.5, False, "quiet"),
        (TestName.ACCURACY, 0.0004, False, "passed"),
        (TestName.ACCURACY, 0.5, False, "quiet"),
    ],
)
def test_what_is_small_enough_is_not_called_chance(test: TestName, p_value: float, mark: str, *, passed: bool) -> None:
    (verdict,) = past(STABLE)
    (chart,) = p_value_charts([replace(verdict, tests=(TestResult(test, OVERALL, p_value, p_value, 0.001, passed=passed),))])
    assert [point.mark for point in chart.points] == [mark]
