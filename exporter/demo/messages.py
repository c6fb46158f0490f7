"""The Anthropic Messages API as a server speaks it: POST /v1/messages, plain and streamed.

Streams always carry it: the input in message_start, the output in message_delta.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from exporter.demo.exchange import Ask, BadAskError, Finish, Reply
from exporter.demo.reading import last_user_text, read_flag, read_limit, read_messages, read_model, text_of
from exporter.demo.tools import read_tools, write_arguments
from exporter.records import ToolCall

_STOP_REASON = {
    Finish.STOP: "end_turn",
    Finish.LENGTH: "max_tokens",
    Finish.REFUSAL: "refusal",
    Finish.CONTENT_FILTER: "refusal",
    Finish.ODD: "tuesday",
}


class Messages:
    """Dialect of anthropic."""

    api = "anthropic"
    root = "/v1"
    paths: tuple[str, ...] = ("/v1/messages",)
    key_headers: tuple[str, ...] = ("x-api-key", "authorization")
    stream_type = "text/event-stream"

    def read(self, body: Mapping[str, Any]) -> Ask:
        """Return what is asked; raises BadAskError. Unlike elsewhere max_tokens is required."""
        model, messages, limit = read_model(body), read_messages(body), read_limit(body, "max_tokens")
        if limit is None:
            raise BadAskError("max_tokens", "max_tokens: Field required")
        return Ask(
            model=model,
            prompt=last_user_text(messages),
            system=text_of({"content": body.get("system") or ""}),
            max_tokens=limit,
            stream=read_flag(body, "stream"),
            usage_in_stream=True,
            tools=read_tools(body.get("tools"), "input_schema"),
        )

    def whole(self, reply: Reply) -> dict[str, Any]:
        """Return a message. A refusal has no content."""
        content: list[dict[str, Any]] = [{"type": "text", "text": reply.text}] if reply.text else []
        content += [_block(index, call, call.arguments or {}) for index, call in enumerate(reply.tool_calls)]
        body = {**self._head(reply), "content": content, "stop_reason": _stop_reason(reply), "stop_sequence": None}
        if reply.tokens is not None:
            body["usage"] = {"input_tokens": reply.tokens.input_tokens, "output_tokens": reply.tokens.output_tokens}
        return body

    def events(self, reply: Reply, *, usage: bool) -> Iterator[bytes]:
        """Yield message_start, the content blocks, message_delta with the usage, message_stop."""
        tokens = reply.tokens
        started: dict[str, Any] = {**self._head(reply), "content": [], "stop_reason": None, "stop_sequence": None}
        ended: dict[str, Any] = {"type": "message_delta", "delta": {"stop_reason": _stop_reason(reply), "stop_sequence": None}}
        if tokens is not None:
            started["usage"] = {"input_tokens": tokens.input_tokens, "output_tokens": 1}
            ended["usage"] = {"output_tokens": tokens.output_tokens}
        yield _event({"type": "message_start", "message": started})
        yield _event({"type": "ping"})
        if reply.text:
            yield _event({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}})
            for start in range(0, len(reply.text), 24):
                delta = {"type": "text_delta", "text": reply.text[start : start + 24]}
                yield _event({"type": "content_block_delta", "index": 0, "delta": delta})
            yield _event({"type": "content_block_stop", "index": 0})
        for index, call in enumerate(reply.tool_calls, start=1 if reply.text else 0):
            yield _event({"type": "content_block_start", "index": index, "content_block": _block(index, call, {})})
            arguments = write_arguments(call)
            for start in range(0, len(arguments), 9):
                delta = {"type": "input_json_delta", "partial_json": arguments[start : start + 9]}
                yield _event({"type": "content_block_delta", "index": index, "delta": delta})
            yield _event({"type": "content_block_stop", "index": index})
        yield _event(ended)
        yield _event({"type": "message_stop"})

    def error(self, kind: str, message: str, code: str | None = None, param: str | None = None) -> dict[str, Any]:
        """Return an error body."""
        return {"type": "error", "error": {"type": kind, "message": message}, "request_id": "req_mock"}

    def error_event(self, error: Mapping[str, Any]) -> bytes:
        """Return the event that carries an error body."""
        return _event(error)

    def _head(self, reply: Reply) -> dict[str, Any]:
        return {"id": f"msg_{reply.id}", "type": "message", "role": "assistant", "model": reply.model}


def _stop_reason(reply: Reply) -> str:
    return "tool_use" if reply.tool_calls and reply.finish is Finish.STOP else _STOP_REASON[reply.finish]


def _block(index: int, call: ToolCall, arguments: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "tool_use", "id": f"toolu_{index}", "name": call.name, "input": dict(arguments)}


def _event(event: Mapping[str, Any]) -> bytes:
    return f"event: {event['type']}\n".encode() + b"data: " + json.dumps(event, ensure_ascii=False).encode() + b"\n\n"
