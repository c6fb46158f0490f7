from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exporter.providers.masking import find_secrets, mask, one_line


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("no secret here", "no secret here"),
        ("key topsecret!", "key <secret>!"),
        ("topsecrettopsecret", "<secret><secret>"),
        ("a%20secret%2Fword", "<secret>"),
        ("dG9wc2VjcmV0", "<secret>"),
        ("Bearer abcdefgh", "<secret>"),
        ("bearer of news", "bearer of news"),
        ("sk-ant-api03-Abc_def-123", "<secret>"),
        ("key sk-proj-****wxyz.", "key <secret>"),
        ("risk-taking", "risk-taking"),
        ("key-value pairs", "key-value pairs"),
        ("gsk_abcdef123", "<secret>"),
        ("AIzaSyA1234567", "<secret>"),
        ("tiny", "tiny"),
    ],
)
def test_secrets_are_masked_and_words_are_not(text: str, masked: str) -> None:
    assert mask(text, ["topsecret", "a secret/word", "tiny"]) == masked


def test_a_bearer_header_is_masked_with_and_without_its_scheme() -> None:
    assert mask("got my-token-1", ["Bearer my-token-1"]) == "got <secret>"


def test_the_secrets_of_a_request_are_its_key_its_secret_headers_and_what_its_url_hides() -> None:
    headers = {"X-Api-Key": "one-key", "Authorization": "two-key", "X-Team": "support"}
    found = find_secrets("the-key", headers, "https://user:pass-word@host/v1?sig=three-key")
    assert found == ("the-key", "one-key", "two-key", "user", "pass-word", "three-key")
    assert find_secrets(None, {}, "https://host/v1") == ()


@pytest.mark.parametrize(
    ("text", "line"),
    [("a\nb\t c\x00d", "a b c d"), ("  a  ", "a"), ("", ""), ("x" * 300, "x" * 255 + "…"), ("x" * 256, "x" * 256)],
)
def test_a_message_is_one_line_of_at_most_256_characters(text: str, line: str) -> None:
    assert one_line(text) == line


@given(st.text(), st.text(alphabet="abc123", min_size=6), st.text())
def test_a_secret_is_never_left_over(before: str, secret: str, after: str) -> None:
    assert secret not in one_line(mask(f"{before} {secret} {after}", [secret]))
