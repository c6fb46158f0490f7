"""Ollama's own API: /api/chat, in lines of JSON where it is streamed, and /api/tags for the digest of what a tag stands for.

Pages read 2026-11: docs.ollama.com/openapi.yaml (ModelOptions; chat, tags), reference.langchain.com/python/langchain-ollama
(done_reason, think, thinking). The digest changes whenever a tag is pulled anew with another content: it is the served identity.
"""

from __future__ import annotations

import re
from typing import Any

from exporter.config.model import Target
from exporter.providers.base import Adapter, Lookup, merge
from exporter.providers.chat_completion import read_arguments
from exporter.providers.complaint import find_error
from exporter.providers.failures import read_error, read_failure, read_no_json, unusable
from exporter.providers.finished import Finished, give_answer
from exporter.providers.folded import read_folded
from exporter.providers.lines import read_lines
from exporter.providers.ollama_stream import fold_lines
from exporter.providers.openai_chat import build_chat_body, build_headers
from exporter.providers.reply import Reply
from exporter.providers.shapes import as_count, as_list, as_name, as_object, as_text
from exporter.providers.sse import Event
from exporter.records import Answer, Evidence, Identity, Reason, Request, ToolCall, Usage

DEFAULT_BASE_URL = "http://localhost:11434"
KEY_ENV = "OLLAMA_API_KEY"
_THINK = {"true": True, "false": False}
_LAST = re.compile(rb'(?<!\\)"done": ?true|\{"error"')


def build_path(_: Request) -> str:
    """Where every request goes."""
    return "/api/chat"


def build_body(request: Request, target: Target) -> dict[str, Any]:
    """The body of one request. Sampling goes into `options`, the effort into `think` (true, false, or a level)."""
    chat = build_chat_body(request, "max_tokens")
    body: dict[str, Any] = {
        "model": request.model,
        "messages": chat["messages"],
        "stream": request.stream,
        "options": merge({target.max_tokens_field or "num_predict": request.max_tokens}, request.sampling),
    }
    if request.reasoning_effort is not None:
        body["think"] = _THINK.get(request.reasoning_effort.lower(), request.reasoning_effort)
    if request.tools:
        body["tools"] = chat["tools"]
    return merge(body, request.extra_body)


def read_reply(reply: Reply) -> Answer:
    """The answer in a reply, plain or streamed."""
    if not reply.ok:
        return read_failure(reply)
    events = reply.events
    if events is None:
        try:
            return _read_chat(reply, reply.payload())
        except ValueError:
            events = read_lines(reply.body)
        if len(events) < 2:
            return read_no_json(reply)
    return read_folded(reply, fold_lines(events), _read_chat)


def _read_chat(reply: Reply, payload: object) -> Answer:
    """The answer of a chat. `thinking` is never part of it; a model that was only loaded says nothing."""
    body = as_object(payload)
    usage, identity = _read_usage(body), Identity(served_model=as_name(body.get("model")))
    error = find_error(payload)
    if error is not None:
        return read_error(reply, error, usage, identity)
    message = body.get("message")
    if not isinstance(message, dict):
        if usage is None and "message" not in body:
            return unusable(reply, Reason.BAD_RESPONSE, "the answer is no chat", identity=identity)
        return unusable(reply, Reason.EMPTY_RESPONSE, "the answer holds no message", usage=usage, identity=identity)
    text = as_text(message.get("content"))
    functions = [as_object(as_object(call).get("function")) for call in as_list(message.get("tool_calls"))]
    named = ((as_name(function.get("name")), function.get("arguments")) for function in functions)
    calls = tuple(ToolCall(name, read_arguments(arguments)) for name, arguments in named if name)
    has_thought = bool(message.get("thinking") or message.get("reasoning") or text)
    return give_answer(reply, Finished(text, as_name(body.get("done_reason")), calls, usage, identity, has_thought=has_thought))


def _read_usage(body: Any) -> Usage | None:
    taken_in, output = as_count(body.get("prompt_eval_count")), as_count(body.get("eval_count"))
    if taken_in is None or output is None or taken_in + output == 0:
        return None
    return Usage(input_tokens=taken_in, output_tokens=output)


def read_digest(reply: Reply, model: str) -> str | None:
    """The digest of a tag in the answer of /api/tags; a name without a tag is `latest`. None where it is not listed.

    None too where the model has no size: a bridge to another API makes up a digest, and another one at each start.
    """
    try:
        payload = reply.payload() if reply.ok else None
    except ValueError:
        return None
    wanted = model if ":" in model.rpartition("/")[2] else f"{model}:latest"
    for entry in (as_object(entry) for entry in as_list(as_object(payload).get("models"))):
        if wanted in (entry.get("name"), entry.get("model")):
            return as_name(entry.get("digest")) if entry.get("size") != 0 else None
    return None


def is_last(event: Event) -> bool:
    """The line that says that it is done, or an error. Inside a text its quotes would be escaped."""
    return _LAST.search(event.data) is not None


ADAPTER = Adapter(
    default_base_url=DEFAULT_BASE_URL,
    build_path=build_path,
    key_env=KEY_ENV,
    build_headers=build_headers,
    build_body=build_body,
    read_reply=read_reply,
    is_last=is_last,
    lookup=Lookup("/api/tags", read_digest),
    evidence=Evidence.STRONG,
)
