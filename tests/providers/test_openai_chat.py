from __future__ import annotations

from typing import Any

import pytest

from exporter.config.model import Target
from exporter.providers.openai_chat import build_body
from exporter.records import Identity, Reason, ToolCall, Usage
from tests.providers.contract import request
from tests.providers.replies import read, reply, streamed
from tests.providers.wordings.openai_chat import chunks, completion, event

API = "openai_chat"


def target(**settings: Any) -> Target:
    return Target(**{"name": "bot", "api": API, "model": "m", **settings})


@pytest.mark.parametrize(
    ("settings", "field"),
    [
        ({}, "max_completion_tokens"),
        ({"base_url": "https://api.openai.com/v1"}, "max_completion_tokens"),
        ({"base_url": "https://x.openai.azure.com/openai/v1"}, "max_completion_tokens"),
        ({"base_url": "http://localhost:8080/v1"}, "max_tokens"),
        ({"base_url": "https://api.deepseek.com"}, "max_tokens"),
        ({"max_tokens_field": "max_tokens"}, "max_tokens"),
        ({"base_url": "http://localhost:8080/v1", "max_tokens_field": "n_predict"}, "n_predict"),
    ],
)
def test_the_token_limit_goes_by_the_name_the_host_wants(settings: dict[str, Any], field: str) -> None:
    assert build_body(request(), target(**settings)) == {
        "model": "model-0",
        "messages": [{"role": "user", "content": "What is 2 + 2?"}],
        field: 64,
    }


def test_a_stream_is_asked_for_with_its_usage() -> None:
    body = build_body(request(stream=True, reasoning_effort="low", system="Be brief."), target())
    assert (body["stream"], body["stream_options"], body["reasoning_effort"]) == (True, {"include_usage": True}, "low")
    assert body["messages"][0] == {"role": "system", "content": "Be brief."}


def test_what_a_server_refuses_can_be_taken_out() -> None:
    assert "stream_options" not in build_body(request(stream=True, extra_body={"stream_options": None}), target())


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ([{"type": "text", "text": "4"}], "4"),
        ([{"type": "text", "text": "ANS"}, {"type": "output_text", "text": "WER"}, ": 4"], "ANSWER: 4"),
        ([{"type": "thinking", "thinking": [{"type": "text", "text": "Hm"}]}, {"type": "text", "text": "4"}], "4"),
        ([{"text": "4"}, None, 7, {"type": "text", "text": 8}], "4"),
        ("4\ud800", "4\ufffd"),
    ],
)
def test_content_may_be_a_list_of_parts(content: object, text: str) -> None:
    answer = read(API, reply(completion({"content": content})))
    assert (answer.reason, answer.text) == (None, text)


@pytest.mark.parametrize(
    ("payload", "reason"),
    [
        (completion({"content": {"text": "4"}}), Reason.BAD_RESPONSE),
        (completion({"content": 4}), Reason.BAD_RESPONSE),
        (completion({"content": True}), Reason.BAD_RESPONSE),
        (completion({"content": [{"type": "refusal", "refusal": "No."}]}), Reason.REFUSAL),
        (completion({"content": "4", "refusal": "No."}), Reason.REFUSAL),
        (completion({"content": "4"}, None), Reason.UNKNOWN_STOP),
        (completion({"content": "4"}, 7), Reason.UNKNOWN_STOP),  # type: ignore[arg-type]  # a wrong type is the point
        ({"choices": ["4"]}, Reason.EMPTY_RESPONSE),
        ({"choices": "4"}, Reason.EMPTY_RESPONSE),
        ({"choices": [{"message": "4", "finish_reason": "stop"}]}, Reason.BAD_RESPONSE),
        ({"choices": [{"message": None, "finish_reason": "stop"}]}, Reason.EMPTY_RESPONSE),
        (completion({"content": "4"}, "insufficient_system_resource"), Reason.OVERLOADED),
    ],
)
def test_odd_shapes_have_their_reason(payload: object, reason: Reason) -> None:
    assert read(API, reply(payload)).reason is reason


@pytest.mark.parametrize(
    ("usage", "expected"),
    [
        (None, None),
        ([], None),
        ({}, None),
        ({"prompt_tokens": 12}, None),
        ({"completion_tokens": 3}, None),
        ({"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}, None),
        ({"prompt_tokens": "12", "completion_tokens": 3}, None),
        ({"prompt_tokens": -1, "completion_tokens": 3}, None),
        ({"prompt_tokens": True, "completion_tokens": 3}, None),
        ({"prompt_tokens": 10**12, "completion_tokens": 3}, None),
        ({"prompt_tokens": 12.0, "completion_tokens": 3}, Usage(12, 3)),
        ({"prompt_tokens": 12, "completion_tokens": 3}, Usage(12, 3)),
        ({"prompt_tokens": 12, "total_tokens": 15}, Usage(12, 3)),
        ({"completion_tokens": 3, "total_tokens": 15}, Usage(12, 3)),
        ({"prompt_tokens": 12, "completion_tokens": 0, "total_tokens": 12}, Usage(12, 0)),
        ({"prompt_tokens": 12, "completion_tokens": 3, "total_tokens": 9}, Usage(12, 3)),
        ({"prompt_tokens": 12, "completion_tokens": 3, "total_tokens": 40}, Usage(12, 28)),
        ({"prompt_tokens": 12, "completion_tokens": 3, "completion_tokens_details": {"reasoning_tokens": 20}}, Usage(12, 20, 20)),
        ({"prompt_tokens": 12, "completion_tokens": 30, "completion_tokens_details": {"reasoning_tokens": 20}}, Usage(12, 30, 20)),
        ({"prompt_tokens": 12, "completion_tokens": 3, "completion_tokens_details": None}, Usage(12, 3)),
        ({"prompt_tokens": 12, "completion_tokens": 3, "prompt_tokens_details": {"cached_tokens": 8}}, Usage(12, 3, 0, 8)),
        ({"prompt_tokens": 12, "completion_tokens": 3, "prompt_cache_hit_tokens": 8}, Usage(12, 3, 0, 8)),
        ({"prompt_tokens": 12, "completion_tokens": 3, "prompt_tokens_details": {"cached_tokens": 99}}, Usage(12, 3, 0, 12)),
    ],
)
def test_usage_is_read_or_unknown(usage: object, expected: Usage | None) -> None:
    assert read(API, reply(completion({"content": "4"}, usage=usage))).usage == expected


@pytest.mark.parametrize(
    ("fields", "identity"),
    [
        ({}, Identity("model-1", fingerprint="fp_1", facets={"tier": "default"})),
        ({"provider": "Azure", "service_tier": None}, Identity("model-1", fingerprint="fp_1", facets={"host": "Azure"})),
        ({"model": None, "system_fingerprint": "", "service_tier": 1}, Identity()),
        ({"model": " a\n\x00b ", "system_fingerprint": {}, "service_tier": []}, Identity("a b")),
        ({"model": "x" * 999, "system_fingerprint": None, "service_tier": None}, Identity("x" * 256)),
    ],
)
def test_the_response_says_who_served(fields: dict[str, Any], identity: Identity) -> None:
    assert read(API, reply(completion({"content": "4"}, **fields))).identity == identity


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [('{"a": 1}', {"a": 1}), ({"a": 1}, {"a": 1}), ("", {}), (None, {}), ('{"a": ', None), ("[1]", None), ("7", None), (7, None)],
)
def test_arguments_are_an_object_or_unreadable(arguments: object, expected: dict[str, Any] | None) -> None:
    message = {"content": None, "tool_calls": [{"function": {"name": "now", "arguments": arguments}}, {"function": {"name": ""}}, "x"]}
    assert read(API, reply(completion(message, "tool_calls"))).tool_calls == (ToolCall("now", expected),)


def test_the_old_way_to_call_a_function_is_read() -> None:
    message = {"content": None, "function_call": {"name": "now", "arguments": "{}"}}
    assert read(API, reply(completion(message, "function_call"))).tool_calls == (ToolCall("now", {}),)


def test_two_calls_in_one_stream_are_kept_apart() -> None:
    deltas = [
        {"tool_calls": [{"index": 0, "function": {"name": "a", "arguments": '{"x"'}}, {"index": 1, "function": {"name": "b"}}]},
        {"tool_calls": [{"index": 1, "function": {"arguments": "{}"}}, {"index": 0, "function": {"arguments": ": 1}"}}]},
    ]
    answer = read(API, streamed(*chunks(deltas, "tool_calls")))
    assert answer.tool_calls == (ToolCall("a", {"x": 1}), ToolCall("b", {}))


def test_a_stream_may_speak_in_parts_or_whole_messages() -> None:
    whole = event({"model": "m", "choices": [{"message": {"content": [{"type": "text", "text": "4"}]}, "finish_reason": "stop"}]})
    assert read(API, streamed(whole)).text == "4"


def test_a_character_torn_apart_by_a_stream_is_whole_again() -> None:
    assert read(API, streamed(*chunks([{"content": "\ud83d"}, {"content": "\ude00"}]))).text == "\U0001f600"


def test_a_second_choice_is_passed_over() -> None:
    first, second = ({"choices": [{"index": index, "delta": {"content": str(index)}, "finish_reason": "stop"}]} for index in (0, 1))
    assert read(API, streamed(event(first), event(second))).text == "0"
    assert read(API, streamed(event(second))).reason is Reason.BAD_RESPONSE


def test_only_the_last_usage_of_a_stream_counts() -> None:
    counts = [{"prompt_tokens": 12, "completion_tokens": count} for count in (1, 2, 3)]
    pieces = [event({"choices": [{"index": 0, "delta": {"content": "4"}}], "usage": usage}) for usage in counts]
    end = event({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}], "usage": None})
    assert read(API, streamed(*pieces, end)).usage == Usage(12, 3)
