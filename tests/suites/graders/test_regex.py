from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from exporter.suites.graders.regex import Regex


def make(**settings: Any) -> Regex:
    return Regex.model_validate({"kind": "regex", **settings})


def test_every_pattern_must_match() -> None:
    grader = make(patterns=["^a", "z$"])
    assert [grader.accepts(text) for text in ("a to z", "a to y", "b to z")] == [True, False, False]


def test_no_forbidden_pattern_may_match() -> None:
    grader = make(patterns=["a"], forbid=["b", "c"])
    assert [grader.accepts(text) for text in ("aa", "ab", "ac", "d")] == [True, False, False, False]


def test_forbid_alone_is_enough() -> None:
    assert make(forbid=["(?i)e"]).accepts("slow boats")
    assert not make(forbid=["(?i)e"]).accepts("slow BOATER E")


def test_flags_and_scripts_are_re2s() -> None:
    assert make(patterns=[r"(?m)^\p{Han}+$"]).accepts("かな\n漢字\nかな")


def test_a_pattern_that_would_backtrack_for_ever_ends() -> None:
    assert not make(patterns=["^(a+)+$"]).accepts("a" * 100_000 + "b")


@pytest.mark.parametrize(
    ("pattern", "said"),
    [
        ("a(", r"does not compile: missing \): a\("),
        ("(?=a)", "does not compile: invalid perl operator"),
        (r"(a)\1", "does not compile: invalid escape sequence"),
        ("[z-a]", "does not compile: invalid character class range"),
        ("(a{1000}){1000}", "does not compile: invalid repetition size"),
        ("\ud800", "unable to parse raw data as a unicode string"),
    ],
)
@pytest.mark.parametrize("key", ["patterns", "forbid"])
def test_a_pattern_that_does_not_compile_is_refused(key: str, pattern: str, said: str, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ValidationError, match=said):
        make(**{key: [pattern]})
    assert capfd.readouterr() == ("", "")


def test_a_grader_with_no_pattern_is_refused() -> None:
    with pytest.raises(ValidationError, match="has no pattern; add patterns, forbid, or both"):
        make()
