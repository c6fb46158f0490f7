"""How generateContent says things."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from tests.providers.contract import KEY, Json, Wording
from tests.providers.loopback import Received

USAGE = {"promptTokenCount": 12, "candidatesTokenCount": 3, "totalTokenCount": 15, "serviceTier": "standard"}
PATH = "/v1/models/model-0:generateContent"


def generation(parts: list[Json], finish: str | None = "STOP", **fields: Any) -> Json:
    content: Json = {"role": "model", "parts": parts} if parts else {"role": "model"}
    return {
        "candidates": [{"content": content, "finishReason": finish, "index": 0, "safetyRatings": []}],
        "usageMetadata": {**USAGE},
        "modelVersion": "model-1",
        "responseId": "r1",
        **fields,
    }


def event(payload: object) -> bytes:
    return b"data: " + json.dumps(payload).encode() + b"\n\n"


def events(parts: list[Json]) -> list[bytes]:
    *first, last = parts
    thought = {"text": "Hm.", "thought": True}
    begun = {"promptTokenCount": 12, "totalTokenCount": 12}
    open_chunks = [generation([part], None, usageMetadata=begun) for part in [thought, *first]]
    for chunk in open_chunks:
        del chunk["candidates"][0]["finishReason"]
    return [event(chunk) for chunk in (*open_chunks, generation([last]))]


def stream(text: str) -> list[bytes]:
    middle = len(text) // 2
    return events([{"text": text[:middle]}, {"text": text[middle:]}])


def call(name: str, arguments: Mapping[str, Any]) -> Json:
    return {"functionCall": {"name": name, **({"args": dict(arguments)} if arguments else {})}, "thoughtSignature": "c2ln"}


def error(status: int, code: str, text: str) -> Json:
    return {"error": {"code": status, "message": text, "status": code}}


def asked(received: Received) -> tuple[str, str, int]:
    sent = received.json()
    (content,) = sent["contents"]
    assert content["role"] == "user"
    model = received.path.removeprefix("/v1/models/").partition(":")[0]
    return model, content["parts"][0]["text"], sent["generationConfig"]["maxOutputTokens"]


GEMINI = Wording(
    api="gemini",
    model="model-1",
    path=PATH,
    key_header=("x-goog-api-key", KEY),
    answer=lambda text: generation([{"text": "Hm.", "thought": True}, {"text": text}]),
    stream=stream,
    stopped=lambda text, word: generation([{"text": text}] if text else [], word),
    truncated_word="MAX_TOKENS",
    refusal=None,
    tool_call=lambda name, arguments: generation([call(name, arguments)]),
    tool_stream=lambda name, arguments: events([call(name, arguments)]),
    without_usage=lambda payload: {name: value for name, value in payload.items() if name != "usageMetadata"},
    error=error,
    stream_error=lambda status, code, text: event(error(status, code, text)),
    asked=asked,
    plain_fields=frozenset({"contents", "generationConfig"}),
    done_word=b'"STOP"',
    sampling_in="generationConfig",
    goodbye_events=None,
)
