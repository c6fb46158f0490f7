"""A chat of Cohere → Answer, whatever fields are missing, null, or of another type than documented; and its stream, folded."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from exporter.providers.chat_completion import read_arguments, read_content
from exporter.providers.complaint import find_error
from exporter.providers.failures import ONLY_STREAMS, read_error, unusable
from exporter.providers.finished import Finished, give_answer
from exporter.providers.folded import Folded, read_events
from exporter.providers.reply import Reply
from exporter.providers.shapes import as_count, as_list, as_name, as_object
from exporter.providers.sse import Event
from exporter.records import Answer, Reason, ToolCall, Usage


def read_chat(reply: Reply, payload: object) -> Answer:
    """The answer of a chat. Text blocks are joined; thinking and the plan of a tool call are passed over."""
    body = as_object(payload)
    usage, message = read_usage(body.get("usage")), body.get("message")
    error = find_error(payload) or (body if isinstance(message, str) else None)
    if error is not None:
        return read_error(reply, error, usage)
    if not isinstance(message, dict):
        if usage is None and "message" not in body:
            return unusable(reply, Reason.BAD_RESPONSE, "the answer is no chat")
        hint = ONLY_STREAMS if reply.events is None else ""
        return unusable(reply, Reason.EMPTY_RESPONSE, "the answer holds no message", hint, usage=usage)
    text, _ = read_content(message.get("content"))
    if text is None:
        return unusable(reply, Reason.BAD_RESPONSE, "the content of the answer is neither text nor blocks", usage=usage)
    return give_answer(reply, Finished(text, as_name(body.get("finish_reason")), _read_calls(message), usage))


def read_usage(value: object) -> Usage | None:
    """Tokens as they are billed, else as they were counted; None where neither is told."""
    usage = as_object(value)
    for name in ("billed_units", "tokens"):
        counts = as_object(usage.get(name))
        taken_in, output = as_count(counts.get("input_tokens")), as_count(counts.get("output_tokens"))
        if taken_in is not None and output is not None and taken_in + output > 0:
            cached = as_count(usage.get("cached_tokens")) or 0
            return Usage(input_tokens=taken_in, output_tokens=output, cached_tokens=min(cached, taken_in))
    return None


def _read_calls(message: Mapping[str, Any]) -> tuple[ToolCall, ...]:
    functions = (as_object(as_object(call).get("function")) for call in as_list(message.get("tool_calls")))
    named = ((as_name(function.get("name")), function.get("arguments")) for function in functions)
    return tuple(ToolCall(name, read_arguments(arguments)) for name, arguments in named if name)


def fold_events(events: Iterable[Event]) -> Folded:
    """One chat from all the events. Never raises: kinds that nobody listed are passed over."""
    folded = Folded()
    texts: list[str] = []
    calls: dict[object, dict[str, Any]] = {}
    for kind, payload in read_events(events, folded):
        delta = as_object(payload.get("delta"))
        folded.error = delta.get("error") or None
        if folded.error is not None:
            return folded
        message = as_object(delta.get("message"))
        if kind in ("content-start", "content-delta") and isinstance(text := as_object(message.get("content")).get("text"), str):
            texts.append(text)
        elif kind in ("tool-call-start", "tool-call-delta"):
            _fold_call(payload.get("index"), as_object(as_object(message.get("tool_calls")).get("function")), calls)
        elif kind == "message-end":
            folded.whole.update(finish_reason=delta.get("finish_reason"), usage=delta.get("usage"))
    functions = [{"function": {"name": call["name"], "arguments": "".join(call["arguments"])}} for call in calls.values()]
    folded.whole["message"] = {"content": "".join(texts), "tool_calls": functions}
    folded.finished = folded.whole.get("finish_reason") is not None and not folded.unreadable
    return folded


def _fold_call(index: object, function: Mapping[str, Any], calls: dict[object, dict[str, Any]]) -> None:
    known = calls.setdefault(index if isinstance(index, int) else 0, {"name": "", "arguments": []})
    known["name"] = known["name"] or function.get("name")
    if isinstance(function.get("arguments"), str):
        known["arguments"].append(function["arguments"])
