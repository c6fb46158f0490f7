"""A verdict in words: what changed by how much, in which areas, how sure, what it cost, and what to do next."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from exporter.records import OVERALL, AreaAccuracy, Signal, TestName, Verdict, VerdictKind
from exporter.reports.advice import ADVICE
from exporter.reports.figures import percent
from exporter.reports.notices import facet_line, habit_lines, served_line
from exporter.reports.steps import NEXT_STEPS


@dataclass(frozen=True, slots=True)
class Report:
    """`headline` is one sentence; `details` one line each; `next_step` what a person should do."""

    headline: str
    details: tuple[str, ...]
    next_step: str


def summarise(verdict: Verdict) -> str:
    """The headline alone: what is shown now, held signals first."""
    if verdict.standing is not verdict.kind:
        return f"{_held(verdict)} This check: {_headline(verdict)}"
    return _headline(verdict)


def describe(verdict: Verdict) -> Report:
    """The whole report of one check."""
    return Report(summarise(verdict), tuple(_details(verdict)), _next_step(verdict))


def _headline(verdict: Verdict) -> str:
    return _HEADLINES[verdict.kind](verdict)


def _collecting(verdict: Verdict) -> str:
    return f"Collecting the baseline: {verdict.baseline.runs} of {verdict.baseline.runs_required} runs."


def _measurement_failed(verdict: Verdict) -> str:
    message = (verdict.reason_message or "no run could be completed").rstrip(".")
    return f"Could not measure ({verdict.reason}): {message}."


def _model_changed(verdict: Verdict) -> str:
    served = next((model.identity for model in verdict.served if not model.in_baseline), "a model")
    return f"Another model answers: {served}, which the baseline never saw."


def _token_shift(verdict: Verdict) -> str:
    return f"Answers are {_shift(verdict)} than in the baseline, confirmed by two runs."


def _shift(verdict: Verdict) -> str:
    ratio = verdict.token_shift_ratio or 1.0
    return f"{percent(abs(ratio - 1))} {'longer' if ratio > 1 else 'shorter'}"


def _lengths(verdict: Verdict) -> str:
    """What the lengths of answers add to a suspicion; of accuracy something is said in any case."""
    passed = any(test.test is TestName.TOKENS and test.passed for test in verdict.tests)
    return f", answers {_shift(verdict)}," if passed else ""


def _unconfirmed(verdict: Verdict) -> str:
    return f"Unconfirmed: the first run was worse, the second did not agree; over both {_change(verdict)}."


_HEADLINES: dict[VerdictKind, Callable[[Verdict], str]] = {
    VerdictKind.COLLECTING: _collecting,
    VerdictKind.BASELINE_READY: lambda verdict: f"The baseline is ready: {verdict.baseline.runs} runs.",
    VerdictKind.MEASUREMENT_FAILED: _measurement_failed,
    VerdictKind.MODEL_CHANGED: _model_changed,
    VerdictKind.TOKEN_SHIFT: _token_shift,
    VerdictKind.DRIFT: lambda verdict: f"Drift: {_change(verdict)}{_lost(verdict)}, {_confirmed_by(verdict)}.",
    VerdictKind.SUSPECT: lambda verdict: (
        f"Suspect: {_change(verdict)}{_lengths(verdict)} in one run; there is no second run to confirm it."
    ),
    VerdictKind.UNCONFIRMED: _unconfirmed,
    VerdictKind.IMPROVED: lambda verdict: f"Improved: {_change(verdict)} in one run.",
    VerdictKind.STABLE: lambda verdict: f"Stable: {_change(verdict)}.",
}


def _held(verdict: Verdict) -> str:
    confirmed = [state.signal.value for state in verdict.signals if state.confirmed]
    return f"{verdict.standing.value} stands ({', '.join(confirmed)})."


def _confirmed_by(verdict: Verdict) -> str:
    state = verdict.signal(Signal.ACCURACY)
    if state.confirmed_checks == 0:
        return "shown by the trend of many days"
    by = "confirmed by two runs" if state.confirmed_checks == 1 else f"confirmed by {state.confirmed_checks} checks in a row"
    return f"{by} and conclusive" if state.conclusive else by


def _lost(verdict: Verdict) -> str:
    """What no try gets right any more, where that is more than first tries show."""
    overall = verdict.overall
    if overall is None or overall.solved_ratio is None or overall.baseline_solved_ratio is None:
        return ""
    if overall.drop_ratio <= -(overall.change_ratio or 0.0):
        return ""
    return f"; wrong at every try {percent(1 - overall.solved_ratio)} against {percent(1 - overall.baseline_solved_ratio)}"


def _change(verdict: Verdict) -> str:
    overall = verdict.overall
    if overall is None or overall.change_ratio is None or overall.baseline_ratio is None:
        return "accuracy is not known"
    return f"accuracy {percent(overall.accuracy_ratio)} against {percent(overall.baseline_ratio)} in the baseline ({_points(overall)})"


def _details(verdict: Verdict) -> Iterator[str]:
    yield from _area_lines(verdict)
    yield from _test_lines(verdict)
    for flips in verdict.flips:
        for direction, ids in (("lost", flips.lost), ("gained", flips.gained)):
            if ids:
                yield f"{direction} against the {flips.versus} run: {', '.join(ids)}"
    if verdict.kind is VerdictKind.BASELINE_READY:
        sometimes = ", ".join(verdict.baseline.sometimes) or "none; only losses can be seen"
        yield f"right only some of the time (they tell most): {sometimes}"
    if verdict.baseline.left_out_run_ids:
        yield f"left out of the baseline, out of line with the others: runs {', '.join(map(str, verdict.baseline.left_out_run_ids))}"
    yield from (line for line in (served_line(verdict), facet_line(verdict.facets)) if line)
    yield from habit_lines(verdict)
    if verdict.measurement_errors:
        yield "without a mark: " + ", ".join(f"{count} {reason}" for reason, count in verdict.measurement_errors)
    if verdict.answer_line_missing:
        yield f"{verdict.answer_line_missing} answers without the ANSWER line that was asked for (graded wrong)"
    yield _spend_line(verdict)
    yield from verdict.notes


def _area_lines(verdict: Verdict) -> Iterator[str]:
    for area in verdict.accuracy:
        line = f"{area.area}: accuracy {percent(area.accuracy_ratio)}"
        if area.baseline_ratio is not None and area.change_ratio is not None:
            line += f", baseline {percent(area.baseline_ratio)}, change {_points(area)}"
            if area.change_lower_ratio is not None and area.change_upper_ratio is not None:
                line += f" (95 %: {area.change_lower_ratio * 100:+.1f} to {area.change_upper_ratio * 100:+.1f})"
        yield line


def _test_lines(verdict: Verdict) -> Iterator[str]:
    names = {TestName.ACCURACY: "accuracy", TestName.TREND: "trend", TestName.TOKENS: "tokens"}
    for test in (test for test in verdict.tests if test.test in names):
        sign = "at or below" if test.adjusted_p_value <= test.threshold else "above"
        area = "" if test.area == OVERALL else f" in {test.area}"
        yield f"{names[test.test]}{area}: p = {test.adjusted_p_value:.2g}, {sign} the threshold {test.threshold:g}"


def _spend_line(verdict: Verdict) -> str:
    line = f"asked {verdict.questions_asked} times in {verdict.runs} run{'' if verdict.runs == 1 else 's'}, {verdict.spend_tokens} tokens"
    if verdict.spend_usd is not None:
        line += f", ${verdict.spend_usd:.4f}"
    if verdict.estimate_usd is not None:
        line += f" (estimate ${verdict.estimate_usd:.4f})"
    elif verdict.estimate_tokens is not None:
        line += f" (estimate {verdict.estimate_tokens} tokens)"
    return line


def _next_step(verdict: Verdict) -> str:
    if verdict.kind is VerdictKind.MEASUREMENT_FAILED and verdict.reason is not None:
        return f"{NEXT_STEPS[verdict.kind]} To do: {ADVICE[verdict.reason]}."
    return NEXT_STEPS[verdict.standing]


def _points(area: AreaAccuracy) -> str:
    return f"{(area.change_ratio or 0.0) * 100:+.1f} points"
