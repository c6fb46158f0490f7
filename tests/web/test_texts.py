from __future__ import annotations

import pytest

from exporter.web.texts import apart, brief, count, dollars, iso, moment, p_value, part, percent, points, span, visible


@pytest.mark.parametrize(
    ("at", "text"),
    [(0.0, "1970-01-01 00:00 UTC"), (1_800_000_000.9, "2027-01-15 08:00 UTC"), (None, "—"), (1e30, "—"), (float("nan"), "—")],
)
def test_a_moment_is_in_utc(at: float | None, text: str) -> None:
    assert moment(at) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.2, "0 s"), (59.4, "59 s"), (59.6, "1 min 0 s"), (61.5, "1 min 2 s"), (3599.9, "1 h 0 min"), (90_000, "25 h 0 min"), (None, "—")],
)
def test_a_span_is_in_its_two_largest_units(seconds: float | None, text: str) -> None:
    assert span(seconds) == text


def test_shares_and_changes() -> None:
    assert [percent(0.9375), percent(1.0), percent(None)] == ["93.8 %", "100.0 %", "—"]
    assert [points(-0.25), points(0.0), points(0.031), points(None)] == ["-25.0", "+0.0", "+3.1", "—"]
    assert [p_value(0.00025), p_value(1.0), p_value(None)] == ["0.00025", "1", "—"]


def test_money_and_counts() -> None:
    assert [dollars(0.0), dollars(0.00001), dollars(0.0123), dollars(0.5)] == ["$0.00", "<$0.0001", "$0.0123", "$0.50"]
    assert [dollars(1234.5), dollars(1.23456), dollars(None)] == ["$1,234.50", "$1.23", "—"]
    assert [count(0), count(1234567), count(None)] == ["0", "1,234,567", "—"]


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.0, "now"),
        (-0.9, "now"),
        (-12.0, "12 s ago"),
        (-61.0, "1 min ago"),
        (-3599.0, "59 min ago"),
        (7200.0, "in 2 h"),
        (-86_400.0, "1 day ago"),
        (200_000.0, "in 2 days"),
    ],
)
def test_how_long_ago_is_in_the_largest_unit(seconds: float, text: str) -> None:
    assert apart(1_800_000_000.0 + seconds, 1_800_000_000.0) == text


def test_how_long_ago_is_nothing_where_a_time_is_not_known() -> None:
    assert [apart(None, 1.0), apart(1.0, None), apart(float("nan"), 1.0)] == ["", "", ""]


def test_a_moment_for_machines() -> None:
    assert [iso(1_800_000_000.0), iso(None), iso(1e30)] == ["2027-01-15T08:00Z", "", ""]


def test_how_much_of_a_cap_is_used() -> None:
    assert [part(1.0, 4.0), part(9.0, 4.0), part(1, None), part(None, 4), part(1, 0)] == [25.0, 100.0, None, None, None]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("gpt\u202e5.5", r"gpt\u202e5.5"),
        ("a\x00b\x1b[31m\x7f", r"a\u0000b\u001b[31m\u007f"),
        ("half \ud83d", r"half \ud83d"),
        ("zero\u200bwidth\ufeff", r"zero\u200bwidth\ufeff"),
        ("日本語 🤖 👩\u200d💻 עברית\n\tend", "日本語 🤖 👩\u200d💻 עברית\n\tend"),
    ],
)
def test_what_cannot_be_seen_is_written_as_its_code(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_a_long_text_is_cut_and_says_so() -> None:
    assert [brief("abc", 3), brief("abcd", 3)] == ["abc", "ab…"]
