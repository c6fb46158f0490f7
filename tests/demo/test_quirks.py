"""What providers really send, as the mock plays it: shape by shape the faults, or the settings of a model, that stand for it."""

from __future__ import annotations

from dataclasses import fields

import pytest

from exporter.demo.behaviour import Behaviour
from exporter.demo.faults import FAULTS
from exporter.demo.faults.registry import ALL, AZURE, CHAT, GEMINI, MESSAGES, MISTRAL, OLLAMA, RESPONSES
from exporter.records import Reason

UNSUPPORTED, FILTER, EMPTY, BAD = Reason.UNSUPPORTED_PARAMETER, Reason.CONTENT_FILTER, Reason.EMPTY_RESPONSE, Reason.BAD_RESPONSE
QUIRKS: list[tuple[str, str, Reason | None, str]] = [
    ("a sampling parameter is refused by name", MESSAGES, UNSUPPORTED, "unsupported_parameter"),
    ("unsupported_value with the parameter", CHAT, UNSUPPORTED, "unsupported_parameter"),
    ("the same from a reseller with status 500", CHAT, UNSUPPORTED, "unsupported_parameter_as_500"),
    ("a field that is not known, with status 422", MISTRAL, UNSUPPORTED, "unsupported_parameter"),
    ("max_tokens where max_completion_tokens is wanted", CHAT, UNSUPPORTED, "unsupported_max_tokens"),
    ("max_tokens where max_completion_tokens is wanted, at Azure", AZURE, UNSUPPORTED, "unsupported_max_tokens"),
    ("length, no content, all tokens reasoned away", CHAT, Reason.TRUNCATED, "truncated"),
    ("could not finish", CHAT, Reason.TRUNCATED, "could_not_finish"),
    ("MAX_TOKENS and a content without parts", GEMINI, Reason.TRUNCATED, "truncated"),
    ("blockReason and no candidates", GEMINI, FILTER, "prompt_blocked"),
    ("choices is empty", CHAT, EMPTY, "no_choices"),
    ("choices is missing", CHAT, EMPTY, "choices_missing"),
    ("message is missing", CHAT, EMPTY, "no_message"),
    ("200 with an error that has a numeric code", CHAT, Reason.RATE_LIMITED, "error_in_200"),
    ("finish reason error with an error in the choice", CHAT, Reason.SERVER_ERROR, "error_in_choice"),
    ("529 without Retry-After", MESSAGES, Reason.OVERLOADED, "overloaded"),
    ("Retry-After in seconds, as a fraction, as a date, or unreadable", CHAT, Reason.RATE_LIMITED, "rate_limited"),
    ("429 insufficient_quota", CHAT, Reason.QUOTA, "quota"),
    ("429 whose error is a plain string", CHAT, Reason.RATE_LIMITED, "rate_limited_as_string"),
    ("a thinking block before the text", MESSAGES, None, "thinking_first"),
    ("thinking as a part of the content", MISTRAL, None, "thinking_first"),
    ("stop reason refusal and no content", MESSAGES, Reason.REFUSAL, "refusal"),
    ("a refusal in a field of its own", CHAT, Reason.REFUSAL, "refusal"),
    ("a refusal in a part of its own", RESPONSES, Reason.REFUSAL, "refusal"),
    ("200, content_filter, no content", AZURE, FILTER, "content_filter"),
    ("400 content_filter with an inner error", AZURE, FILTER, "content_filter_as_400"),
    ("another fingerprint with every response", CHAT, None, "many_fingerprints"),
    ("a reasoning block inside the content", CHAT, None, "reasoning_in_content"),
    ("only its closing tag", CHAT, None, "reasoning_half_in_content"),
    ("reasoning_content is null", CHAT, None, "null_fields"),
    ("reasoning instead of an answer", OLLAMA, EMPTY, "only_reasoning"),
    ("reasoning_content instead of an answer", CHAT, EMPTY, "only_reasoning"),
    ("the prompt is cut without a word", OLLAMA, None, "prompt_cut"),
    ("400: streams only", CHAT, UNSUPPORTED, "stream_required"),
    ("200 with nothing: streams only", CHAT, EMPTY, "empty_body"),
    ("reasoning outside of the counts of the answer", CHAT, None, "reasoning_outside_usage"),
    ("thoughts outside of the counts of the answer", GEMINI, None, "reasoning_outside_usage"),
    ("400 for a key that is not known", GEMINI, Reason.AUTH, "unknown_key_as_400"),
    *(
        (shape, api, reason, fault)
        for api in sorted(ALL)
        for shape, reason, fault in (
            ("404 for a retired model", Reason.MODEL_NOT_FOUND, "model_not_found"),
            ("401", Reason.AUTH, "auth"),
            ("403", Reason.AUTH, "forbidden"),
            ("402", Reason.QUOTA, "payment_required"),
            ("408", Reason.TIMEOUT, "timeout_408"),
            ("409", Reason.SERVER_ERROR, "conflict_409"),
            ("425", Reason.SERVER_ERROR, "too_early_425"),
            ("413", Reason.BAD_REQUEST, "too_large"),
            ("the connection is reset", Reason.NETWORK, "reset"),
            ("the connection is half closed", Reason.NETWORK, "half_closed"),
            ("the connection is closed in the middle", Reason.NETWORK, "close_early"),
            ("a proxy's 502 page", Reason.SERVER_ERROR, "html_502"),
            ("a body larger than anybody reads", BAD, "huge_body"),
            ("one byte a second", Reason.TIMEOUT, "slow_drip"),
            ("nothing at all", Reason.TIMEOUT, "silence"),
            ("new fields", None, "unknown_fields"),
            ("null where something was", None, "null_fields"),
            ("another type than documented", None, "odd_types"),
            ("JSON that is cut off", BAD, "cut_off_json"),
            ("a page", BAD, "html_200"),
            ("an empty body", EMPTY, "empty_body"),
            ("another content type", None, "wrong_content_type"),
            ("a stream that stops", BAD, "stream_cut"),
            ("a stream that carries an error", Reason.OVERLOADED, "stream_error"),
            ("a redirect to another host", Reason.BAD_REQUEST, "redirect"),
            ("bytes that are no UTF-8", BAD, "invalid_utf8"),
            ("the same id twice", None, "duplicate_ids"),
            ("a word for the end that nobody knows", Reason.UNKNOWN_STOP, "unknown_stop"),
        )
    ),
    *(("a list of parts where a text is usual", api, None, "text_as_list") for api in (CHAT, AZURE, MISTRAL)),
]
SETTINGS = [
    ("the served model differs from the one asked for; an alias moves", "served_model"),
    ("a digest of its own for each tag's content", "served_model"),
    ("some answers come from another model", "minority_model"),
    ("the fingerprint is null", "system_fingerprint"),
    ("temperature 0 and another answer", "profile"),
    ("a stored answer is replayed", "cached"),
    ("no usage", "usage"),
]


@pytest.mark.parametrize(("shape", "api", "reason", "name"), QUIRKS, ids=str)
def test_a_shape_is_a_fault_of_its_api_with_its_one_right_outcome(shape: str, api: str, reason: Reason | None, name: str) -> None:
    assert FAULTS[name].reason is reason
    assert api in FAULTS[name].apis


@pytest.mark.parametrize(("shape", "setting"), SETTINGS)
def test_what_is_no_fault_is_a_setting_of_the_model(shape: str, setting: str) -> None:
    assert setting in {field.name for field in fields(Behaviour)}


def test_every_fault_stands_for_a_shape() -> None:
    unlisted = {"server_error", "bad_request", "empty_response", "null_answer", "text_as_number"}
    assert set(FAULTS) - {name for *_, name in QUIRKS} == unlisted
