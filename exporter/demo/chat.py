"""The OpenAI Chat Completions API as a server speaks it: POST /v1/chat/completions, plain and streamed.

Streams carry the usage in one more chunk without choices, where stream_options.include_usage asks for it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from exporter.demo.exchange import Ask, BadAskError, Finish, Reply
from exporter.demo.reading import last_user_text, read_flag, read_limit, read_messages, read_model, system_text
from exporter.demo.tools import as_functions, read_functions

CREATED = 1_800_000_000
"""Nothing reads when an answer was created; a fixed moment keeps the same asks' answers the same."""
FINISH_REASON = {
    Finish.STOP: "stop",
    Finish.LENGTH: "length",
    Finish.REFUSAL: "stop",
    Finish.CONTENT_FILTER: "content_filter",
    Finish.ODD: "tuesday",
}


class ChatCompletions:
    """Dialect of openai_chat."""

    api = "openai_chat"
    root = "/v1"
    paths: tuple[str, ...] = ("/v1/chat/completions",)
    key_headers: tuple[str, ...] = ("authorization",)
    stream_type = "text/event-stream"

    def read(self, body: Mapping[str, Any]) -> Ask:
        """Return what is asked; raises BadAskError."""
        messages = read_messages(body)
        options = body.get("stream_options") or {}
        if not isinstance(options, dict):
            raise BadAskError("stream_options", "Invalid type for 'stream_options': expected an object.")
        return Ask(
            model=read_model(body),
            prompt=last_user_text(messages),
            system=system_text(messages, "system", "developer"),
            max_tokens=read_limit(body, "max_completion_tokens") or read_limit(body, "max_tokens"),
            stream=read_flag(body, "stream"),
            usage_in_stream=read_flag(options, "include_usage"),
            tools=read_functions(body),
        )

    def whole(self, reply: Reply) -> dict[str, Any]:
        """Return a chat.completion."""
        message: dict[str, Any] = {"role": "assistant", "content": reply.text, "refusal": None}
        if reply.tool_calls:
            message |= {"content": reply.text or None, "tool_calls": as_functions(reply.tool_calls)}
        if reply.finish is Finish.REFUSAL:
            message = {"role": "assistant", "content": None, "refusal": reply.text or "I can't help with that."}
        body = self.head(reply, "chat.completion")
        body["choices"] = [{"index": 0, "message": message, "logprobs": None, "finish_reason": finish_reason(reply)}]
        if reply.tokens is not None:
            body["usage"] = _usage(reply)
        return body

    def events(self, reply: Reply, *, usage: bool) -> Iterator[bytes]:
        """Yield chat.completion.chunk events, usage in one of its own after the last choice, then [DONE]."""
        field = "refusal" if reply.finish is Finish.REFUSAL else "content"
        pieces = cut(reply.text or ("I can't help with that." if field == "refusal" else ""))
        deltas: list[dict[str, Any]] = [{"role": "assistant", "content": "", "refusal": None}, *({field: piece} for piece in pieces)]
        deltas += [*({"tool_calls": [piece]} for piece in _cut_calls(reply)), {}]
        for number, delta in enumerate(deltas):
            finish = finish_reason(reply) if number == len(deltas) - 1 else None
            chunk = self.head(reply, "chat.completion.chunk")
            chunk["choices"] = [{"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}]
            if usage:
                chunk["usage"] = None
            yield chat_event(chunk)
        if usage and reply.tokens is not None:
            yield chat_event({**self.head(reply, "chat.completion.chunk"), "choices": [], "usage": _usage(reply)})
        yield b"data: [DONE]\n\n"

    def error(self, kind: str, message: str, code: str | None = None, param: str | None = None) -> dict[str, Any]:
        """Return an error body."""
        return {"error": {"message": message, "type": kind, "param": param, "code": code}}

    def error_event(self, error: Mapping[str, Any]) -> bytes:
        """Return the event that carries an error body."""
        return chat_event(error)

    def head(self, reply: Reply, kind: str) -> dict[str, Any]:
        """Return what a completion and its chunks begin with."""
        return {
            "id": f"chatcmpl-{reply.id}",
            "object": kind,
            "created": CREATED,
            "model": reply.model,
            "system_fingerprint": reply.fingerprint,
        }


def finish_reason(reply: Reply) -> str:
    """Return the word for why an answer ended."""
    return "tool_calls" if reply.tool_calls and reply.finish is Finish.STOP else FINISH_REASON[reply.finish]


def _cut_calls(reply: Reply) -> Iterator[dict[str, Any]]:
    """Yield the pieces in which calls are streamed: the name first, then the arguments, all by the call's index."""
    for index, call in enumerate(as_functions(reply.tool_calls)):
        name, arguments = call["function"]["name"], call["function"]["arguments"]
        yield {"index": index, **call, "function": {"name": name, "arguments": ""}}
        yield from ({"index": index, "function": {"arguments": piece}} for piece in cut(arguments, 9))


def _usage(reply: Reply) -> dict[str, Any]:
    tokens = reply.tokens
    if tokens is None:
        return {}
    return {
        "prompt_tokens": tokens.input_tokens,
        "completion_tokens": tokens.output_tokens,
        "total_tokens": tokens.input_tokens + tokens.output_tokens,
        "prompt_tokens_details": {"cached_tokens": 0},
        "completion_tokens_details": {"reasoning_tokens": tokens.reasoning_tokens},
    }


def cut(text: str, size: int = 24) -> Iterator[str]:
    """Return the pieces in which a text is streamed."""
    return (text[start : start + size] for start in range(0, len(text), size))


def chat_event(chunk: Mapping[str, Any]) -> bytes:
    """Return a chunk as an event."""
    return b"data: " + json.dumps(chunk, ensure_ascii=False).encode() + b"\n\n"
