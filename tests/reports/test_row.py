from __future__ import annotations

from dataclasses import replace

from exporter.reports import as_dict, as_row
from tests.metrics.snapshots import drifted, failed


def test_a_verdict_as_a_row() -> None:
    verdict = drifted().verdict
    assert verdict is not None
    assert as_row(verdict) == {
        "target": "support-bot",
        "check_id": 31,
        "decided_at": 1_799_999_400.0,
        "kind": "drift",
        "standing": "drift",
        "reason": None,
        "confirmed": "accuracy trend",
        "conclusive": "accuracy",
        "protocol": "a1b2c3d4",
        "runs": 2,
        "questions_asked": 61,
        "accuracy_ratio": 0.75,
        "baseline_ratio": 0.9375,
        "change_ratio": -0.1875,
        "change_lower_ratio": -0.28,
        "change_upper_ratio": -0.095,
        "accuracy_p_value": 0.00025,
        "trend_p_value": 0.0006,
        "tokens_p_value": 0.31,
        "accuracy_threshold": 0.004,
        "trend_threshold": 0.001,
        "tokens_threshold": 0.01,
        "token_shift_ratio": 1.03,
        "input_token_shift_ratio": 1.0,
        "refusal_ratio": 0.0,
        "truncated_ratio": 0.03125,
        "reasoning_in_content_ratio": 0.0,
        "unusable_ratio": 0.03125,
        "lost": 2,
        "gained": 0,
        "measurement_errors": 0,
        "failed_checks": 0,
        "baseline_runs": 15,
        "spend_usd": None,
        "spend_tokens": 0,
    }


def test_what_is_not_known_is_none_and_every_row_has_the_same_columns() -> None:
    known, unknown = drifted().verdict, failed().verdict
    assert known is not None
    assert unknown is not None
    row = as_row(unknown)
    assert list(row) == list(as_row(known))
    assert (row["reason"], row["accuracy_ratio"], row["accuracy_p_value"], row["lost"]) == ("auth", None, None, None)


def test_what_has_the_name_of_a_field_is_that_field() -> None:
    verdict = drifted().verdict
    assert verdict is not None
    document = as_dict(verdict)
    row = {name: value for name, value in as_row(verdict).items() if name in document}
    assert row.pop("measurement_errors") == sum(number for _, number in verdict.measurement_errors)
    assert row == {name: document[name] for name in row}


def test_no_word_of_a_provider_gets_into_a_row() -> None:
    verdict = drifted().verdict
    assert verdict is not None
    hostile = replace(verdict, reason_message="=cmd()", served=tuple(replace(one, identity="=cmd()") for one in verdict.served))
    assert "=cmd()" not in as_row(hostile).values()
