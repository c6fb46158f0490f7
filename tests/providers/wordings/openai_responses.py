"""How the Responses API says things."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from tests.providers.contract import KEY, Json, Wording
from tests.providers.loopback import Received

USAGE = {
    "input_tokens": 12,
    "input_tokens_details": {"cached_tokens": 0},
    "output_tokens": 3,
    "output_tokens_details": {"reasoning_tokens": 0},
    "total_tokens": 15,
}
REASONING: Json = {"id": "rs_1", "type": "reasoning", "summary": [{"type": "summary_text", "text": "Hm."}]}


def response(output: list[Json], status: str = "completed", **fields: Any) -> Json:
    return {
        "id": "resp_1",
        "object": "response",
        "created_at": 1_790_000_000,
        "status": status,
        "error": None,
        "incomplete_details": None,
        "model": "model-1",
        "output": output,
        "service_tier": "default",
        "usage": USAGE,
        **fields,
    }


def message(*parts: Json, status: str = "completed") -> Json:
    return {"id": "msg_1", "type": "message", "role": "assistant", "status": status, "content": list(parts)}


def text_part(text: str) -> Json:
    return {"type": "output_text", "text": text, "annotations": []}


def call(name: str, arguments: Mapping[str, Any]) -> Json:
    return {"id": "fc_1", "type": "function_call", "call_id": "call_1", "name": name, "arguments": json.dumps(arguments)}


def event(kind: str, **fields: Any) -> bytes:
    return f"event: {kind}\ndata: {json.dumps({'type': kind, 'sequence_number': 0, **fields})}\n\n".encode()


def stream(text: str) -> list[bytes]:
    middle = len(text) // 2
    return [
        event("response.created", response=response([], "in_progress", usage=None)),
        event("response.output_item.added", output_index=0, item={**REASONING, "summary": []}),
        event("response.output_item.done", output_index=0, item=REASONING),
        event("response.output_item.added", output_index=1, item=message(status="in_progress")),
        *(event("response.output_text.delta", output_index=1, delta=part) for part in (text[:middle], text[middle:])),
        event("response.output_item.done", output_index=1, item=message(text_part(text))),
        event("response.completed", response=response([REASONING, message(text_part(text))])),
    ]


def tool_stream(name: str, arguments: Mapping[str, Any]) -> list[bytes]:
    return [
        event("response.created", response=response([], "in_progress", usage=None)),
        event("response.output_item.added", output_index=0, item={**call(name, {}), "arguments": ""}),
        event("response.function_call_arguments.delta", output_index=0, delta=json.dumps(arguments)),
        event("response.output_item.done", output_index=0, item=call(name, arguments)),
        event("response.completed", response=response([call(name, arguments)])),
    ]


def error(status: int, code: str, text: str) -> Json:
    return {"error": {"message": text, "type": "invalid_request_error", "param": None, "code": code}}


def asked(received: Received) -> tuple[str, str, int]:
    sent = received.json()
    (item,) = sent["input"]
    assert item["role"] == "user"
    assert sent["store"] is False
    return sent["model"], item["content"], sent["max_output_tokens"]


OPENAI_RESPONSES = Wording(
    api="openai_responses",
    model="model-1",
    path="/v1/responses",
    key_header=("authorization", f"Bearer {KEY}"),
    answer=lambda text: response([REASONING, message(text_part(text))]),
    stream=stream,
    stopped=lambda text, word: response(
        [REASONING, *([message(text_part(text), status="incomplete")] if text else [])], "incomplete", incomplete_details={"reason": word}
    ),
    truncated_word="max_output_tokens",
    refusal=response([message({"type": "refusal", "refusal": "I cannot help with that."})]),
    tool_call=lambda name, arguments: response([call(name, arguments)]),
    tool_stream=tool_stream,
    without_usage=lambda payload: {name: value for name, value in payload.items() if name != "usage"},
    error=error,
    stream_error=lambda status, code, text: event("error", code=code, message=text, param=None),
    asked=asked,
    plain_fields=frozenset({"model", "input", "max_output_tokens", "store"}),
    done_word=b"event: response.completed",
    goodbye_events=0,
)
