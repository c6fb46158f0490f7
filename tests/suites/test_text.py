from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exporter.suites.text import LONGEST_FOLDED, answer_hash, canonical_json, clean, fenced_blocks, fold, trim


def test_clean_leaves_one_kind_of_line_end_and_no_lone_surrogate() -> None:
    assert clean("a\r\nb\rc\nd\udc80") == "a\nb\nc\nd?"


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("  A \t\n b ", "a b"),
        ("ＡＢＣ", "abc"),
        ("ｶﾞｷﾞ", "ガギ"),
        ("a‑b–c−d", "a-b-c-d"),
        ("“don’t”", '"don\'t"'),
        ("a\u200b\ufeffb", "ab"),
        ("ﬁ", "fi"),
    ],
)
def test_fold_forgives_what_is_not_seen(text: str, folded: str) -> None:
    assert fold(text) == folded


def test_fold_keeps_case_where_asked() -> None:
    assert fold("Ａb", keep_case=True) == "Ab"


def test_a_text_too_long_to_fold_stays_as_it_is() -> None:
    text = "\u0300\u0327" * (LONGEST_FOLDED // 2)
    assert fold(text + "A") == text + "A"


@pytest.mark.parametrize(
    ("text", "trimmed"), [("「はい」。", "はい"), ("(a).", "a"), (".5", ".5"), ("-5", "-5"), ("...", "..."), ("C#", "C#"), ("5%", "5%")]
)
def test_trim_takes_the_punctuation_around(text: str, trimmed: str) -> None:
    assert trim(text) == trimmed


@given(st.text())
def test_folding_twice_changes_no_hash(text: str) -> None:
    assert len(answer_hash(clean(text))) == 16
    assert answer_hash(text) == answer_hash(f"  {text}\n")


def test_canonical_json_is_one_text_for_equal_values() -> None:
    assert canonical_json({"b": [1, None], "a": "é"}) == '{"a":"é","b":[1,null]}'


def test_fences_of_either_kind_are_found_in_order() -> None:
    assert fenced_blocks("x\n```py\na\n```\n  ~~~\nb\n```\n  ~~~\n```\nc") == ["a", "b\n```", "c"]
    assert fenced_blocks("no fence") == []
