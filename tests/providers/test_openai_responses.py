from __future__ import annotations

from typing import Any

import pytest

from exporter.config.model import Target
from exporter.providers.openai_responses import build_body, is_last
from exporter.providers.sse import Event
from exporter.records import Identity, Reason, ToolCall, ToolSpec, Usage
from tests.providers.contract import request
from tests.providers.replies import read, reply, streamed
from tests.providers.wordings.openai_responses import REASONING, call, event, message, response, text_part

API = "openai_responses"
TARGET = Target(name="bot", api=API, model="m")
TEXT = [message(text_part("4"))]


def test_the_request_is_worded_as_documented() -> None:
    tool = ToolSpec("now", "Tells the time", {"type": "object"})
    asked = request(system="Be brief.", reasoning_effort="low", tools=(tool,), sampling={"temperature": 1}, stream=True)
    assert build_body(asked, TARGET) == {
        "model": "model-0",
        "input": [{"role": "user", "content": "What is 2 + 2?"}],
        "max_output_tokens": 64,
        "store": False,
        "instructions": "Be brief.",
        "reasoning": {"effort": "low"},
        "tools": [{"type": "function", "name": "now", "description": "Tells the time", "parameters": {"type": "object"}, "strict": False}],
        "stream": True,
        "temperature": 1,
    }


@pytest.mark.parametrize(
    ("status", "details", "reason"),
    [
        ("completed", None, None),
        ("incomplete", {"reason": "max_output_tokens"}, Reason.TRUNCATED),
        ("incomplete", {"reason": "content_filter"}, Reason.CONTENT_FILTER),
        ("incomplete", {"reason": "steered"}, Reason.UNKNOWN_STOP),
        ("incomplete", None, Reason.UNKNOWN_STOP),
        ("incomplete", "odd", Reason.UNKNOWN_STOP),
        ("failed", None, Reason.SERVER_ERROR),
        ("cancelled", None, Reason.SERVER_ERROR),
        ("queued", None, Reason.UNKNOWN_STOP),
        (None, None, Reason.UNKNOWN_STOP),
    ],
)
def test_every_status_has_its_outcome(status: Any, details: object, reason: Reason | None) -> None:
    assert read(API, reply(response(TEXT, status, incomplete_details=details))).reason is reason


@pytest.mark.parametrize(
    ("output", "text"),
    [
        ([REASONING, *TEXT], "4"),
        ([message(text_part("ANS")), {"type": "web_search_call"}, message(text_part("WER"), text_part(": 4"))], "ANSWER: 4"),
        ([{"type": "message", "content": "4"}, None, 7], "4"),
        ([{**REASONING, "content": [{"type": "reasoning_text", "text": "5"}]}, *TEXT], "4"),
    ],
)
def test_only_the_text_of_messages_is_the_answer(output: list[Any], text: str) -> None:
    answer = read(API, reply(response(output)))
    assert (answer.reason, answer.text) == (None, text)


@pytest.mark.parametrize(
    ("payload", "reason"),
    [
        (response([REASONING]), Reason.EMPTY_RESPONSE),
        (response([]), Reason.EMPTY_RESPONSE),
        ({**response([]), "output": None}, Reason.EMPTY_RESPONSE),
        ({**response([]), "output": "4"}, Reason.EMPTY_RESPONSE),
        ({"object": "response", "status": "completed"}, Reason.BAD_RESPONSE),
        (response([{"type": "message", "content": {"text": "4"}}]), Reason.EMPTY_RESPONSE),
        (response([], "failed", error={"code": "rate_limit_exceeded", "message": "No."}), Reason.RATE_LIMITED),
        (response([], "failed", error={"code": "invalid_prompt", "message": "No."}), Reason.CONTENT_FILTER),
        (response([message(text_part("4"), {"type": "refusal", "refusal": "No."})]), Reason.REFUSAL),
    ],
)
def test_odd_shapes_have_their_reason(payload: dict[str, Any], reason: Reason) -> None:
    assert read(API, reply(payload)).reason is reason


@pytest.mark.parametrize(
    ("usage", "expected"),
    [
        ({"input_tokens": 12, "output_tokens": 3}, Usage(12, 3)),
        ({"input_tokens": 12, "output_tokens": 30, "output_tokens_details": {"reasoning_tokens": 20}}, Usage(12, 30, 20)),
        ({"input_tokens": 12, "output_tokens": 3, "total_tokens": 40}, Usage(12, 28)),
        ({"input_tokens": 12, "output_tokens": 3, "input_tokens_details": {"cached_tokens": 99}}, Usage(12, 3, 0, 12)),
        ({"input_tokens": 0, "output_tokens": 0, "total_tokens": 0}, None),
        ({"input_tokens": 12}, None),
        (None, None),
    ],
)
def test_usage_is_read_or_unknown(usage: object, expected: Usage | None) -> None:
    assert read(API, reply(response(TEXT, usage=usage))).usage == expected


def test_model_and_tier_say_who_served() -> None:
    assert read(API, reply(response(TEXT))).identity == Identity("model-1", facets={"tier": "default"})


def test_a_call_with_arguments_that_are_no_json_is_unreadable() -> None:
    assert read(API, reply(response([{**call("now", {}), "arguments": "{"}]))).tool_calls == (ToolCall("now", None),)


def test_items_of_a_stream_serve_where_the_last_event_holds_none() -> None:
    events = (event("response.output_item.done", item=TEXT[0]), event("response.completed", response=response([])))
    assert read(API, streamed(*events)).text == "4"


def test_a_stream_may_end_incomplete_or_failed() -> None:
    cut = response(TEXT, "incomplete", incomplete_details={"reason": "max_output_tokens"})
    assert read(API, streamed(event("response.incomplete", response=cut))).reason is Reason.TRUNCATED
    failed = response([], "failed", error={"code": "server_error", "message": "No."})
    assert read(API, streamed(event("response.failed", response=failed))).reason is Reason.SERVER_ERROR


@pytest.mark.parametrize(
    ("named", "data", "last"),
    [
        ("response.completed", b"{}", True),
        ("", b'{"type":"response.completed","response":{}}', True),
        ("", b'{"type": "response.failed"}', True),
        ("", b'{"type":"response.created"}', False),
        ("response.output_text.delta", b'{"type":"response.output_text.delta","delta":"response.completed"}', False),
    ],
)
def test_the_end_of_a_stream_is_known_by_name_or_type(named: str, data: bytes, last: bool) -> None:
    assert is_last(Event(named, data)) is last
