"""How Cohere says things."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from tests.providers.contract import KEY, Json, Wording, asked_in_messages

USAGE: Json = {"billed_units": {"input_tokens": 12, "output_tokens": 3}, "tokens": {"input_tokens": 70, "output_tokens": 5}}
THINKING: Json = {"type": "thinking", "thinking": "Hm."}


def chat(message: Json, finish: str | None = "COMPLETE", **fields: Any) -> Json:
    return {"id": "c1", "finish_reason": finish, "message": {"role": "assistant", **message}, "usage": USAGE, **fields}


def text_block(text: str) -> Json:
    return {"type": "text", "text": text}


def event(kind: str, **fields: Any) -> bytes:
    return f"event: {kind}\ndata: {json.dumps({'type': kind, **fields})}\n\n".encode()


def ended(finish: str) -> list[bytes]:
    return [event("message-end", delta={"finish_reason": finish, "usage": USAGE}), b"data: [DONE]\n\n"]


def stream(text: str) -> list[bytes]:
    middle = len(text) // 2
    return [
        event("message-start", id="c1", delta={"message": {"role": "assistant", "content": []}}),
        event("content-start", index=0, delta={"message": {"content": {"type": "thinking", "thinking": ""}}}),
        event("content-delta", index=0, delta={"message": {"content": {"thinking": "Hm."}}}),
        event("content-end", index=0),
        event("content-start", index=1, delta={"message": {"content": {"type": "text", "text": ""}}}),
        *(event("content-delta", index=1, delta={"message": {"content": {"text": part}}}) for part in (text[:middle], text[middle:])),
        event("content-end", index=1),
        *ended("COMPLETE")[:1],
    ]


def call(name: str, arguments: str) -> Json:
    return {"id": "t1", "type": "function", "function": {"name": name, "arguments": arguments}}


def tool_stream(name: str, arguments: Mapping[str, Any]) -> list[bytes]:
    text = json.dumps(arguments)
    return [
        event("message-start", id="c1", delta={"message": {"role": "assistant"}}),
        event("tool-plan-delta", delta={"message": {"tool_plan": "I will look."}}),
        event("tool-call-start", index=0, delta={"message": {"tool_calls": call(name, "")}}),
        *(
            event("tool-call-delta", index=0, delta={"message": {"tool_calls": {"function": {"arguments": part}}}})
            for part in (text[:3], text[3:])
        ),
        event("tool-call-end", index=0),
        *ended("TOOL_CALL")[:1],
    ]


def error(status: int, code: str, text: str) -> Json:
    return {"id": "e1", "message": text, "type": code}


COHERE = Wording(
    api="cohere",
    model="model-1",
    path="/v1/chat",
    key_header=("authorization", f"Bearer {KEY}"),
    answer=lambda text: chat({"content": [THINKING, text_block(text)]}),
    stream=stream,
    stopped=lambda text, word: chat({"content": [text_block(text)] if text else []}, word),
    truncated_word="MAX_TOKENS",
    refusal=None,
    tool_call=lambda name, arguments: chat({"tool_plan": "I will look.", "tool_calls": [call(name, json.dumps(arguments))]}, "TOOL_CALL"),
    tool_stream=tool_stream,
    without_usage=lambda payload: {name: value for name, value in payload.items() if name != "usage"},
    error=error,
    stream_error=lambda status, code, text: f"event: error\ndata: {json.dumps({'message': text, 'code': code})}\n\n".encode(),
    asked=asked_in_messages,
    plain_fields=frozenset({"model", "max_tokens", "messages"}),
    done_word=b"event: message-end",
    goodbye_events=0,
    served=None,
)
