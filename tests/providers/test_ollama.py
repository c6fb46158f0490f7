from __future__ import annotations

import asyncio
from typing import Any

import pytest

from exporter.config.model import Target
from exporter.providers import identity_key
from exporter.providers.ollama import build_body, is_last, read_digest
from exporter.providers.sse import Event
from exporter.records import Answer, Identity, Reason, ToolCall, ToolSpec, Usage
from tests.own_time import run_in_own_time
from tests.providers.contract import ask, open_target, request
from tests.providers.loopback import Loopback, Received, Respond, says
from tests.providers.replies import in_lines, read, reply
from tests.providers.wordings.ollama import OLLAMA, TAGS, chat, line

API = "ollama"
TARGET = Target(name="bot", api=API, model="m")


def test_the_request_is_worded_as_documented() -> None:
    tool = ToolSpec("now", "Tells the time", {"type": "object"})
    asked = request(system="Be brief.", reasoning_effort="high", tools=(tool,), sampling={"seed": 7}, stream=True)
    assert build_body(asked, TARGET) == {
        "model": "model-0",
        "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "What is 2 + 2?"}],
        "stream": True,
        "options": {"num_predict": 64, "seed": 7},
        "think": "high",
        "tools": [{"type": "function", "function": {"name": "now", "description": "Tells the time", "parameters": {"type": "object"}}}],
    }


@pytest.mark.parametrize(("effort", "think"), [("true", True), ("False", False), ("low", "low")])
def test_thinking_is_switched_or_has_a_level(effort: str, think: object) -> None:
    assert build_body(request(reasoning_effort=effort), TARGET)["think"] == think


@pytest.mark.parametrize(
    ("payload", "model", "digest"),
    [
        (TAGS, "model-0", "sha256:ab12"),
        (TAGS, "model-0:latest", "sha256:ab12"),
        (TAGS, "model-0:8b", None),
        ({"models": [{"model": "host:5000/m:latest", "digest": "d"}]}, "host:5000/m", "d"),
        ({"models": [{"name": "m:latest", "digest": None}]}, "m", None),
        ({"models": [{"name": "m:8b", "digest": "sha256:0001", "size": 0}]}, "m:8b", None),
        ({"models": [None, 7, {"name": ["m:latest"]}]}, "m", None),
        ({"models": "m"}, "m", None),
        ([], "m", None),
        (b"<html>", "m", None),
    ],
)
def test_the_digest_of_a_tag_is_found_or_unknown(payload: object, model: str, digest: str | None) -> None:
    assert read_digest(reply(payload), model) == digest
    assert read_digest(reply(payload, 404), model) is None


def test_the_digest_is_the_identity() -> None:
    answer = ask(OLLAMA, says(200, OLLAMA.answer("4")))
    assert answer.identity == Identity("model-1", digest="sha256:ab12")
    assert identity_key(answer.identity, ["model"]) == "model-1@sha256:ab12"


def ask_twice(lookup: Respond, **changes: Any) -> tuple[list[Answer], list[str]]:
    """Two answers of one provider, asked at once, and the paths that were asked."""

    async def respond(received: Received, writer: asyncio.StreamWriter) -> None:
        await (says(200, OLLAMA.answer("4")) if received.method == "POST" else lookup)(received, writer)

    async def run() -> tuple[list[Answer], list[str]]:
        async with Loopback(respond) as server:
            provider = open_target(OLLAMA, server.url)
            answers = await asyncio.gather(*(provider.ask(request(**changes)) for _ in range(2)))
            await provider.aclose()
            return list(answers), sorted(f"{received.method} {received.path}" for received in server.received)

    return run_in_own_time(run())


def test_the_digest_is_looked_up_once() -> None:
    answers, asked = ask_twice(says(200, TAGS))
    assert asked == ["GET /api/tags", "POST /api/chat", "POST /api/chat"]
    assert [answer.identity.digest for answer in answers] == ["sha256:ab12"] * 2


@pytest.mark.parametrize("respond", [says(404, {}), says(200, {"models": []}), says(200, b"\xff"), says(302, b"")])
def test_without_a_digest_the_answer_counts_and_its_identity_is_unknown(respond: Respond) -> None:
    answers, asked = ask_twice(respond)
    assert asked.count("GET /api/tags") == 1
    assert [(answer.reason, answer.text, answer.identity) for answer in answers] == [(None, "4", Identity())] * 2


def test_a_lookup_that_is_never_answered_ends_at_the_deadline() -> None:
    async def wait(_: Received, __: asyncio.StreamWriter) -> None:
        await asyncio.Event().wait()

    answers, _ = ask_twice(wait, timeout_seconds=0.5)
    assert [(answer.reason, answer.identity) for answer in answers] == [(None, Identity())] * 2


@pytest.mark.parametrize(
    ("payload", "reason"),
    [
        (chat({"content": "4"}), None),
        (chat({"content": "4"}, "length"), Reason.TRUNCATED),
        (chat({"content": "4"}, None), Reason.UNKNOWN_STOP),
        ({"model": "m", "message": {"content": "4"}, "done": False}, Reason.UNKNOWN_STOP),
        (chat({"content": None}), Reason.EMPTY_RESPONSE),
        ({"message": None}, Reason.EMPTY_RESPONSE),
        ({"models": []}, Reason.BAD_RESPONSE),
        ({"error": "llama runner process has terminated"}, Reason.SERVER_ERROR),
    ],
)
def test_odd_shapes_have_their_reason(payload: object, reason: Reason | None) -> None:
    assert read(API, reply(payload)).reason is reason


def test_counts_that_are_missing_are_unknown() -> None:
    assert read(API, reply(chat({"content": "4"}))).usage == Usage(12, 3)
    assert read(API, reply(chat({"content": "4"}, prompt_eval_count=None))).usage is None
    assert read(API, reply(chat({"content": "4"}, prompt_eval_count=0, eval_count=0))).usage is None


def test_a_call_has_its_arguments_as_an_object() -> None:
    calls = [{"function": {"name": "now", "arguments": {"a": 1}}}, {"function": {"name": "b"}}, {"function": {}}, None]
    expected = (ToolCall("now", {"a": 1}), ToolCall("b", {}))
    assert read(API, reply(chat({"content": "", "tool_calls": calls}))).tool_calls == expected
    assert read(API, in_lines(line({"message": {"tool_calls": calls}}), line(chat({})))).tool_calls == expected


def test_lines_are_read_whatever_their_content_type_says() -> None:
    assert read(API, reply(b"".join(OLLAMA.stream("ANSWER: 4")))).text == "ANSWER: 4"


@pytest.mark.parametrize(
    ("data", "last"),
    [
        (b'{"done":true}', True),
        (b'{"done": true, "x": 1}', True),
        (b'{"error":"no"}', True),
        (b'{"done":false}', False),
        (b'{"message":{"content":"\\"done\\":true"},"done":false}', False),
    ],
)
def test_the_last_line_is_known_by_its_own_word(data: bytes, last: bool) -> None:
    assert is_last(Event("", data)) is last
