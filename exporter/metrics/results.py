"""The last verdict as samples: what was found, and how the signals and the baseline stand."""

from __future__ import annotations

from exporter.metrics.samples import Sheet
from exporter.records import OVERALL, AreaAccuracy, Signal, Snapshot, Verdict, VerdictKind


def put_verdict(sheet: Sheet, snapshot: Snapshot) -> None:
    """What stands, the signals and the baseline. Complete from the start: before the first check the verdict is `collecting`."""
    verdict = snapshot.verdict
    standing = VerdictKind.COLLECTING if verdict is None else verdict.standing
    sheet.put_each("verdict", "verdict", {standing: 1})
    sheet.put("verdict_changed_timestamp_seconds", snapshot.verdict_changed_at)
    states = {} if verdict is None else {signal: verdict.signal(signal) for signal in Signal}
    sheet.put_each("confirmed", "signal", {signal: state.confirmed for signal, state in states.items()})
    sheet.put_each("conclusive", "signal", {signal: state.conclusive for signal, state in states.items()})
    sheet.put_each("confirmed_checks", "signal", {signal: state.confirmed_checks for signal, state in states.items()})
    sheet.put("failed_checks", 0 if verdict is None else verdict.failed_checks)
    sheet.put("baseline_runs", 0 if verdict is None else verdict.baseline.runs)
    sheet.put("baseline_runs_required", snapshot.runs_required)
    sheet.put("baseline_frozen", 0 if verdict is None else verdict.baseline.frozen)


def put_figures(sheet: Sheet, verdict: Verdict, areas: tuple[str, ...]) -> None:
    """The figures of the last check, for the areas that the config has now and the whole set."""
    shown = (OVERALL, *areas)
    by_area = {accuracy.area: accuracy for accuracy in verdict.accuracy}
    for area in shown:
        if area in by_area:
            _put_accuracy(sheet, by_area[area])
    _put_tests(sheet, verdict, shown)
    sheet.put("baseline_overdispersion_p_value", verdict.baseline.overdispersion_p_value)
    sheet.put("token_shift_ratio", verdict.token_shift_ratio)
    sheet.put("input_token_shift_ratio", verdict.input_token_shift_ratio)
    sheet.put("refusal_ratio", verdict.refusal_ratio)
    sheet.put("truncated_ratio", verdict.truncated_ratio)
    sheet.put("reasoning_in_content_ratio", verdict.reasoning_in_content_ratio)
    sheet.put("unusable_answers_ratio", verdict.unusable_ratio)
    for counts in verdict.questions:
        if counts.area in areas:
            states = {"tested": counts.tested, "pending": counts.pending, "unusable": counts.unusable}
            for state, number in states.items():
                sheet.put("questions", number, area=counts.area, state=state)
    for flips in verdict.flips:
        sheet.put("questions_flipped", len(flips.lost), versus=flips.versus, direction="lost")
        sheet.put("questions_flipped", len(flips.gained), versus=flips.versus, direction="gained")


def _put_accuracy(sheet: Sheet, accuracy: AreaAccuracy) -> None:
    area = accuracy.area
    sheet.put("accuracy_ratio", accuracy.accuracy_ratio, area=area)
    sheet.put("baseline_accuracy_ratio", accuracy.baseline_ratio, area=area)
    sheet.put("accuracy_change_ratio", accuracy.change_ratio, area=area, bound="estimate")
    sheet.put("accuracy_change_ratio", accuracy.change_lower_ratio, area=area, bound="lower")
    sheet.put("accuracy_change_ratio", accuracy.change_upper_ratio, area=area, bound="upper")


def _put_tests(sheet: Sheet, verdict: Verdict, areas: tuple[str, ...]) -> None:
    for result in verdict.tests:
        if result.area in areas:
            sheet.put("p_value", result.adjusted_p_value, test=result.test, area=result.area)
        if result.area == OVERALL:
            sheet.put("significance_threshold", result.threshold, test=result.test)
