from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exporter.probing.tokens import expected_tokens, most_tokens


@pytest.mark.parametrize(
    ("text", "expected", "most"),
    [
        ("", 0, 0),
        ("word", 1, 4),
        ("words", 2, 5),
        ("What is 17 * 23?", 4, 16),
        ("café", 1, 5),
        ("日本語", 3, 9),
        ("答え: 42", 3, 10),
        ("\ud800", 1, 3),
    ],
)
def test_japanese_counts_more_a_character_than_english(text: str, expected: int, most: int) -> None:
    assert expected_tokens(text) == expected
    assert most_tokens(text) == most


@given(st.text(st.characters()))
def test_more_than_expected_is_possible_and_never_less_than_a_byte_each(text: str) -> None:
    assert expected_tokens(text) <= most_tokens(text)
