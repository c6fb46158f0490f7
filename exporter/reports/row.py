"""A verdict as a row of a table: its figures over the whole set, for spreadsheets. Nothing in it was written by a provider."""

from __future__ import annotations

from exporter.records import OVERALL, AreaAccuracy, Flips, TestName, Verdict

Cell = str | int | float | None

_TESTS = (TestName.ACCURACY, TestName.TREND, TestName.TOKENS)


def as_row(verdict: Verdict) -> dict[str, Cell]:
    """Figures under the names that they have in JSON, or in metrics; times are Unix seconds, None is not known."""
    accuracy = verdict.overall
    tests = {result.test: result for result in verdict.tests if result.area == OVERALL}
    reference = next((flips for flips in verdict.flips if flips.versus == "reference"), None)
    return {
        "target": verdict.target,
        "check_id": verdict.check_id,
        "decided_at": verdict.decided_at,
        "kind": verdict.kind.value,
        "standing": verdict.standing.value,
        "reason": None if verdict.reason is None else verdict.reason.value,
        "confirmed": " ".join(state.signal for state in verdict.signals if state.confirmed),
        "conclusive": " ".join(state.signal for state in verdict.signals if state.conclusive),
        "protocol": verdict.protocol,
        "runs": verdict.runs,
        "questions_asked": verdict.questions_asked,
        **_accuracy(accuracy),
        **{f"{test}_p_value": tests[test].adjusted_p_value if test in tests else None for test in _TESTS},
        **{f"{test}_threshold": tests[test].threshold if test in tests else None for test in _TESTS},
        "token_shift_ratio": verdict.token_shift_ratio,
        "input_token_shift_ratio": verdict.input_token_shift_ratio,
        "refusal_ratio": verdict.refusal_ratio,
        "truncated_ratio": verdict.truncated_ratio,
        "reasoning_in_content_ratio": verdict.reasoning_in_content_ratio,
        "unusable_ratio": verdict.unusable_ratio,
        **_flips(reference),
        "measurement_errors": sum(number for _, number in verdict.measurement_errors),
        "failed_checks": verdict.failed_checks,
        "baseline_runs": verdict.baseline.runs,
        "spend_usd": verdict.spend_usd,
        "spend_tokens": verdict.spend_tokens,
    }


def _accuracy(accuracy: AreaAccuracy | None) -> dict[str, Cell]:
    names = ("accuracy_ratio", "baseline_ratio", "change_ratio", "change_lower_ratio", "change_upper_ratio")
    return {name: None if accuracy is None else getattr(accuracy, name) for name in names}


def _flips(flips: Flips | None) -> dict[str, Cell]:
    return {"lost": None if flips is None else len(flips.lost), "gained": None if flips is None else len(flips.gained)}
