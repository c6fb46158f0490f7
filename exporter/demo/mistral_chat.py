"""Chat completions as Mistral speaks them: thinking is a part of the content, and a field that is not known is refused.

Looked up 2026-11: docs.rs/mistral-openapi-client (request fields), npm @ai-sdk/mistral 4 (thinking parts, usage in the last chunk).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from exporter.demo.chat import ChatCompletions, chat_event, cut, finish_reason
from exporter.demo.exchange import Ask, BadAskError, Reply
from exporter.demo.tools import as_functions

_FIELDS = frozenset(
    {
        "model",
        "messages",
        "temperature",
        "top_p",
        "max_tokens",
        "stream",
        "stop",
        "random_seed",
        "metadata",
        "response_format",
        "tools",
        "tool_choice",
        "presence_penalty",
        "frequency_penalty",
        "n",
        "prediction",
        "parallel_tool_calls",
        "prompt_mode",
        "reasoning_effort",
        "safe_prompt",
    }
)
_THINKING = {"type": "thinking", "thinking": [{"type": "text", "text": "Let me see. ANSWER: not yet"}]}


class MistralChat(ChatCompletions):
    """Dialect of mistral. An answer is preceded by its thinking where there was some that it does not show."""

    api = "mistral"
    root = "/mistral/v1"
    paths: tuple[str, ...] = ("/mistral/v1/chat/completions",)

    def read(self, body: Mapping[str, Any]) -> Ask:
        """Return what is asked; raises BadAskError."""
        for name in body:
            if name not in _FIELDS:
                raise BadAskError(name, "Extra inputs are not permitted", 422)
        return super().read({**body, "stream_options": {"include_usage": True}})

    def whole(self, reply: Reply) -> dict[str, Any]:
        """Return a chat.completion; the content is a list of parts where there was thinking."""
        body = {**super().whole(reply), "choices": [self._choice("message", _content(reply), reply)]}
        return {name: value for name, value in body.items() if name not in ("usage", "system_fingerprint")} | _usage(reply)

    def events(self, reply: Reply, *, usage: bool) -> Iterator[bytes]:
        """Yield the thinking, the text in pieces, and with the last chunk the usage; then [DONE]."""
        head = self.head(reply, "chat.completion.chunk")
        contents: list[Any] = ["", *([[_THINKING]] if _has_thought(reply) else []), *cut(reply.text)]
        for content in contents:
            yield chat_event({**head, "choices": [self._choice("delta", content)]})
        yield chat_event({**head, "choices": [self._choice("delta", "", reply)], **_usage(reply)})
        yield b"data: [DONE]\n\n"

    def error(self, kind: str, message: str, code: str | None = None, param: str | None = None) -> dict[str, Any]:
        """Return an error body; one that names a field tells it in a list of details."""
        told = message if param is None else {"detail": [{"type": "extra_forbidden", "loc": ["body", param], "msg": message}]}
        return {"object": "error", "message": told, "type": kind, "param": None, "code": code}

    def _choice(self, name: str, content: object, ended: Reply | None = None) -> dict[str, Any]:
        finish = None if ended is None else finish_reason(ended)
        calls = None if ended is None else as_functions(ended.tool_calls) or None
        return {"index": 0, name: {"role": "assistant", "content": content, "tool_calls": calls}, "finish_reason": finish}


def _has_thought(reply: Reply) -> bool:
    return reply.tokens is not None and reply.tokens.reasoning_tokens > 0


def _content(reply: Reply) -> object:
    text = [{"type": "text", "text": reply.text}] if reply.text else []
    return [_THINKING, *text] if _has_thought(reply) else reply.text


def _usage(reply: Reply) -> dict[str, Any]:
    tokens = reply.tokens
    if tokens is None:
        return {}
    counts = {"prompt_tokens": tokens.input_tokens, "completion_tokens": tokens.output_tokens}
    return {"usage": {**counts, "total_tokens": tokens.input_tokens + tokens.output_tokens}}
