"""How chat completions say things."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from tests.providers.contract import KEY, Json, Wording, asked_in_messages

USAGE = {"prompt_tokens": 12, "completion_tokens": 3, "total_tokens": 15}


def completion(message: Json, finish: str | None = "stop", **fields: Any) -> Json:
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1_790_000_000,
        "model": "model-1",
        "choices": [{"index": 0, "message": {"role": "assistant", **message}, "logprobs": None, "finish_reason": finish}],
        "usage": USAGE,
        "service_tier": "default",
        "system_fingerprint": "fp_1",
        **fields,
    }


def chunks(deltas: list[Json], finish: str | None = "stop") -> list[bytes]:
    head = {
        "id": "chatcmpl-1",
        "object": "chat.completion.chunk",
        "model": "model-1",
        "system_fingerprint": "fp_1",
        "service_tier": "default",
    }
    choices = [[{"index": 0, "delta": delta, "finish_reason": None}] for delta in deltas]
    payloads: list[Json] = [{**head, "choices": choice, "usage": None} for choice in choices]
    payloads.append({**head, "choices": [{"index": 0, "delta": {}, "finish_reason": finish}], "usage": None})
    payloads.append({**head, "choices": [], "usage": USAGE})
    return [*(event(payload) for payload in payloads), b"data: [DONE]\n\n"]


def event(payload: object) -> bytes:
    return b"data: " + json.dumps(payload).encode() + b"\n\n"


def stream(text: str) -> list[bytes]:
    middle = len(text) // 2
    return chunks([{"role": "assistant", "content": ""}, {"content": text[:middle]}, {"content": text[middle:]}])


def tool_call(name: str, arguments: Mapping[str, Any]) -> Json:
    call = {"id": "call_1", "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}
    return completion({"content": None, "tool_calls": [call]}, "tool_calls")


def tool_stream(name: str, arguments: Mapping[str, Any]) -> list[bytes]:
    text = json.dumps(arguments)
    pieces: list[Json] = [{"index": 0, "id": "call_1", "type": "function", "function": {"name": name, "arguments": ""}}]
    pieces += [{"index": 0, "function": {"arguments": part}} for part in (text[:3], text[3:])]
    return chunks([{"tool_calls": [piece]} for piece in pieces], "tool_calls")


def error(status: int, code: str, message: str) -> Json:
    return {"error": {"message": message, "type": "invalid_request_error", "param": None, "code": code}}


OPENAI_CHAT = Wording(
    api="openai_chat",
    model="model-1",
    path="/v1/chat/completions",
    key_header=("authorization", f"Bearer {KEY}"),
    answer=lambda text: completion({"content": text, "refusal": None}),
    stream=stream,
    stopped=lambda text, word: completion({"content": text}, word),
    truncated_word="length",
    refusal=completion({"content": None, "refusal": "I cannot help with that."}),
    tool_call=tool_call,
    tool_stream=tool_stream,
    without_usage=lambda payload: {name: value for name, value in payload.items() if name != "usage"},
    error=error,
    stream_error=lambda status, code, message: event({"error": {"code": status, "type": code, "message": message}}),
    asked=asked_in_messages,
    plain_fields=frozenset({"model", "max_tokens", "messages"}),
    done_word=b'"stop"',
)
