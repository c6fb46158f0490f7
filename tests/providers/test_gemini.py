from __future__ import annotations

from typing import Any

import pytest

from exporter.config.model import Target
from exporter.providers.gemini import build_body, build_path
from exporter.records import Identity, Reason, ToolCall, ToolSpec, Usage
from tests.providers.contract import request
from tests.providers.replies import read, reply, streamed
from tests.providers.wordings.gemini import event, generation

API = "gemini"
TARGET = Target(name="bot", api=API, model="m")
TEXT = [{"text": "4"}]


def test_the_request_is_worded_as_documented() -> None:
    tool = ToolSpec("now", "Tells the time", {"type": "object"})
    asked = request(system="Be brief.", reasoning_effort="low", tools=(tool,), sampling={"seed": 7}, stream=True)
    assert build_body(asked, TARGET) == {
        "contents": [{"role": "user", "parts": [{"text": "What is 2 + 2?"}]}],
        "generationConfig": {"maxOutputTokens": 64, "thinkingConfig": {"thinkingLevel": "low"}, "seed": 7},
        "systemInstruction": {"parts": [{"text": "Be brief."}]},
        "tools": [{"functionDeclarations": [{"name": "now", "description": "Tells the time", "parametersJsonSchema": {"type": "object"}}]}],
    }


@pytest.mark.parametrize(
    ("model", "stream", "path"),
    [
        ("gemini-x", False, "/models/gemini-x:generateContent"),
        ("gemini-x", True, "/models/gemini-x:streamGenerateContent?alt=sse"),
        ("models/gemini-x", False, "/models/gemini-x:generateContent"),
        ("tunedModels/mine", False, "/tunedModels/mine:generateContent"),
        ("odd?key=x#y z", False, "/models/odd%3Fkey%3Dx%23y%20z:generateContent"),
    ],
)
def test_the_model_is_part_of_the_path(model: str, stream: bool, path: str) -> None:
    assert build_path(request(model=model, stream=stream)) == path


@pytest.mark.parametrize(
    ("finish", "reason"),
    [
        ("STOP", None),
        ("MAX_TOKENS", Reason.TRUNCATED),
        ("SAFETY", Reason.CONTENT_FILTER),
        ("RECITATION", Reason.CONTENT_FILTER),
        ("BLOCKLIST", Reason.CONTENT_FILTER),
        ("PROHIBITED_CONTENT", Reason.CONTENT_FILTER),
        ("SPII", Reason.CONTENT_FILTER),
        ("MODEL_ARMOR", Reason.CONTENT_FILTER),
        ("OTHER", Reason.UNKNOWN_STOP),
        ("MALFORMED_FUNCTION_CALL", Reason.BAD_RESPONSE),
        (None, Reason.UNKNOWN_STOP),
    ],
)
def test_every_finish_reason_has_its_outcome(finish: str | None, reason: Reason | None) -> None:
    assert read(API, reply(generation(TEXT, finish))).reason is reason


@pytest.mark.parametrize(
    ("usage", "expected"),
    [
        ({"promptTokenCount": 12, "candidatesTokenCount": 3}, Usage(12, 3)),
        ({"promptTokenCount": 12, "candidatesTokenCount": 3, "thoughtsTokenCount": 5, "totalTokenCount": 20}, Usage(12, 8, 5)),
        ({"promptTokenCount": 12, "candidatesTokenCount": 3, "totalTokenCount": 40}, Usage(12, 28)),
        ({"promptTokenCount": 12, "toolUsePromptTokenCount": 4, "candidatesTokenCount": 3, "totalTokenCount": 19}, Usage(16, 3)),
        ({"promptTokenCount": 12, "candidatesTokenCount": 3, "cachedContentTokenCount": 8}, Usage(12, 3, 0, 8)),
        ({"promptTokenCount": 12, "candidatesTokenCount": 3, "cachedContentTokenCount": 99}, Usage(12, 3, 0, 12)),
        ({"promptTokenCount": 12}, Usage(12, 0)),
        ({"promptTokenCount": 0, "candidatesTokenCount": 3}, None),
        ({"candidatesTokenCount": 3}, None),
        ({"promptTokenCount": "12"}, None),
        ([], None),
        (None, None),
    ],
)
def test_thoughts_are_output(usage: object, expected: Usage | None) -> None:
    assert read(API, reply(generation(TEXT, usageMetadata=usage))).usage == expected


@pytest.mark.parametrize(
    ("parts", "reason"),
    [
        ([{"text": "The answer "}, {"text": "is no thought", "thought": False}], None),
        ([{"text": "Hm.", "thought": True}], Reason.EMPTY_RESPONSE),
        ([{"executableCode": {"code": "4"}}, None, 7, {"text": 4}], Reason.EMPTY_RESPONSE),
        ([], Reason.EMPTY_RESPONSE),
    ],
)
def test_only_parts_that_are_no_thought_are_the_answer(parts: list[Any], reason: Reason | None) -> None:
    answer = read(API, reply(generation(parts)))
    assert (answer.reason, answer.text) == (reason, "" if reason else "The answer is no thought")


@pytest.mark.parametrize(
    ("payload", "reason"),
    [
        ({"candidates": []}, Reason.EMPTY_RESPONSE),
        ({"candidates": None}, Reason.EMPTY_RESPONSE),
        ({"usageMetadata": {"promptTokenCount": 12}}, Reason.EMPTY_RESPONSE),
        ({"candidates": [{"finishReason": "STOP"}]}, Reason.EMPTY_RESPONSE),
        ({"candidates": ["4"]}, Reason.EMPTY_RESPONSE),
        ({"promptFeedback": {"safetyRatings": []}}, Reason.BAD_RESPONSE),
        ({"promptFeedback": {"blockReason": "SAFETY"}}, Reason.CONTENT_FILTER),
        ([{"error": {"code": 503, "message": "The model is overloaded.", "status": "UNAVAILABLE"}}], Reason.OVERLOADED),
    ],
)
def test_odd_shapes_have_their_reason(payload: object, reason: Reason) -> None:
    assert read(API, reply(payload)).reason is reason
    assert read(API, streamed(event(payload))).reason in (reason, Reason.BAD_RESPONSE)


def test_a_block_in_a_stream_is_the_end_of_it() -> None:
    assert read(API, streamed(event({"promptFeedback": {"blockReason": "SAFETY"}}))).reason is Reason.CONTENT_FILTER


def test_arguments_that_are_no_object_are_unreadable() -> None:
    calls: list[Any] = [{"functionCall": {"name": "now", "args": "x"}}, {"functionCall": {"args": {}}}, {"functionCall": {"name": "b"}}]
    assert read(API, reply(generation(calls))).tool_calls == (ToolCall("now", None), ToolCall("b", {}))


def test_the_version_and_the_tier_say_who_served() -> None:
    assert read(API, reply(generation(TEXT))).identity == Identity("model-1", facets={"tier": "standard"})
    assert read(API, reply(generation(TEXT, modelVersion=None, usageMetadata=None))).identity == Identity()
