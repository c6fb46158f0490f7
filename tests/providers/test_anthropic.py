from __future__ import annotations

from typing import Any

import pytest

from exporter.config.model import Target
from exporter.providers.anthropic import ADAPTER, build_body, build_headers
from exporter.providers.http_provider import HttpProvider
from exporter.records import Identity, Reason, ToolCall, ToolSpec, Usage
from tests.fakes import FakeClock
from tests.providers.contract import Json, request
from tests.providers.replies import read, reply, streamed
from tests.providers.wordings.anthropic import event, message

API = "anthropic"
TARGET = Target(name="bot", api=API, model="m")
TEXT = [{"type": "text", "text": "4"}]


def test_the_request_is_worded_as_documented() -> None:
    tool = ToolSpec("now", "Tells the time", {"type": "object"})
    body = build_body(request(system="Be brief.", reasoning_effort="low", tools=(tool,), stream=True), TARGET)
    assert body == {
        "model": "model-0",
        "max_tokens": 64,
        "messages": [{"role": "user", "content": "What is 2 + 2?"}],
        "system": "Be brief.",
        "output_config": {"effort": "low"},
        "tools": [{"name": "now", "description": "Tells the time", "input_schema": {"type": "object"}}],
        "stream": True,
    }


def test_an_extra_does_not_push_the_effort_out() -> None:
    extra = {"output_config": {"format": {"type": "json_schema"}}}
    body = build_body(request(reasoning_effort="low", extra_body=extra), TARGET)
    assert body["output_config"] == {"effort": "low", "format": {"type": "json_schema"}}


def test_every_request_names_the_version_of_the_api() -> None:
    assert build_headers("k") == {"anthropic-version": "2026-10-21", "x-api-key": "k"}
    assert build_headers(None) == {"anthropic-version": "2026-10-21"}


@pytest.mark.parametrize(
    ("host", "bearer"),
    [
        ("https://api.anthropic.com", None),
        ("https://us.services.ai.azure.com", None),
        ("http://localhost:8000", "Bearer k"),
    ],
)
def test_a_server_that_is_not_of_the_vendor_gets_the_key_as_a_bearer_token_too(host: str, bearer: str | None) -> None:
    provider = HttpProvider(ADAPTER, Target(name="bot", api=API, model="m", base_url=f"{host}/v1"), lambda: "k", FakeClock())
    assert provider.build_headers("k").get("authorization") == bearer
    assert provider.build_headers("k")["x-api-key"] == "k"
    assert "authorization" not in provider.build_headers(None)


@pytest.mark.parametrize(
    ("stop", "reason"),
    [
        ("end_turn", None),
        ("stop_sequence", None),
        ("tool_use", None),
        ("max_tokens", Reason.TRUNCATED),
        ("model_context_window_exceeded", Reason.TRUNCATED),
        ("refusal", Reason.REFUSAL),
        ("pause_turn", Reason.UNKNOWN_STOP),
        ("compaction", Reason.UNKNOWN_STOP),
        (None, Reason.UNKNOWN_STOP),
    ],
)
def test_every_stop_reason_has_its_outcome(stop: str | None, reason: Reason | None) -> None:
    assert read(API, reply(message(TEXT, stop))).reason is reason


def test_a_refusal_names_its_category_and_keeps_no_partial_text_for_grading() -> None:
    answer = read(API, reply(message(TEXT, "refusal", stop_details={"category": "bio"})))
    assert (answer.reason, answer.message) == (Reason.REFUSAL, "the model refused (bio)")
    assert read(API, reply(message([], "refusal", stop_details="odd"))).message == "the model refused"


@pytest.mark.parametrize(
    ("usage", "expected"),
    [
        ({"input_tokens": 12, "output_tokens": 3}, Usage(12, 3)),
        ({"input_tokens": 2, "cache_read_input_tokens": 7, "cache_creation_input_tokens": 3, "output_tokens": 3}, Usage(12, 3, 0, 7)),
        ({"input_tokens": 2, "cache_read_input_tokens": None, "cache_creation_input_tokens": "3", "output_tokens": 3}, Usage(2, 3)),
        ({"input_tokens": 12, "output_tokens": 9, "output_tokens_details": {"thinking_tokens": 5}}, Usage(12, 9, 5)),
        ({"input_tokens": 12, "output_tokens": 3, "output_tokens_details": {"thinking_tokens": 5}}, Usage(12, 3, 3)),
        ({"input_tokens": 12}, None),
        ({"output_tokens": 3}, None),
        ({"input_tokens": 0, "output_tokens": 0}, None),
        ({"input_tokens": 12, "output_tokens": 3.5}, None),
        (None, None),
    ],
)
def test_cached_input_is_part_of_the_input(usage: object, expected: Usage | None) -> None:
    assert read(API, reply(message(TEXT, usage=usage))).usage == expected


def test_tier_and_place_are_facets() -> None:
    identity = read(API, reply(message(TEXT))).identity
    assert identity == Identity("model-1", facets={"tier": "standard", "region": "eu"})
    assert read(API, reply(message(TEXT, model=None, usage=None))).identity == Identity()


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("4", None),
        ([{"type": "text", "text": "4"}, {"type": "server_tool_use"}, None, 7, {"type": "text", "text": None}], None),
        ({"type": "text", "text": "4"}, Reason.BAD_RESPONSE),
        (4, Reason.BAD_RESPONSE),
        ([], Reason.EMPTY_RESPONSE),
        ([{"type": "thinking", "thinking": "4"}], Reason.EMPTY_RESPONSE),
        ([{"type": "redacted_thinking", "data": "x"}], Reason.EMPTY_RESPONSE),
    ],
)
def test_only_text_blocks_are_the_answer(content: object, reason: Reason | None) -> None:
    answer = read(API, reply({**message([]), "content": content}))
    assert (answer.reason, answer.text) == (reason, "" if reason else "4")


def test_input_of_a_tool_that_is_no_object_is_unreadable() -> None:
    blocks: list[Json] = [
        {"type": "tool_use", "name": "now", "input": "x"},
        {"type": "tool_use", "name": None},
        {"type": "tool_use", "name": "b", "input": {}},
    ]
    assert read(API, reply(message(blocks, "tool_use"))).tool_calls == (ToolCall("now", None), ToolCall("b", {}))


def test_input_of_a_tool_that_is_cut_off_in_a_stream_is_unreadable() -> None:
    events = (
        event("message_start", message=message([], None)),
        event("content_block_start", index=0, content_block={"type": "tool_use", "name": "now", "input": {}}),
        event("content_block_delta", index=0, delta={"type": "input_json_delta", "partial_json": '{"a"'}),
        event("message_delta", delta={"stop_reason": "tool_use"}),
    )
    assert read(API, streamed(*events)).tool_calls == (ToolCall("now", None),)


def test_counts_at_the_end_of_a_stream_replace_those_of_its_start() -> None:
    start = message([], None, usage={"input_tokens": 12, "output_tokens": 1, "service_tier": "standard"})
    events = (
        event("message_start", message=start),
        event("content_block_delta", index=0, delta={"type": "text_delta", "text": "passed over: nobody said of what type it is"}),
        event("content_block_start", index=1, content_block={"type": "text", "text": "4"}),
        event("message_delta", delta={"stop_reason": "end_turn"}, usage={"output_tokens": 9, "input_tokens": None}),
    )
    answer = read(API, streamed(*events))
    assert (answer.text, answer.usage) == ("4", Usage(12, 9))
    assert answer.identity.facets == {"tier": "standard"}


@pytest.mark.parametrize(
    ("payload", "words"),
    [
        ({"type": "error", "error": {"type": "api_error", "message": "Oops"}}, "api_error: Oops"),
        ({"type": "error", "error": "Oops"}, "Oops"),
        ({"type": "error", "message": "Oops"}, "Oops"),
        ({"type": "error"}, "error in the answer"),
    ],
)
def test_an_error_with_status_200_is_an_error(payload: dict[str, Any], words: str) -> None:
    for answer in (read(API, reply(payload)), read(API, streamed(event("error", **payload)))):
        assert answer.reason is Reason.SERVER_ERROR
        assert words in answer.message
