"""Tools go out as each API documents them, and calls come back whatever way it says them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from exporter.config.model import Target
from exporter.providers.registry import ADAPTERS
from exporter.records import Reason, ToolCall, ToolSpec
from tests.providers.contract import request
from tests.providers.replies import read, reply, streamed
from tests.providers.tool_wordings import SAYINGS, Say
from tests.providers.wordings import gemini, openai_chat

PARAMETERS = {"type": "object", "required": ["city"], "properties": {"city": {"type": "string"}}}
TOOLS = (ToolSpec("weather", "Tells the weather", PARAMETERS), ToolSpec("now", "Tells the time", {"type": "object", "properties": {}}))
FUNCTIONS = [
    {"type": "function", "function": {"name": "weather", "description": "Tells the weather", "parameters": PARAMETERS}},
    {"type": "function", "function": {"name": "now", "description": "Tells the time", "parameters": {"type": "object", "properties": {}}}},
]
SENT: dict[str, Any] = {
    **dict.fromkeys(("openai_chat", "azure_openai", "mistral", "cohere", "ollama"), FUNCTIONS),
    "openai_responses": [{"type": "function", "strict": False, **function["function"]} for function in FUNCTIONS],  # type: ignore[dict-item]  # a mapping
    "anthropic": [
        {"name": "weather", "description": "Tells the weather", "input_schema": PARAMETERS},
        {"name": "now", "description": "Tells the time", "input_schema": {"type": "object", "properties": {}}},
    ],
    "gemini": [
        {
            "functionDeclarations": [
                {"name": "weather", "description": "Tells the weather", "parametersJsonSchema": PARAMETERS},
                {"name": "now", "description": "Tells the time", "parametersJsonSchema": {"type": "object", "properties": {}}},
            ]
        }
    ],
}

WAYS = [
    pytest.param(api, say, id=f"{api}-{way}") for api, says in SAYINGS.items() for way, say in zip(("plain", "streamed"), says, strict=True)
]
in_every_way = pytest.mark.parametrize(("api", "say"), WAYS)


@pytest.mark.parametrize("api", ADAPTERS)
def test_tools_are_sent_as_the_api_documents_them(api: str) -> None:
    target = Target.model_validate({"name": "bot", "api": api, "model": "model-0"})
    assert ADAPTERS[api].build_body(request(tools=TOOLS), target)["tools"] == SENT[api]


@pytest.mark.parametrize("api", ADAPTERS)
def test_nothing_is_said_of_tools_where_there_are_none(api: str) -> None:
    target = Target.model_validate({"name": "bot", "api": api, "model": "model-0"})
    assert not [name for name in ADAPTERS[api].build_body(request(), target) if "tool" in name]


def test_every_api_has_its_way_of_calling() -> None:
    assert set(SAYINGS) == set(ADAPTERS)


@in_every_way
def test_parallel_calls_are_read_in_their_order(api: str, say: Say) -> None:
    answer = read(api, say("", [("weather", '{"city": "Oslo"}'), ("now", "{}"), ("weather", '{"city": "Bergen"}')]))
    assert answer.reason is None
    assert answer.tool_calls == (ToolCall("weather", {"city": "Oslo"}), ToolCall("now", {}), ToolCall("weather", {"city": "Bergen"}))


@in_every_way
def test_text_may_stand_beside_a_call(api: str, say: Say) -> None:
    answer = read(api, say("I will look.", [("weather", '{"city": "長野", "days": 3}')]))
    assert (answer.reason, answer.text) == (None, "I will look.")
    assert answer.tool_calls == (ToolCall("weather", {"city": "長野", "days": 3}),)


@in_every_way
@pytest.mark.parametrize("arguments", ['{"city": "Oslo"', '{"city": Oslo}', '["Oslo"]', '"Oslo"', "7", "{'city': 'Oslo'}", "[" * 5000])
def test_arguments_that_are_no_json_object_make_a_call_without_any_and_no_error(api: str, say: Say, arguments: str) -> None:
    answer = read(api, say("", [("weather", arguments), ("now", "{}")]))
    assert answer.reason is None
    assert answer.tool_calls == (ToolCall("weather", None), ToolCall("now", {}))


@in_every_way
def test_a_tool_that_nobody_offered_is_read_as_it_was_called(api: str, say: Say) -> None:
    answer = read(api, say("", [("rm", '{"path": "/"}')]))
    assert (answer.reason, answer.tool_calls) == (None, (ToolCall("rm", {"path": "/"}),))


@pytest.mark.parametrize("api", ["anthropic", "gemini", "ollama"])
def test_an_api_that_sends_objects_may_send_their_text_too(api: str) -> None:
    say, _ = SAYINGS[api]
    assert read(api, say("", [("weather", json.dumps('{"city": "Oslo"}'))])).tool_calls == (ToolCall("weather", {"city": "Oslo"}),)


@pytest.mark.parametrize("api", ["openai_chat", "azure_openai", "mistral", "cohere"])
def test_an_api_that_sends_text_may_send_objects_too(api: str) -> None:
    say, _ = SAYINGS[api]
    body = json.loads(say("", [("weather", "7")]).body.replace(b'"7"', b'{"city": "Oslo"}'))
    assert read(api, reply(body)).tool_calls == (ToolCall("weather", {"city": "Oslo"}),)


def test_bridges_that_give_every_call_the_index_0_are_understood() -> None:
    deltas = [
        {"tool_calls": [{"index": 0, "id": call_id, "function": {"name": name, "arguments": "{}"}}]}
        for call_id, name in (("a", "x"), ("b", "y"))
    ]
    again = {"tool_calls": [{"index": 0, "id": "b", "function": {"name": "y", "arguments": ""}}]}
    answer = read("openai_chat", streamed(*openai_chat.chunks([*deltas, again], "tool_calls")))
    assert answer.tool_calls == (ToolCall("x", {}), ToolCall("y", {}))


@pytest.mark.parametrize("begun", [{}, {"arguments": None}, {"arguments": ""}], ids=["none", "null", "empty"])
@pytest.mark.parametrize(
    "later", [['{"city": ', '"Oslo"}'], ["", '{"city": "Oslo"}', ""], [{"city": "Oslo"}]], ids=["pieces", "whole", "object"]
)
def test_the_name_of_a_call_may_come_before_its_arguments(begun: dict[str, Any], later: list[Any]) -> None:
    first = {"index": 0, "id": "a", "type": "function", "function": {"name": "weather", **begun}}
    pieces = [first, *({"index": 0, "id": None, "function": {"name": None, "arguments": arguments}} for arguments in later)]
    answer = read("openai_chat", streamed(*openai_chat.chunks([{"tool_calls": [piece]} for piece in pieces], "tool_calls")))
    assert answer.tool_calls == (ToolCall("weather", {"city": "Oslo"}),)


def test_a_call_without_arguments_has_empty_ones() -> None:
    message = {"content": None, "tool_calls": [{"function": {"name": "now", "arguments": None}}, {"function": {"name": "now"}}]}
    answer = read("openai_chat", reply(openai_chat.completion(message, "tool_calls")))
    assert answer.tool_calls == (ToolCall("now", {}), ToolCall("now", {}))


def test_calls_whose_pieces_have_no_index_are_told_apart_by_their_ids() -> None:
    deltas = [{"tool_calls": [{"id": name, "function": {"name": name, "arguments": "{}"}}]} for name in ("x", "y")]
    assert read("mistral", streamed(*openai_chat.chunks(deltas, "tool_calls"))).tool_calls == (ToolCall("x", {}), ToolCall("y", {}))


@pytest.mark.parametrize(
    "way", [lambda payload: reply(payload), lambda payload: streamed(gemini.event(payload))], ids=["plain", "streamed"]
)
def test_a_call_that_gemini_could_not_read_itself_is_marked_as_such(way: Any) -> None:
    answer = read("gemini", way(gemini.generation([], "MALFORMED_FUNCTION_CALL")))
    assert (answer.reason, answer.tool_calls) == (Reason.BAD_RESPONSE, (ToolCall("", None),))
    assert answer.message == "the model wrote a tool call that cannot be read"


NO_TOOLS = [
    (400, "registry.ollama.ai/library/gemma3:4b does not support tools"),
    (400, "`tool calling` is not supported with this model"),
    (404, "No endpoints found that support tool use. To learn more about provider routing, visit the docs."),
    (400, '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'),
    (500, "tools param requires --jinja flag"),
    (400, "Function calling is not enabled for models/gemma-3-27b-it"),
    (400, "Tool use with function calling is unsupported by the model."),
    (400, "This model doesn't support tool use in streaming mode."),
    (422, "tools: Extra inputs are not permitted"),
]


@pytest.mark.parametrize(("status", "words"), NO_TOOLS)
@pytest.mark.parametrize("api", ADAPTERS)
def test_a_server_without_tools_is_told_from_a_broken_one_with_what_to_set(api: str, status: int, words: str) -> None:
    answer = read(api, reply({"error": {"message": words}}, status))
    assert (answer.reason, answer.tools_refused) == (Reason.UNSUPPORTED_PARAMETER, True)
    assert answer.message == f"HTTP {status}: {words.removesuffix('.')}; set tool_calling: text, or leave out the questions with tools"


@pytest.mark.parametrize(
    ("status", "words", "reason"),
    [
        (400, "Failed to call a function. Please adjust your prompt.", Reason.BAD_REQUEST),
        (400, "Tool choice is none, but model called a tool", Reason.BAD_REQUEST),
        (500, "error parsing tool call: raw='{', err=unexpected end of JSON input", Reason.SERVER_ERROR),
        (503, "The tool service is not available", Reason.SERVER_ERROR),
    ],
)
def test_other_words_about_tools_are_no_refusal_of_them(status: int, words: str, reason: Reason) -> None:
    assert read("openai_chat", reply({"error": {"message": words}}, status)).reason is reason
