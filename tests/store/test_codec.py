from __future__ import annotations

import json
from dataclasses import fields
from typing import Any, get_type_hints

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exporter.records import (
    AreaAccuracy,
    BaselineState,
    Flips,
    QuestionCounts,
    Reason,
    ServedModel,
    Signal,
    SignalState,
    TestName,
    TestResult,
    Verdict,
    VerdictKind,
)
from exporter.store.codec import UnreadableError, decode_verdict, encode_verdict
from tests.store.facts import NOW, a_verdict

EVERY_FIELD = a_verdict(
    VerdictKind.DRIFT,
    signals=(SignalState(Signal.ACCURACY, confirmed=True, since_at=NOW), SignalState(Signal.TREND)),
    baseline=BaselineState(5, 5, True, run_ids=(1, 2), started_at=NOW, sometimes=("q1",), overdispersion_p_value=0.5, note="pinned"),
    tests=(TestResult(TestName.ACCURACY, "overall", 0.001, 0.002, 0.004, True),),
    accuracy=(AreaAccuracy("japanese", 0.9, None, None, -0.1, 0.1),),
    questions=(QuestionCounts("japanese", 10, 1, 0),),
    flips=(Flips("previous", ("q1", "漢字"), ()),),
    served=(ServedModel("gpt-5.5", None, 1.0, True),),
    token_shift_ratio=1.1,
    measurement_errors=((Reason.AUTH, 3), (Reason.TIMEOUT, 1)),
    reason=Reason.BUDGET,
    reason_message="over the cap",
    failed_checks=2,
    spend_usd=0.25,
    estimate_tokens=100,
    notes=("a", "b"),
)


def decode(record: str, **changes: Any) -> Verdict:
    columns = {"target": "bot", "check_id": 1, "decided_at": NOW, "kind": "drift", **changes}
    return decode_verdict(record, **columns)


def edited(**changes: Any) -> str:
    return json.dumps({**json.loads(encode_verdict(EVERY_FIELD)), **changes})


def test_a_verdict_comes_back_as_it_was_said() -> None:
    assert decode(encode_verdict(EVERY_FIELD)) == EVERY_FIELD


@settings(max_examples=50)
@given(st.from_type(Verdict).filter(lambda verdict: _is_finite(verdict)))
def test_any_verdict_comes_back(verdict: Verdict) -> None:
    record = encode_verdict(verdict)
    assert (
        decode(record, target=verdict.target, check_id=verdict.check_id, decided_at=verdict.decided_at, kind=verdict.kind.value) == verdict
    )


def test_the_columns_win_over_the_record() -> None:
    """A target that was renamed keeps what was said of it."""
    assert decode(encode_verdict(EVERY_FIELD), target="support").target == "support"


def test_a_record_with_nothing_in_it_has_every_default() -> None:
    assert decode("{}") == Verdict(
        target="bot",
        check_id=1,
        decided_at=NOW,
        kind=VerdictKind.DRIFT,
        standing=VerdictKind.DRIFT,
        protocol="",
        runs=0,
        questions_asked=0,
        signals=(),
        baseline=BaselineState(0, 0, False),
    )


@pytest.mark.parametrize("name", [field.name for field in fields(Verdict)])
def test_any_one_field_may_be_missing(name: str) -> None:
    record = json.loads(edited())
    del record[name]
    read = decode(json.dumps(record))
    assert [field.name for field in fields(Verdict) if getattr(read, field.name) != getattr(EVERY_FIELD, field.name)] in ([name], [])


@pytest.mark.parametrize(
    ("change", "name", "value"),
    [
        ({"new_figure": {"deep": [1]}}, "notes", ("a", "b")),
        ({"signals": [{"signal": "mood"}, {"signal": "trend", "mood": 1}]}, "signals", (SignalState(Signal.TREND),)),
        ({"tests": [{"test": "accuracy"}]}, "tests", (TestResult(TestName.ACCURACY, "", 0.0, 0.0, 0.0, False),)),
        ({"accuracy": [{"area": "x", "accuracy_ratio": 1}]}, "accuracy", (AreaAccuracy("x", 1.0, None, None, None, None),)),
        ({"measurement_errors": [["gremlins", 2], ["auth", 3], ["auth"], 4]}, "measurement_errors", ((Reason.AUTH, 3),)),
        ({"reason": "gremlins"}, "reason", None),
        ({"token_shift_ratio": "much"}, "token_shift_ratio", None),
        ({"token_shift_ratio": 2}, "token_shift_ratio", 2.0),
        ({"notes": ["a", 1, "c"]}, "notes", ("a", "c")),
        ({"notes": "a"}, "notes", ()),
        ({"baseline": {"runs": 3, "note": 5}}, "baseline", BaselineState(3, 0, False)),
    ],
)
def test_what_another_version_wrote_is_read_as_far_as_it_goes(change: dict[str, Any], name: str, value: Any) -> None:
    assert getattr(decode(edited(**change)), name) == value


@pytest.mark.parametrize(
    ("record", "kind", "message"),
    [
        ("{", "drift", "not JSON"),
        ("[]", "drift", "not an object"),
        ('{"standing": "gloom"}', "drift", "'gloom' is not a VerdictKind"),
        ("{}", "doom", "'doom' is not a VerdictKind"),
        ('{"runs": true}', "drift", "True is not a int"),
        ('{"signals": 3}', "drift", "not a list"),
        ('{"baseline": 3}', "drift", "not an object"),
    ],
)
def test_what_makes_no_sense_is_said_to_make_none(record: str, kind: str, message: str) -> None:
    with pytest.raises(UnreadableError, match=message):
        decode(record, kind=kind)


def test_an_unknown_is_never_written_as_nan() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        encode_verdict(a_verdict(token_shift_ratio=float("nan")))


def test_every_field_of_a_verdict_is_of_a_kind_the_codec_knows() -> None:
    assert set(get_type_hints(Verdict)) == set(json.loads(encode_verdict(EVERY_FIELD)))


def _is_finite(verdict: Verdict) -> bool:
    try:
        encode_verdict(verdict).encode()
    except (ValueError, UnicodeEncodeError):
        return False
    return True
