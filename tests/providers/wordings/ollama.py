"""How Ollama says things; errors as a gateway in front of it words them, for its own are bare strings (test_ollama)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from tests.providers.contract import KEY, Json, Wording
from tests.providers.loopback import STREAM_HEAD, Received

TAGS: Json = {"models": [{"name": "model-0:latest", "model": "model-0:latest", "digest": "sha256:ab12", "size": 1}]}


def chat(message: Json, done_reason: str | None = "stop", **fields: Any) -> Json:
    return {
        "model": "model-1",
        "created_at": "2026-11-30T09:00:00Z",
        "message": {"role": "assistant", **message},
        "done": True,
        "done_reason": done_reason,
        "prompt_eval_count": 12,
        "eval_count": 3,
        **fields,
    }


def line(payload: object) -> bytes:
    return json.dumps(payload).encode() + b"\n"


def lines(*messages: Json) -> list[bytes]:
    begun = [{"model": "model-1", "message": {"role": "assistant", **message}, "done": False} for message in messages]
    return [line(payload) for payload in (*begun, chat({"content": ""}))]


def stream(text: str) -> list[bytes]:
    middle = len(text) // 2
    return lines({"content": "", "thinking": "Hm."}, {"content": text[:middle]}, {"content": text[middle:]})


def call(name: str, arguments: Mapping[str, Any]) -> Json:
    return {"content": "", "tool_calls": [{"function": {"name": name, "arguments": dict(arguments)}}]}


def error(status: int, code: str, text: str) -> Json:
    return {"error": {"message": text, "code": code}}


def asked(received: Received) -> tuple[str, str, int]:
    sent = received.json()
    assert sent["messages"][-1]["role"] == "user"
    return sent["model"], sent["messages"][-1]["content"], sent["options"]["num_predict"]


OLLAMA = Wording(
    api="ollama",
    model="model-1",
    path="/v1/api/chat",
    key_header=("authorization", f"Bearer {KEY}"),
    answer=lambda text: chat({"content": text, "thinking": "Hm."}),
    stream=stream,
    stopped=lambda text, word: chat({"content": text}, word),
    truncated_word="length",
    refusal=None,
    tool_call=lambda name, arguments: chat(call(name, arguments)),
    tool_stream=lambda name, arguments: lines(call(name, arguments)),
    without_usage=lambda payload: {name: value for name, value in payload.items() if not name.endswith("eval_count")},
    error=error,
    stream_error=lambda status, code, text: line(error(status, code, text)),
    asked=asked,
    plain_fields=frozenset({"model", "messages", "stream", "options"}),
    done_word=b'"done": true',
    sampling_in="options",
    goodbye_events=0,
    stream_head=STREAM_HEAD.replace(b"text/event-stream", b"application/x-ndjson"),
    looked_up=TAGS,
)
