"""A Response object → Answer, whatever fields are missing, null, or of another type than documented.

The last event of a stream holds the whole object; the items that came before it serve where its own list is empty.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from exporter.providers.chat_completion import read_arguments, read_content
from exporter.providers.complaint import find_error
from exporter.providers.failures import ONLY_STREAMS, read_error, unusable
from exporter.providers.finished import Finished, give_answer, has_spent
from exporter.providers.folded import Folded, read_events
from exporter.providers.reply import Reply
from exporter.providers.shapes import as_count, as_name, as_object
from exporter.providers.sse import Event
from exporter.records import Answer, Identity, Reason, ToolCall, Usage

_ENDS = ("response.completed", "response.incomplete", "response.failed")


def read_response(reply: Reply, payload: object) -> Answer:
    """The answer of a response. The texts of its messages are joined; reasoning and every other kind of item is passed over."""
    body = as_object(payload)
    usage, identity = read_usage(body.get("usage")), read_identity(body)
    error = find_error(payload)
    if error is not None:
        return read_error(reply, error, usage, identity)
    output = body.get("output")
    if not isinstance(output, list):
        if usage is None and "output" not in body:
            return unusable(reply, Reason.BAD_RESPONSE, "the answer is no response object", identity=identity)
        hint = ONLY_STREAMS if reply.events is None else ""
        return unusable(reply, Reason.EMPTY_RESPONSE, "the answer holds no output", hint, usage=usage, identity=identity)
    items = [as_object(item) for item in output]
    contents = [read_content(item.get("content")) for item in items if item.get("type") == "message"]
    finished = Finished(
        "".join(text for text, _ in contents if text),
        as_name(as_object(body.get("incomplete_details")).get("reason")) or as_name(body.get("status")),
        _read_calls(items),
        usage,
        identity,
        has_thought=any(item.get("type") == "reasoning" for item in items),
        refused=any(refusal for _, refusal in contents),
        # llama.cpp's server says `completed` of an answer that it cut off.
        spent=has_spent(reply, usage),
    )
    return give_answer(reply, finished)


def read_usage(value: object) -> Usage | None:
    """Tokens of one request; None where the counts are missing or all nought. Output includes reasoning, also where a host left it out."""
    usage = as_object(value)
    taken_in, output, total = (as_count(usage.get(name)) for name in ("input_tokens", "output_tokens", "total_tokens"))
    if taken_in is None or output is None or taken_in + output == 0:
        return None
    reasoning = as_count(as_object(usage.get("output_tokens_details")).get("reasoning_tokens")) or 0
    cached = as_count(as_object(usage.get("input_tokens_details")).get("cached_tokens")) or 0
    return Usage(
        input_tokens=taken_in,
        output_tokens=max(output, (total or 0) - taken_in, reasoning),
        reasoning_tokens=reasoning,
        cached_tokens=min(cached, taken_in),
    )


def read_identity(body: Mapping[str, Any]) -> Identity:
    """Who served: the model's id; the service tier is a facet."""
    tier = as_name(body.get("service_tier"))
    return Identity(served_model=as_name(body.get("model")), facets={"tier": tier} if tier else {})


def _read_calls(items: list[Mapping[str, Any]]) -> tuple[ToolCall, ...]:
    calls = ((as_name(item.get("name")), item.get("arguments")) for item in items if item.get("type") == "function_call")
    return tuple(ToolCall(name, read_arguments(arguments)) for name, arguments in calls if name)


def fold_response(events: Iterable[Event]) -> Folded:
    """The response at the end of a stream. Never raises: kinds of events that nobody listed are passed over."""
    folded = Folded()
    items: list[Any] = []
    for kind, payload in read_events(events, folded):
        if kind == "response.output_item.done":
            items.append(payload.get("item"))
        elif kind in _ENDS:
            folded.whole = dict(as_object(payload.get("response")))
            folded.finished = not folded.unreadable
    if folded.finished and not folded.whole.get("output"):
        folded.whole["output"] = items
    return folded
