from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from exporter.suites.graders.exact import Exact


def accepts(expected: str, answer: str, **settings: Any) -> bool:
    return Exact.model_validate({"kind": "exact", "answers": ["something else", expected], **settings}).accepts(answer)


@pytest.mark.parametrize(
    ("expected", "answer"),
    [
        ("no", "No."),
        ("no", " NO! "),
        ("no", "“no”"),
        ("no", "`no`"),
        ("no", "ＮＯ"),
        ("no", "n\u200bo"),
        ("New York", "new\u00a0 york"),
        ("don't", "don’t"),
        ("well-known", "well‑known"),
        ("café", "cafe\u0301"),
        ("金曜日", "「金曜日」。"),
        ("ガ", "ｶﾞ"),
        ("straße", "STRASSE"),
        ("!", "!"),
        ("C++", "c++"),
    ],
)
def test_forgives_what_a_reader_would_not_see_as_a_difference(expected: str, answer: str) -> None:
    assert accepts(expected, answer)


@pytest.mark.parametrize(
    ("expected", "answer"),
    [
        ("no", ""),
        ("no", "no no"),
        ("no", "yes"),
        ("no", "no, or yes"),
        ("-5", "5"),
        ("C#", "C"),
        ("50%", "50"),
        (".5", "5"),
        ("!", "?"),
        ("かな", "カナ"),
    ],
)
def test_keeps_what_makes_an_answer_another_one(expected: str, answer: str) -> None:
    assert not accepts(expected, answer)


def test_case_counts_where_it_is_said_to() -> None:
    assert accepts("iPhone", "iPhone.", case_sensitive=True)
    assert not accepts("iPhone", "iphone.", case_sensitive=True)


@pytest.mark.parametrize(("answer", "right"), [("a-B", True), ("  a-B\n", True), ("a-b", False), ("a-B.", False), ("a‑B", False)])
def test_strict_forgives_nothing_but_white_space_around(answer: str, right: bool) -> None:
    assert accepts("a-B", answer, strict=True) == right


@pytest.mark.parametrize("answers", [[], [""], [" "], [5], "no"])
def test_answers_must_be_texts_that_can_be_seen(answers: object) -> None:
    with pytest.raises(ValidationError):
        Exact.model_validate({"kind": "exact", "answers": answers})
