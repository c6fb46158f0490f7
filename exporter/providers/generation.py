"""A GenerateContentResponse → Answer, whatever fields are missing, null, or of another type than documented.

A stream is a row of such responses: their parts laid end to end, and the newest of everything else, are the whole one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from exporter.providers.chat_completion import read_arguments
from exporter.providers.complaint import find_error
from exporter.providers.failures import read_error, unusable
from exporter.providers.finished import Finished, give_answer
from exporter.providers.folded import Folded, read_events
from exporter.providers.reply import Reply
from exporter.providers.shapes import as_count, as_list, as_name, as_object, as_text
from exporter.providers.sse import Event
from exporter.records import Answer, Identity, Reason, ToolCall, Usage

MALFORMED_CALL = "MALFORMED_FUNCTION_CALL"
"""Finish reason of an answer that holds a call which cannot be read: wrong where tools were offered, and unusable elsewhere."""


def read_generation(reply: Reply, payload: object) -> Answer:
    """The answer of a response. Parts marked as thoughts are passed over; a blocked prompt has no candidates."""
    body = as_object(payload)
    usage, identity = read_usage(body.get("usageMetadata")), read_identity(body)
    error = find_error(payload)
    if error is not None:
        return read_error(reply, error, usage, identity)
    blocked = as_name(as_object(body.get("promptFeedback")).get("blockReason"))
    if blocked:
        said = f"the prompt was blocked by the provider's content filter ({blocked})"
        return unusable(reply, Reason.CONTENT_FILTER, said, usage=usage, identity=identity)
    candidates = body.get("candidates")
    if not isinstance(candidates, list) or not candidates:
        if usage is None and "candidates" not in body:
            return unusable(reply, Reason.BAD_RESPONSE, "the answer is no response of generateContent", identity=identity)
        return unusable(reply, Reason.EMPTY_RESPONSE, "the answer holds no candidate", usage=usage, identity=identity)
    candidate = as_object(candidates[0])
    parts = [as_object(part) for part in as_list(as_object(candidate.get("content")).get("parts"))]
    text = as_text("".join(part["text"] for part in parts if isinstance(part.get("text"), str) and part.get("thought") is not True))
    finish = as_name(candidate.get("finishReason"))
    if finish == MALFORMED_CALL:
        said = "the model wrote a tool call that cannot be read"
        answer = unusable(reply, Reason.BAD_RESPONSE, said, usage=usage, identity=identity, finish_reason=finish)
        return replace(answer, tool_calls=(ToolCall("", None),))
    return give_answer(reply, Finished(text, finish, _read_calls(parts), usage, identity))


def read_usage(value: object) -> Usage | None:
    """Tokens of one request; thoughts are output. Counts that are nought are left out by the API, so a missing one is nought.

    None where the prompt's count is missing: there is no request without one.
    """
    usage = as_object(value)
    names = ("promptTokenCount", "toolUsePromptTokenCount", "candidatesTokenCount", "thoughtsTokenCount", "totalTokenCount")
    prompt, tool_use, candidates, thoughts, total = (as_count(usage.get(name)) for name in names)
    if not prompt:
        return None
    taken_in = prompt + (tool_use or 0)
    output = max((candidates or 0) + (thoughts or 0), (total or 0) - taken_in)
    cached = as_count(usage.get("cachedContentTokenCount")) or 0
    return Usage(input_tokens=taken_in, output_tokens=output, reasoning_tokens=thoughts or 0, cached_tokens=min(cached, taken_in))


def read_identity(body: Mapping[str, Any]) -> Identity:
    """Who served: the model's version; the service tier is a facet."""
    tier = as_name(as_object(body.get("usageMetadata")).get("serviceTier"))
    return Identity(served_model=as_name(body.get("modelVersion")), facets={"tier": tier} if tier else {})


def _read_calls(parts: list[Mapping[str, Any]]) -> tuple[ToolCall, ...]:
    calls = (as_object(part.get("functionCall")) for part in parts)
    named = ((as_name(call.get("name")), call.get("args")) for call in calls)
    return tuple(ToolCall(name, read_arguments(arguments)) for name, arguments in named if name)


def fold_generation(events: Iterable[Event]) -> Folded:
    """One response from all that a stream holds. Never raises: what has an odd shape is passed over."""
    folded = Folded()
    parts: list[Any] = []
    candidate: dict[str, Any] = {}
    for _, body in read_events(events, folded):
        folded.whole.update({name: value for name, value in body.items() if value is not None and name != "candidates"})
        for part in (as_object(part) for part in as_list(body.get("candidates"))):
            if part.get("index", 0) in (0, None):
                candidate.update({name: value for name, value in part.items() if value is not None})
                parts += as_list(as_object(part.get("content")).get("parts"))
    if candidate:
        folded.whole["candidates"] = [{**candidate, "content": {"parts": parts}}]
    reason = candidate.get("finishReason") or as_object(folded.whole.get("promptFeedback")).get("blockReason")
    folded.finished = bool(reason) and not folded.unreadable
    return folded
