from __future__ import annotations

import base64
import html
import json
from collections.abc import Callable
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exporter.providers.masking import find_secrets, mask, mask_name, one_line

PROMPT = 'Two trains leave the station at noon.\nWhich one is "late"? Say why in one line of at most nine words.'


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("no secret here", "no secret here"),
        ("key topsecret!", "key <secret>!"),
        ("topsecrettopsecret", "<secret>"),
        ("a%20secret%2Fword", "<secret>"),
        ("a+secret%2fword", "<secret>"),
        (r"a secret\/word", "<secret>"),
        ("dG9wc2VjcmV0", "<secret>"),
        ("a secret/w…", "<secret>…"),
        ("a secret", "a secret"),
        ("tops", "tops"),
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


def test_what_a_basic_header_packs_is_a_secret_too() -> None:
    assert mask("hunter2hunter2 of somebody", [f"Basic {base64.b64encode(b'somebody:hunter2hunter2').decode()}"]) == "<secret> of <secret>"


@pytest.mark.parametrize("user", ["", "u", "us", "use"])
def test_a_password_is_found_in_the_base64_of_user_and_password(user: str) -> None:
    packed = base64.b64encode(f"{user}:p?~>ssword-1234567:x".encode()).decode()
    for text in (packed, packed.replace("+", "-").replace("/", "_")):
        masked = mask(f"Authorization {text}", ["p?~>ssword-1234567"])
        before, _, after = masked.removeprefix("Authorization ").partition("<secret>")
        assert len(before) <= len(user) * 4 // 3 + 3
        assert len(after) <= 6


def test_the_secrets_of_a_request_are_its_key_its_secret_headers_and_fields_and_what_its_url_hides() -> None:
    headers = {"X-Api-Key": "one-key", "Authorization": "two-key", "X-Team": "support", "X-Upstream": "Bearer abc"}
    extras = {"user": "me", "auth": {"deep": ["four-key", 5]}, "list": [{"token": "five-key", "max_tokens": 5}]}
    found = find_secrets("the-key", headers, extras, "https://user:pass%40word@host/v1?sig=three-key&api-version=2024-10-21")
    assert found == ("the-key", "one-key", "two-key", "Bearer abc", "four-key", "five-key", "user", "pass@word", "three-key")
    assert find_secrets(None, {}, {}, "https://host/v1") == ()


def test_a_prompt_is_masked_whole_and_in_long_pieces_and_its_words_are_not() -> None:
    escaped = json.dumps(json.dumps(PROMPT)[1:-1])
    assert mask(f"bad input: {PROMPT}!", [], [PROMPT]) == "bad input: <secret>!"
    assert mask(f"bad input: {json.dumps(PROMPT)}", [], [PROMPT]) == 'bad input: "<secret>"'
    assert mask(f"near {PROMPT[20:60]}", [], [PROMPT]) == "near <secret>"
    assert "in one line of at most nine words" not in mask(escaped, [], [PROMPT])
    assert mask("the station is late", [], [PROMPT]) == "the station is late"


def test_a_name_loses_what_is_known_and_keeps_what_only_looks_like_a_key() -> None:
    assert mask_name("model-topsecret-1", ["topsecret"]) == "model-<secret>-1"
    assert mask_name("xai-grok-4", ["topsecret"]) == "xai-grok-4"
    assert mask_name(None, ["topsecret"]) is None


def test_a_name_is_searched_for_the_secrets_of_its_own_request() -> None:
    assert mask_name("model-topsecret-1", ["other-key-1"]) == "model-topsecret-1"
    assert mask_name("model-topsecret-1", ["topsecret"]) == "model-<secret>-1"
    assert mask_name("model-topsecret-1", [], ["model-topsecret"]) == "<secret>-1"
    assert mask_name("model-topsecret-1", [], ["", " \n"]) == "model-topsecret-1"


def test_a_name_that_holds_a_piece_of_the_prompt_loses_it() -> None:
    assert mask_name(f"model {PROMPT[:90]}", [], [PROMPT]) == "model <secret>"
    assert mask_name("the trains of noon leave", [], [PROMPT]) == "the trains of noon leave"


@pytest.mark.parametrize(
    ("text", "line"),
    [("a\nb\t c\x00d", "a b c d"), ("  a  ", "a"), ("", ""), ("x" * 300, "x" * 255 + "…"), ("x" * 256, "x" * 256)],
)
def test_a_message_is_one_line_of_at_most_256_characters(text: str, line: str) -> None:
    assert one_line(text) == line


@given(st.text(), st.text(alphabet="abc123", min_size=6), st.text())
def test_a_secret_is_never_left_over(before: str, secret: str, after: str) -> None:
    assert secret not in one_line(mask(f"{before} {secret} {after}", [secret]))


WAYS = [
    str,
    quote,
    quote_plus,
    html.escape,
    lambda secret: quote(secret, safe=""),
    lambda secret: json.dumps(secret)[1:-1],
    lambda secret: json.dumps(json.dumps(secret)[1:-1])[1:-1],
    lambda secret: base64.b64encode(secret.encode()).decode(),
]


@given(st.text(alphabet=st.characters(min_codepoint=32, max_codepoint=126), min_size=12), st.sampled_from(WAYS), st.integers(0, 300))
def test_however_it_is_written_and_wherever_it_is_cut_no_long_piece_is_left(secret: str, way: Callable[[str], str], before: int) -> None:
    secret = f"Q{secret.strip()}Q"
    line = one_line(mask(f"{'x' * before} {way(secret)}", [secret]))
    assert not [piece for piece in (way(secret)[start : start + 12] for start in range(len(way(secret)) - 11)) if piece in line]
