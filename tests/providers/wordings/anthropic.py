"""How the Messages API says things."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from tests.providers.contract import KEY, Json, Wording, asked_in_messages

USAGE = {
    "input_tokens": 12,
    "cache_creation_input_tokens": 0,
    "cache_read_input_tokens": 0,
    "output_tokens": 3,
    "service_tier": "standard",
    "inference_geo": "eu",
}


def message(content: list[Json], stop: str | None = "end_turn", **fields: Any) -> Json:
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "model-1",
        "content": content,
        "stop_reason": stop,
        "stop_sequence": None,
        "stop_details": None,
        "usage": USAGE,
        **fields,
    }


def event(kind: str, **fields: Any) -> bytes:
    return f"event: {kind}\ndata: {json.dumps({'type': kind, **fields})}\n\n".encode()


def events(block: Json, deltas: list[Json], stop: str = "end_turn") -> list[bytes]:
    start = message([], None, usage={**USAGE, "output_tokens": 1})
    return [
        event("message_start", message=start),
        event("content_block_start", index=0, content_block={"type": "thinking", "thinking": "", "signature": ""}),
        event("ping"),
        event("content_block_delta", index=0, delta={"type": "thinking_delta", "thinking": "Hm."}),
        event("content_block_stop", index=0),
        event("content_block_start", index=1, content_block=block),
        *(event("content_block_delta", index=1, delta=delta) for delta in deltas),
        event("content_block_stop", index=1),
        event("message_delta", delta={"stop_reason": stop, "stop_sequence": None}, usage={"output_tokens": 3}),
        event("message_stop"),
    ]


def stream(text: str) -> list[bytes]:
    middle = len(text) // 2
    deltas: list[Json] = [{"type": "text_delta", "text": part} for part in (text[:middle], text[middle:])]
    return events({"type": "text", "text": ""}, deltas)


def tool_stream(name: str, arguments: Mapping[str, Any]) -> list[bytes]:
    text = json.dumps(arguments)
    deltas: list[Json] = [{"type": "input_json_delta", "partial_json": part} for part in ("", text[:3], text[3:])]
    return events({"type": "tool_use", "id": "toolu_1", "name": name, "input": {}}, deltas, "tool_use")


def error(status: int, code: str, text: str) -> Json:
    return {"type": "error", "error": {"type": code, "message": text}, "request_id": "req_1"}


ANTHROPIC = Wording(
    api="anthropic",
    model="model-1",
    path="/v1/messages",
    key_header=("x-api-key", KEY),
    answer=lambda text: message([{"type": "thinking", "thinking": "Hm.", "signature": "c2ln"}, {"type": "text", "text": text}]),
    stream=stream,
    stopped=lambda text, word: message([{"type": "text", "text": text}], word),
    truncated_word="max_tokens",
    refusal=message([], "refusal", stop_details={"type": "refusal", "category": "cyber", "explanation": None}),
    tool_call=lambda name, arguments: message([{"type": "tool_use", "id": "toolu_1", "name": name, "input": dict(arguments)}], "tool_use"),
    tool_stream=tool_stream,
    without_usage=lambda payload: {name: value for name, value in payload.items() if name != "usage"},
    error=error,
    stream_error=lambda status, code, text: event("error", error={"type": code, "message": text}),
    asked=asked_in_messages,
    plain_fields=frozenset({"model", "max_tokens", "messages"}),
    done_word=b'"end_turn"',
)
