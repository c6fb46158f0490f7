"""Each verdict in words, as a person reads it."""

from __future__ import annotations

import json

import pytest

from exporter.records import (
    AreaAccuracy,
    BaselineState,
    Flips,
    Reason,
    ServedModel,
    Signal,
    SignalState,
    TestName,
    TestResult,
    Verdict,
    VerdictKind,
)
from exporter.reports import as_dict, describe, summarise
from exporter.reports.steps import NEXT_STEPS


def make_verdict(kind: VerdictKind, **fields: object) -> Verdict:
    values: dict[str, object] = {
        "target": "bot",
        "check_id": 9,
        "decided_at": 1_800_000_000.0,
        "kind": kind,
        "standing": kind,
        "protocol": "p1",
        "runs": 2,
        "questions_asked": 80,
        "signals": tuple(SignalState(signal) for signal in Signal),
        "baseline": BaselineState(runs=5, runs_required=5, frozen=False),
        "accuracy": (AreaAccuracy("overall", 0.82, 0.94, -0.12, -0.17, -0.07),),
        "spend_tokens": 12_000,
        "spend_usd": 0.0625,
        "estimate_usd": 0.05,
    }
    return Verdict(**{**values, **fields})  # type: ignore[arg-type]  # fields of Verdict by name


CONFIRMED = (SignalState(Signal.ACCURACY, confirmed=True, confirmed_checks=1),)
CONCLUSIVE = (SignalState(Signal.ACCURACY, confirmed=True, conclusive=True, confirmed_checks=2),)
TREND = (SignalState(Signal.TREND, confirmed=True, confirmed_checks=1),)

HEADLINES = [
    (make_verdict(VerdictKind.STABLE), "Stable: accuracy 82 % against 94 % in the baseline (-12.0 points)."),
    (
        make_verdict(VerdictKind.COLLECTING, baseline=BaselineState(runs=3, runs_required=5, frozen=False)),
        "Collecting the baseline: 3 of 5 runs.",
    ),
    (make_verdict(VerdictKind.BASELINE_READY), "The baseline is ready: 5 runs."),
    (
        make_verdict(VerdictKind.DRIFT, signals=CONFIRMED),
        "Drift: accuracy 82 % against 94 % in the baseline (-12.0 points), confirmed by two runs.",
    ),
    (
        make_verdict(VerdictKind.DRIFT, signals=CONCLUSIVE),
        "Drift: accuracy 82 % against 94 % in the baseline (-12.0 points), confirmed by 2 checks in a row and conclusive.",
    ),
    (
        make_verdict(VerdictKind.DRIFT, signals=CONFIRMED, accuracy=(AreaAccuracy("overall", 0.9, 0.92, -0.02, -0.1, 0.06, 0.94, 1.0),)),
        "Drift: accuracy 90 % against 92 % in the baseline (-2.0 points); wrong at every try 6 % against 0 %, confirmed by two runs.",
    ),
    (
        make_verdict(VerdictKind.DRIFT, signals=CONFIRMED, accuracy=(AreaAccuracy("overall", 0.82, 0.94, -0.12, -0.17, -0.07, 0.9, 1.0),)),
        "Drift: accuracy 82 % against 94 % in the baseline (-12.0 points), confirmed by two runs.",
    ),
    (
        make_verdict(VerdictKind.DRIFT, signals=TREND),
        "Drift: accuracy 82 % against 94 % in the baseline (-12.0 points), shown by the trend of many days.",
    ),
    (
        make_verdict(VerdictKind.SUSPECT),
        "Suspect: accuracy 82 % against 94 % in the baseline (-12.0 points) in one run; there is no second run to confirm it.",
    ),
    (
        make_verdict(
            VerdictKind.SUSPECT,
            token_shift_ratio=4.0,
            tests=(TestResult(TestName.TOKENS, "overall", 1e-9, 1e-9, 0.01, passed=True),),
        ),
        (
            "Suspect: accuracy 82 % against 94 % in the baseline (-12.0 points), answers 300 % longer, in one run; "
            "there is no second run to confirm it."
        ),
    ),
    (
        make_verdict(VerdictKind.UNCONFIRMED),
        (
            "Unconfirmed: the first run was worse, the second did not agree; over both "
            "accuracy 82 % against 94 % in the baseline (-12.0 points)."
        ),
    ),
    (make_verdict(VerdictKind.IMPROVED), "Improved: accuracy 82 % against 94 % in the baseline (-12.0 points) in one run."),
    (
        make_verdict(VerdictKind.TOKEN_SHIFT, token_shift_ratio=0.5),
        "Answers are 50 % shorter than in the baseline, confirmed by two runs.",
    ),
    (
        make_verdict(VerdictKind.MODEL_CHANGED, served=(ServedModel("gpt-6", None, 1.0, in_baseline=False),)),
        "Another model answers: gpt-6, which the baseline never saw.",
    ),
    (
        make_verdict(VerdictKind.MEASUREMENT_FAILED, reason=Reason.AUTH, reason_message="401: the key is not accepted."),
        "Could not measure (auth): 401: the key is not accepted.",
    ),
]


@pytest.mark.parametrize(("verdict", "headline"), HEADLINES, ids=[headline[:24] for _, headline in HEADLINES])
def test_each_verdict_has_its_sentence(verdict: Verdict, headline: str) -> None:
    assert summarise(verdict) == headline


def test_a_held_signal_is_told_before_the_check_itself() -> None:
    verdict = make_verdict(VerdictKind.STABLE, standing=VerdictKind.DRIFT, signals=CONFIRMED)
    assert summarise(verdict) == "drift stands (accuracy). This check: Stable: accuracy 82 % against 94 % in the baseline (-12.0 points)."
    assert describe(verdict).next_step == NEXT_STEPS[VerdictKind.DRIFT]


def test_the_details_tell_areas_tests_questions_models_and_spend() -> None:
    verdict = make_verdict(
        VerdictKind.DRIFT,
        signals=CONFIRMED,
        tests=(TestResult(TestName.ACCURACY, "overall", 0.00012, 0.0002, 0.004, passed=True),),
        flips=(Flips("reference", ("date-1", "kana-2"), ()),),
        served=(ServedModel("gpt-5.5", None, 1.0, in_baseline=True),),
        measurement_errors=((Reason.TIMEOUT, 2),),
    )
    assert describe(verdict).details == (
        "overall: accuracy 82 %, baseline 94 %, change -12.0 points (95 %: -17.0 to -7.0)",
        "accuracy: p = 0.0002, at or below the threshold 0.004",
        "lost against the reference run: date-1, kana-2",
        "served by gpt-5.5 100 %",
        "without a mark: 2 timeout",
        "asked 80 times in 2 runs, 12000 tokens, $0.0625 (estimate $0.0500)",
    )


def test_a_ready_baseline_lists_the_questions_right_only_some_of_the_time() -> None:
    baseline = BaselineState(runs=5, runs_required=5, frozen=False, sometimes=("kana-2", "date-1"))
    verdict = make_verdict(VerdictKind.BASELINE_READY, baseline=baseline)
    assert "right only some of the time (they tell most): kana-2, date-1" in describe(verdict).details


def test_a_failed_measurement_says_that_it_is_not_drift_and_what_to_mend() -> None:
    verdict = make_verdict(VerdictKind.MEASUREMENT_FAILED, reason=Reason.AUTH)
    assert describe(verdict).next_step == ("The model was not measured. This is not drift. To do: check api_key_file or api_key_env.")


def test_every_verdict_has_a_next_step() -> None:
    assert set(NEXT_STEPS) == set(VerdictKind)


def test_the_document_is_json_and_bears_words_and_figures() -> None:
    document = json.loads(json.dumps(as_dict(make_verdict(VerdictKind.DRIFT, signals=CONFIRMED))))
    assert (document["kind"], document["standing"], document["signals"][0]["signal"]) == ("drift", "drift", "accuracy")
    assert document["accuracy"][0]["baseline_ratio"] == 0.94
    assert document["headline"].startswith("Drift: ")
