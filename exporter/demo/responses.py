"""The OpenAI Responses API as a server speaks it: POST /v1/responses, plain and streamed. The last event holds it all."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from exporter.demo.exchange import Ask, BadAskError, Finish, Reply
from exporter.demo.reading import last_user_text, read_flag, read_limit, read_model
from exporter.demo.tools import read_tools, write_arguments

_INCOMPLETE = {Finish.LENGTH: "max_output_tokens", Finish.CONTENT_FILTER: "content_filter", Finish.ODD: "tuesday"}


class Responses:
    """Dialect of openai_responses."""

    api = "openai_responses"
    root = "/v1"
    paths: tuple[str, ...] = ("/v1/responses",)
    key_headers: tuple[str, ...] = ("authorization",)
    stream_type = "text/event-stream"

    def read(self, body: Mapping[str, Any]) -> Ask:
        """Return what is asked; raises BadAskError."""
        given = body.get("input")
        messages = [{"role": "user", "content": given}] if isinstance(given, str) else given
        if not isinstance(messages, list) or not all(isinstance(message, dict) for message in messages):
            raise BadAskError("input", "Missing required parameter: 'input'.")
        return Ask(
            model=read_model(body),
            prompt=last_user_text(messages),
            system=str(body.get("instructions") or ""),
            max_tokens=read_limit(body, "max_output_tokens"),
            stream=read_flag(body, "stream"),
            usage_in_stream=True,
            tools=read_tools(body.get("tools"), "parameters"),
        )

    def whole(self, reply: Reply) -> dict[str, Any]:
        """Return a response; its items are a reasoning item and, where anything was said, a message."""
        reason = _INCOMPLETE.get(reply.finish)
        part: dict[str, Any] = {"type": "output_text", "text": reply.text, "annotations": []}
        if reply.finish is Finish.REFUSAL:
            part = {"type": "refusal", "refusal": reply.text or "I can't help with that."}
        status = "incomplete" if reason else "completed"
        message = {"id": f"msg_{reply.id}", "type": "message", "role": "assistant", "status": status, "content": [part]}
        said = reply.text or reply.finish is Finish.REFUSAL
        body: dict[str, Any] = {
            "id": f"resp_{reply.id}",
            "object": "response",
            "status": status,
            "error": None,
            "incomplete_details": {"reason": reason} if reason else None,
            "model": reply.model,
            "output": [{"id": f"rs_{reply.id}", "type": "reasoning", "summary": []}, *([message] if said else []), *_calls(reply)],
        }
        if reply.tokens is not None:
            body["usage"] = {
                "input_tokens": reply.tokens.input_tokens,
                "output_tokens": reply.tokens.output_tokens,
                "output_tokens_details": {"reasoning_tokens": reply.tokens.reasoning_tokens},
                "total_tokens": reply.tokens.input_tokens + reply.tokens.output_tokens,
            }
        return body

    def events(self, reply: Reply, *, usage: bool) -> Iterator[bytes]:
        """Yield response.created, the text in pieces, and the event that holds the whole response."""
        whole = self.whole(reply)
        yield _event("response.created", response={**whole, "status": "in_progress", "output": [], "usage": None})
        for start in range(0, len(reply.text), 24):
            yield _event("response.output_text.delta", output_index=1, delta=reply.text[start : start + 24])
        for index, item in enumerate(whole["output"]):
            arguments = item.get("arguments", "")
            for start in range(0, len(arguments), 9):
                yield _event("response.function_call_arguments.delta", output_index=index, delta=arguments[start : start + 9])
            yield _event("response.output_item.done", output_index=index, item=item)
        yield _event(f"response.{whole['status']}", response=whole)

    def error(self, kind: str, message: str, code: str | None = None, param: str | None = None) -> dict[str, Any]:
        """Return an error body."""
        return {"error": {"message": message, "type": kind, "param": param, "code": code}}

    def error_event(self, error: Mapping[str, Any]) -> bytes:
        """Return the event that carries an error body."""
        return _event("error", **{name: error["error"][name] for name in ("code", "message", "param")})


def _calls(reply: Reply) -> list[dict[str, Any]]:
    return [
        {"type": "function_call", "id": f"fc_{index}", "call_id": f"call_{index}", "name": call.name, "arguments": write_arguments(call)}
        for index, call in enumerate(reply.tool_calls)
    ]


def _event(kind: str, **fields: Any) -> bytes:
    return f"event: {kind}\ndata: {json.dumps({'type': kind, **fields}, ensure_ascii=False)}\n\n".encode()
