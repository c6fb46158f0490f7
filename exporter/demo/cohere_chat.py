"""Version 2 of Cohere's chat as a server speaks it: POST /v1/chat, plain and streamed. It never names the model."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from exporter.demo.exchange import Ask, Finish, Reply
from exporter.demo.reading import last_user_text, read_flag, read_limit, read_messages, read_model, system_text
from exporter.demo.tools import as_functions, read_functions

_REASON = {Finish.STOP: "COMPLETE", Finish.LENGTH: "MAX_TOKENS", Finish.ODD: "TUESDAY"}


class CohereChat:
    """Dialect of cohere."""

    api = "cohere"
    root = "/v1"
    paths: tuple[str, ...] = ("/v1/chat",)
    key_headers: tuple[str, ...] = ("authorization",)
    stream_type = "text/event-stream"

    def read(self, body: Mapping[str, Any]) -> Ask:
        """Return what is asked; raises BadAskError."""
        messages = read_messages(body)
        return Ask(
            model=read_model(body),
            prompt=last_user_text(messages),
            system=system_text(messages),
            max_tokens=read_limit(body, "max_tokens"),
            stream=read_flag(body, "stream"),
            usage_in_stream=True,
            tools=read_functions(body),
        )

    def whole(self, reply: Reply) -> dict[str, Any]:
        """Return a chat."""
        content = [{"type": "text", "text": reply.text}] if reply.text else []
        message: dict[str, Any] = {"role": "assistant", "content": content}
        if reply.tool_calls:
            message |= {"tool_plan": "I will use a tool.", "tool_calls": as_functions(reply.tool_calls)}
        return {"id": reply.id, "finish_reason": _finish_reason(reply), "message": message, **_usage(reply)}

    def events(self, reply: Reply, *, usage: bool) -> Iterator[bytes]:
        """Yield message-start, the text in pieces, message-end."""
        yield _event("message-start", id=reply.id, delta={"message": {"role": "assistant", "content": []}})
        for start in range(0, len(reply.text), 24):
            yield _event("content-delta", index=0, delta={"message": {"content": {"text": reply.text[start : start + 24]}}})
        for index, call in enumerate(as_functions(reply.tool_calls)):
            arguments = call["function"]["arguments"]
            begun = {**call, "function": {**call["function"], "arguments": ""}}
            yield _event("tool-call-start", index=index, delta={"message": {"tool_calls": begun}})
            for start in range(0, len(arguments), 9):
                piece = {"function": {"arguments": arguments[start : start + 9]}}
                yield _event("tool-call-delta", index=index, delta={"message": {"tool_calls": piece}})
            yield _event("tool-call-end", index=index)
        yield _event("message-end", delta={"finish_reason": _finish_reason(reply), **_usage(reply)})

    def error(self, kind: str, message: str, code: str | None = None, param: str | None = None) -> dict[str, Any]:
        """Return an error body."""
        return {"id": "mock", "message": message}

    def error_event(self, error: Mapping[str, Any]) -> bytes:
        """Return the event that carries an error body."""
        return _event("message-end", delta={"finish_reason": "ERROR", "error": error["message"]})


def _finish_reason(reply: Reply) -> str:
    return "TOOL_CALL" if reply.tool_calls and reply.finish is Finish.STOP else _REASON.get(reply.finish, "COMPLETE")


def _usage(reply: Reply) -> dict[str, Any]:
    tokens = reply.tokens
    if tokens is None:
        return {}
    counts = {"input_tokens": tokens.input_tokens, "output_tokens": tokens.output_tokens}
    return {"usage": {"billed_units": counts, "tokens": counts}}


def _event(kind: str, **fields: Any) -> bytes:
    return f"event: {kind}\ndata: {json.dumps({'type': kind, **fields}, ensure_ascii=False)}\n\n".encode()
