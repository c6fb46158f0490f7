from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exporter.config.durations import format_duration, parse_duration


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("90s", 90.0),
        ("1h30m", 5400.0),
        ("250ms", 0.25),
        ("1.5h", 5400.0),
        ("2d", 172_800.0),
        ("1w", 604_800.0),
        ("0s", 0.0),
        ("0", 0.0),
        (0, 0.0),
    ],
)
def test_durations_are_read_as_seconds(text: object, seconds: float) -> None:
    assert parse_duration(text) == seconds


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (90, "90"),
        (1.5, "1.5"),
        (False, "false"),
        (None, "nothing"),
        ("", "''"),
        ("90", "'90'"),
        ("90 s", "'90 s'"),
        ("-1h", "'-1h'"),
        ("1h ", "'1h '"),
        ("1h\n", r"'1h\n'"),
        ("1H", "'1H'"),
        ("1µs", "'1µs'"),
        ("\u0661h", "'\u0661h'"),
        ([], "a list"),
    ],
)
def test_anything_else_is_no_duration(value: object, shown: str) -> None:
    with pytest.raises(ValueError, match="is not a duration") as caught:
        parse_duration(value)
    assert str(caught.value) == f"{shown} is not a duration; write a number with its unit, such as 90s, 15m or 1h30m"


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.0, "0s"),
        (-1.0, "0s"),
        (0.0004, "0s"),
        (0.25, "250ms"),
        (1.001, "1s1ms"),
        (90.0, "1m30s"),
        (172_800.0, "48h"),
        (3661.5, "1h1m1s500ms"),
    ],
)
def test_durations_are_written_as_go_does(seconds: float, text: str) -> None:
    assert format_duration(seconds) == text


@given(st.integers(min_value=0, max_value=10**12))
def test_a_written_duration_reads_back_to_the_millisecond(milliseconds: int) -> None:
    assert round(parse_duration(format_duration(milliseconds / 1000)) * 1000) == milliseconds
