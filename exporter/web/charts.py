"""What happened to a target, as charts: accuracy beside the baseline, and the p-values of each test. Pure: numbers for a template.

Across, a chart is measured in per cent of its width, so that it fits every screen; down, in pixels.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from exporter.records import OVERALL, TestName, TestResult, Verdict, VerdictKind
from exporter.web.axes import PercentAxis, PValueAxis, Tick, TimeAxis
from exporter.web.texts import moment, p_value, percent

ACCURACY_HEIGHT = 180
P_VALUE_HEIGHT = 110
_THINNEST = 3.0
"""A band of no height is drawn this many pixels high."""

P_VALUES_OF = {
    TestName.ACCURACY: "Accuracy",
    TestName.TREND: "Trend of several days",
    TestName.TOKENS: "Answer lengths",
}
"""The tests whose p-values are drawn, with their names: those that can confirm something."""


@dataclass(frozen=True, slots=True)
class Point:
    """A check: where it stands, its mark (the kind of its verdict, or what a test found), and what is said of it."""

    x: float
    y: float
    mark: str
    title: str


@dataclass(frozen=True, slots=True)
class Line:
    """From one point to another."""

    x1: float
    y1: float
    x2: float
    y2: float


@dataclass(frozen=True, slots=True)
class Band:
    """A box: what was normal for a while."""

    left: float
    right: float
    top: float
    height: float


@dataclass(frozen=True, slots=True)
class Chart:
    """Everything that is drawn. `failed` are checks that could not measure: they stand below the axis and are no value.

    `levels` are dashed lines: what the points are held against, for p-values the `thresholds`. `summary` says it in a sentence
    for who cannot see it.
    """

    name: str
    title: str
    summary: str
    height: int
    across: Sequence[Tick]
    down: Sequence[Tick]
    points: Sequence[Point]
    lines: Sequence[Line]
    levels: Sequence[Line]
    bands: Sequence[Band] = ()
    failed: Sequence[Point] = ()
    thresholds: Sequence[str] = ()


def accuracy_chart(verdicts: Sequence[Verdict]) -> Chart | None:
    """First-try accuracy of each check, oldest first, beside the range of the baseline's runs. None where nothing was measured."""
    measured = [verdict for verdict in verdicts if verdict.overall is not None]
    if not measured:
        return None
    time, shown = TimeAxis(verdicts[0].decided_at, verdicts[-1].decided_at), [ratio for one in measured for ratio in _ratios(one)]
    axis = PercentAxis.around(shown, ACCURACY_HEIGHT)
    points = [Point(time.at(one.decided_at), axis.at(_accuracy(one)), one.kind, _say_accuracy(one)) for one in measured]
    failed = [one for one in verdicts if one.kind is VerdictKind.MEASUREMENT_FAILED]
    steps = _steps([time.at(one.decided_at) for one in measured])
    bands = [
        _band(axis, left, right, one.baseline.lowest_ratio, one.baseline.highest_ratio)
        for (left, right), one in zip(steps, measured, strict=True)
        if one.baseline.lowest_ratio is not None and one.baseline.highest_ratio is not None and _baseline(one) is not None
    ]
    levels = [
        Line(left, axis.at(before), right, axis.at(before))
        for (left, right), one in zip(steps, measured, strict=True)
        if (before := _baseline(one)) is not None
    ]
    last = measured[-1]
    summary = f"{len(measured)} checks were measured, {len(failed)} could not be. The last one measured: {_say_accuracy(last)}."
    return Chart(
        "accuracy",
        "Accuracy",
        summary,
        ACCURACY_HEIGHT,
        time.ticks(),
        axis.ticks(),
        points,
        _connect(verdicts, points, lambda one: one.overall is not None),
        _merge_lines(levels),
        _merge_bands(bands),
        [Point(time.at(one.decided_at), ACCURACY_HEIGHT + 11, one.kind, _say_failure(one)) for one in failed],
    )


def p_value_charts(verdicts: Sequence[Verdict]) -> list[Chart]:
    """A chart for each test that was ever made in these checks, oldest first, all over the same time."""
    charts = (_p_value_chart(verdicts, test, title) for test, title in P_VALUES_OF.items())
    return [chart for chart in charts if chart is not None]


def _p_value_chart(verdicts: Sequence[Verdict], test: TestName, title: str) -> Chart | None:
    made = [(verdict, result) for verdict in verdicts if (result := _result(verdict, test)) is not None]
    if not made:
        return None
    time = TimeAxis(verdicts[0].decided_at, verdicts[-1].decided_at)
    axis = PValueAxis.down_to([p for _, result in made for p in (result.adjusted_p_value, result.threshold)], P_VALUE_HEIGHT)
    points = [
        Point(
            time.at(verdict.decided_at),
            axis.at(result.adjusted_p_value),
            _mark(result),
            f"{moment(verdict.decided_at)}: {_say_p_value(result)}",
        )
        for verdict, result in made
    ]
    begin = verdicts.index(made[0][0])
    steps = _steps([point.x for point in points], (time.at(verdicts[begin - 1].decided_at) + points[0].x) / 2 if begin else 0.0)
    heights = [axis.at(result.threshold) for _, result in made]
    levels = [Line(left, height, right, height) for (left, right), height in zip(steps, heights, strict=True)]
    passed = sum(point.mark == "passed" for point in points)
    summary = f"The test was made in {len(made)} checks and found something in {passed}. The last one: {points[-1].title}."
    lines = _connect(verdicts, points, lambda one: _result(one, test) is not None)
    thresholds = [f"{threshold:g}" for threshold in sorted({result.threshold for _, result in made}, reverse=True)]
    return Chart(
        f"p-{test}",
        title,
        summary,
        P_VALUE_HEIGHT,
        time.ticks(),
        axis.ticks(),
        points,
        lines,
        _merge_lines(levels),
        thresholds=thresholds,
    )


def _result(verdict: Verdict, test: TestName) -> TestResult | None:
    return next((result for result in verdict.tests if result.test is test and result.area == OVERALL), None)


def _mark(result: TestResult) -> str:
    """`passed`, `below` the threshold where something else that has to hold does not, or `quiet`."""
    is_below = result.adjusted_p_value <= result.threshold
    # That of the whole set is over all areas: it is as small as this also where an area alone has passed.
    if result.passed or (is_below and result.test is TestName.ACCURACY):
        return "passed"
    return "below" if is_below else "quiet"


def _accuracy(verdict: Verdict) -> float:
    return 0.0 if verdict.overall is None else verdict.overall.accuracy_ratio


def _baseline(verdict: Verdict) -> float | None:
    return None if verdict.overall is None else verdict.overall.baseline_ratio


def _ratios(verdict: Verdict) -> list[float]:
    before = _baseline(verdict)
    drawn = () if before is None else (before, verdict.baseline.lowest_ratio, verdict.baseline.highest_ratio)
    return [_accuracy(verdict), *(ratio for ratio in drawn if ratio is not None)]


def _say_accuracy(verdict: Verdict) -> str:
    before = _baseline(verdict)
    against = "" if before is None else f" against {percent(before)} in the baseline"
    return f"{moment(verdict.decided_at)}: {percent(_accuracy(verdict))}{against}, {verdict.kind}"


def _say_failure(verdict: Verdict) -> str:
    return f"{moment(verdict.decided_at)}: could not be measured ({verdict.reason or 'reason not known'})"


def _say_p_value(result: TestResult) -> str:
    sign = "at or below" if result.adjusted_p_value <= result.threshold else "above"
    return f"p = {p_value(result.adjusted_p_value)}, {sign} the threshold {result.threshold:g}"


def _band(axis: PercentAxis, left: float, right: float, lowest: float, highest: float) -> Band:
    top, height = axis.at(highest), axis.at(lowest) - axis.at(highest)
    spare = max(0.0, _THINNEST - height)
    return Band(left, right, top - spare / 2, height + spare)


def _steps(across: Sequence[float], begin: float = 0.0) -> list[tuple[float, float]]:
    """What each check speaks for: half way to the one before and to the one after, the first from `begin` and the last to the edge."""
    halves = [(left + right) / 2 for left, right in pairwise(across)]
    return list(zip([begin, *halves], [*halves, 100.0], strict=True))


def _connect(verdicts: Sequence[Verdict], points: Sequence[Point], has_point: Callable[[Verdict], bool]) -> list[Line]:
    """Lines between checks that follow each other. Where one between them has no value there is a gap."""
    lines, before, rest = [], None, iter(points)
    for verdict in verdicts:
        point = next(rest) if has_point(verdict) else None
        if point is not None and before is not None:
            lines.append(Line(before.x, before.y, point.x, point.y))
        before = point
    return lines


def _merge_lines(lines: Sequence[Line]) -> list[Line]:
    merged: list[Line] = []
    for line in lines:
        if merged and merged[-1].x2 == line.x1 and merged[-1].y2 == line.y1:
            merged[-1] = Line(merged[-1].x1, line.y1, line.x2, line.y2)
        else:
            merged.append(line)
    return merged


def _merge_bands(bands: Sequence[Band]) -> list[Band]:
    merged: list[Band] = []
    for band in bands:
        last = merged[-1] if merged else None
        if last is not None and (last.right, last.top, last.height) == (band.left, band.top, band.height):
            merged[-1] = Band(last.left, band.right, band.top, band.height)
        else:
            merged.append(band)
    return merged
