"""Ollama's own chat as a server speaks it: POST /v1/api/chat, streamed in lines of JSON; GET /v1/api/tags is in `app`."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from typing import Any

from exporter.demo.behaviour import Behaviour
from exporter.demo.exchange import Ask, Finish, Reply
from exporter.demo.reading import last_user_text, read_flag, read_limit, read_messages, read_model, system_text
from exporter.demo.tools import read_functions

_REASON = {Finish.STOP: "stop", Finish.LENGTH: "length", Finish.ODD: "tuesday"}


class OllamaChat:
    """Dialect of ollama. Below /v1, so that one base URL serves a target of any API."""

    api = "ollama"
    root = "/v1"
    paths: tuple[str, ...] = ("/v1/api/chat",)
    key_headers: tuple[str, ...] = ("authorization",)
    stream_type = "application/x-ndjson"

    def read(self, body: Mapping[str, Any]) -> Ask:
        """Return what is asked; raises BadAskError. Unlike elsewhere an answer is streamed unless the request says no."""
        messages = read_messages(body)
        return Ask(
            model=read_model(body),
            prompt=last_user_text(messages),
            system=system_text(messages),
            max_tokens=read_limit(body.get("options") or {}, "num_predict"),
            stream="stream" not in body or read_flag(body, "stream"),
            usage_in_stream=True,
            tools=read_functions(body),
        )

    def whole(self, reply: Reply) -> dict[str, Any]:
        """Return a chat."""
        body: dict[str, Any] = {
            "model": reply.model,
            "message": {"role": "assistant", "content": reply.text, **_calls(reply)},
            "done": True,
            "done_reason": _REASON.get(reply.finish, "stop"),
        }
        if reply.tokens is not None:
            body |= {"prompt_eval_count": reply.tokens.input_tokens, "eval_count": reply.tokens.output_tokens}
        return body

    def events(self, reply: Reply, *, usage: bool) -> Iterator[bytes]:
        """Yield the text in pieces, then the line that is done."""
        for start in range(0, len(reply.text), 24):
            message = {"role": "assistant", "content": reply.text[start : start + 24]}
            yield _line({"model": reply.model, "message": message, "done": False})
        if reply.tool_calls:
            yield _line({"model": reply.model, "message": {"role": "assistant", "content": "", **_calls(reply)}, "done": False})
        yield _line({**self.whole(reply), "message": {"role": "assistant", "content": ""}})

    def error(self, kind: str, message: str, code: str | None = None, param: str | None = None) -> dict[str, Any]:
        """Return an error body."""
        return {"error": message}

    def error_event(self, error: Mapping[str, Any]) -> bytes:
        """Return the line that carries an error body."""
        return _line(error)


def _calls(reply: Reply) -> dict[str, Any]:
    """Return the calls as a part of a message: their arguments are objects here, and they have no ids."""
    calls = [{"function": {"name": call.name, "arguments": dict(call.arguments or {})}} for call in reply.tool_calls]
    return {"tool_calls": calls} if calls else {}


def list_tags(models: Mapping[str, Behaviour]) -> dict[str, Any]:
    """Return the document of /api/tags; a model that another one serves has another digest."""
    served = {name: behaviour.served_model or name for name, behaviour in models.items()}
    tags = {name if ":" in name else f"{name}:latest": hashlib.sha256(model.encode()).hexdigest() for name, model in served.items()}
    return {"models": [{"name": tag, "model": tag, "digest": digest} for tag, digest in tags.items()]}


def _line(payload: Mapping[str, Any]) -> bytes:
    return json.dumps(payload, ensure_ascii=False).encode() + b"\n"
