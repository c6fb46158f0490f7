from __future__ import annotations

from typing import Any

import pytest

from exporter.config.model import Target
from exporter.providers.cohere import build_body, is_last
from exporter.providers.registry import ADAPTERS
from exporter.providers.sse import Event
from exporter.records import Charge, Evidence, Identity, Reason, ToolCall, ToolSpec, Usage
from tests.providers.contract import request
from tests.providers.replies import read, reply, streamed
from tests.providers.wordings.cohere import call, chat, ended, event, text_block

API = "cohere"
TARGET = Target(name="bot", api=API, model="m")
TEXT = {"content": [text_block("4")]}


def test_the_request_is_worded_as_documented() -> None:
    tool = ToolSpec("now", "Tells the time", {"type": "object"})
    asked = request(system="Be brief.", reasoning_effort="disabled", tools=(tool,), sampling={"seed": 7}, stream=True)
    assert build_body(asked, TARGET) == {
        "model": "model-0",
        "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "What is 2 + 2?"}],
        "max_tokens": 64,
        "thinking": {"type": "disabled"},
        "tools": [{"type": "function", "function": {"name": "now", "description": "Tells the time", "parameters": {"type": "object"}}}],
        "seed": 7,
        "stream": True,
    }


@pytest.mark.parametrize(
    ("finish", "reason"),
    [
        ("COMPLETE", None),
        ("STOP_SEQUENCE", None),
        ("TOOL_CALL", None),
        ("MAX_TOKENS", Reason.TRUNCATED),
        ("ERROR", Reason.SERVER_ERROR),
        ("TIMEOUT", Reason.TIMEOUT),
        (None, Reason.UNKNOWN_STOP),
    ],
)
def test_every_finish_reason_has_its_outcome(finish: str | None, reason: Reason | None) -> None:
    assert read(API, reply(chat(TEXT, finish))).reason is reason


@pytest.mark.parametrize(
    ("usage", "expected"),
    [
        ({"billed_units": {"input_tokens": 12, "output_tokens": 3}, "tokens": {"input_tokens": 70, "output_tokens": 5}}, Usage(12, 3)),
        ({"tokens": {"input_tokens": 70, "output_tokens": 5}}, Usage(70, 5)),
        ({"billed_units": {"input_tokens": 12}, "tokens": None}, None),
        ({"billed_units": {"input_tokens": 12, "output_tokens": 3}, "cached_tokens": 8}, Usage(12, 3, 0, 8)),
        ({"billed_units": {"input_tokens": 0, "output_tokens": 0}}, None),
        (None, None),
    ],
)
def test_what_is_billed_is_what_counts(usage: object, expected: Usage | None) -> None:
    assert read(API, reply(chat(TEXT, usage=usage))).usage == expected


@pytest.mark.parametrize(
    ("payload", "status", "reason"),
    [
        (chat({"content": "4"}), 200, None),
        (chat({"content": {"text": "4"}}), 200, Reason.BAD_RESPONSE),
        (chat({"content": [{"type": "thinking", "thinking": "4"}]}), 200, Reason.EMPTY_RESPONSE),
        ({"message": None}, 200, Reason.EMPTY_RESPONSE),
        ({"id": "c1"}, 200, Reason.BAD_RESPONSE),
        ({"message": "internal server error"}, 200, Reason.SERVER_ERROR),
        ({"message": "invalid api token"}, 401, Reason.AUTH),
        ({"message": "model 'm' not found, make sure the correct model ID was used"}, 404, Reason.MODEL_NOT_FOUND),
        ({"message": "You are using a Trial key, which is limited to 20 calls / minute"}, 429, Reason.RATE_LIMITED),
        ({"message": "blocked"}, 498, Reason.CONTENT_FILTER),
        ({"message": "unknown field: parameter 'foo' is not a valid field"}, 422, Reason.UNSUPPORTED_PARAMETER),
    ],
)
def test_odd_shapes_have_their_reason(payload: Any, status: int, reason: Reason | None) -> None:
    assert read(API, reply(payload, status)).reason is reason


def test_a_denied_word_may_have_been_billed() -> None:
    assert read(API, reply({"message": "blocked"}, 498)).charge is Charge.UNKNOWN


def test_nobody_says_which_model_served() -> None:
    assert read(API, reply(chat(TEXT))).identity == Identity()
    assert ADAPTERS[API].evidence is Evidence.NONE


def test_arguments_that_are_no_json_are_unreadable() -> None:
    assert read(API, reply(chat({"tool_calls": [call("now", "{"), None]}, "TOOL_CALL"))).tool_calls == (ToolCall("now", None),)


def test_two_calls_in_one_stream_are_kept_apart() -> None:
    starts = (event("tool-call-start", index=index, delta={"message": {"tool_calls": call(name, "{}")}}) for index, name in enumerate("ab"))
    assert read(API, streamed(*starts, *ended("TOOL_CALL"))).tool_calls == (ToolCall("a", {}), ToolCall("b", {}))


def test_a_stream_may_end_with_an_error() -> None:
    answer = read(API, streamed(event("message-end", delta={"finish_reason": "ERROR", "error": "the engine broke"})))
    assert answer.reason is Reason.SERVER_ERROR
    assert "the engine broke" in answer.message


@pytest.mark.parametrize(
    ("named", "data", "last"),
    [
        ("message-end", b"{}", True),
        ("", b'{"type":"message-end","delta":{}}', True),
        ("", b'{"id":"x","type": "message-end"}', True),
        ("", b'{"type":"content-delta","delta":{"message":{"content":{"text":"x"}}}}', False),
    ],
)
def test_the_end_of_a_stream_is_known_by_name_or_type(named: str, data: bytes, last: bool) -> None:
    assert is_last(Event(named, data)) is last
