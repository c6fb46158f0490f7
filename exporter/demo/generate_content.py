"""Google's generateContent as a server speaks it: POST /v1/models/<model>:generateContent and :streamGenerateContent."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from exporter.demo.exchange import Ask, BadAskError, Finish, Reply
from exporter.demo.reading import read_limit, read_model
from exporter.demo.tools import read_tools

_REASON = {Finish.STOP: "STOP", Finish.LENGTH: "MAX_TOKENS", Finish.CONTENT_FILTER: "SAFETY", Finish.ODD: "TUESDAY"}


class GenerateContent:
    """Dialect of gemini. `model` and `method` come from the path."""

    api = "gemini"
    root = "/v1"
    paths: tuple[str, ...] = ("/v1/models/{model}:{method}",)
    key_headers: tuple[str, ...] = ("x-goog-api-key",)
    stream_type = "text/event-stream"

    def read(self, body: Mapping[str, Any]) -> Ask:
        """Return what is asked; raises BadAskError."""
        generation = body.get("generationConfig") or {}
        return Ask(
            model=read_model(body),
            prompt=_text_of((body.get("contents") or [None])[-1], "contents"),
            system=_text_of(body["systemInstruction"], "systemInstruction") if body.get("systemInstruction") else "",
            max_tokens=read_limit(generation, "maxOutputTokens"),
            stream=body.get("method") == "streamGenerateContent",
            usage_in_stream=True,
            tools=_read_declarations(body.get("tools")),
        )

    def whole(self, reply: Reply) -> dict[str, Any]:
        """Return a response. Where nothing was said the content has no parts; counts of nought are left out."""
        parts = [*([{"text": reply.text}] if reply.text else []), *_calls(reply)]
        content: dict[str, Any] = {"role": "model", **({"parts": parts} if parts else {})}
        body: dict[str, Any] = {
            "candidates": [{"content": content, "finishReason": _REASON.get(reply.finish, "OTHER"), "index": 0}],
            "modelVersion": reply.model,
            "responseId": reply.id,
        }
        if reply.tokens is not None:
            said = reply.tokens.output_tokens - reply.tokens.reasoning_tokens
            counts = {
                "promptTokenCount": reply.tokens.input_tokens,
                "candidatesTokenCount": said,
                "thoughtsTokenCount": reply.tokens.reasoning_tokens,
                "totalTokenCount": reply.tokens.input_tokens + reply.tokens.output_tokens,
            }
            body["usageMetadata"] = {name: count for name, count in counts.items() if count}
        return body

    def events(self, reply: Reply, *, usage: bool) -> Iterator[bytes]:
        """Yield the text in pieces, then the finish reason and the counts."""
        whole = self.whole(reply)
        (candidate,) = whole["candidates"]
        for start in range(0, len(reply.text), 24):
            content = {"role": "model", "parts": [{"text": reply.text[start : start + 24]}]}
            yield _event({"candidates": [{"content": content, "index": 0}], "modelVersion": reply.model})
        for call in _calls(reply):
            yield _event({"candidates": [{"content": {"role": "model", "parts": [call]}, "index": 0}], "modelVersion": reply.model})
        yield _event({**whole, "candidates": [{**candidate, "content": {"role": "model"}}]})

    def error(self, kind: str, message: str, code: str | None = None, param: str | None = None) -> dict[str, Any]:
        """Return an error body."""
        return {"error": {"message": message, "status": "INVALID_ARGUMENT" if kind == "invalid_request_error" else kind.upper()}}

    def error_event(self, error: Mapping[str, Any]) -> bytes:
        """Return the event that carries an error body."""
        return _event(error)


def _calls(reply: Reply) -> list[dict[str, Any]]:
    return [{"functionCall": {"name": call.name, "args": dict(call.arguments or {})}} for call in reply.tool_calls]


def _read_declarations(tools: object) -> tuple[str, ...]:
    listed = [tool.get("functionDeclarations") for tool in tools if isinstance(tool, dict)] if isinstance(tools, list) else []
    return tuple(name for declarations in listed for name in read_tools(declarations, "parametersJsonSchema"))


def _text_of(content: object, name: str) -> str:
    parts = content.get("parts") if isinstance(content, dict) else None
    if not isinstance(parts, list) or not all(isinstance(part, dict) for part in parts):
        raise BadAskError(name, f"* GenerateContentRequest.{name}: contents is not specified")
    return "".join(str(part.get("text", "")) for part in parts)


def _event(payload: Mapping[str, Any]) -> bytes:
    return b"data: " + json.dumps(payload, ensure_ascii=False).encode() + b"\n\n"
