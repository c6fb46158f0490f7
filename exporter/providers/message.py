"""A Messages API message → Answer, whatever fields are missing, null, or of another type than documented.

Pages read 2026-11: platform.claude.com/docs/en/api/messages/create (usage, content blocks),
/build-with-claude/handling-stop-reasons, /build-with-claude/refusals-and-fallback. Usage: docs count cache reads and writes
beside `input_tokens`; here they are part of the input. A refusal before any output is documented as free; its tokens are
booked all the same, which errs on the dear side.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from exporter.providers.chat_completion import read_arguments
from exporter.providers.complaint import find_error
from exporter.providers.failures import ONLY_STREAMS, read_error, unusable
from exporter.providers.finished import Finished, give_answer, has_spent
from exporter.providers.reply import Reply
from exporter.providers.shapes import as_count, as_list, as_name, as_object, as_text
from exporter.records import Answer, Identity, Reason, ToolCall, Usage


def read_message(reply: Reply, payload: object) -> Answer:
    """The answer of a message. Text blocks are joined; thinking and every other kind of block is passed over."""
    body = as_object(payload)
    usage, identity = read_usage(body.get("usage")), read_identity(body)
    error = find_error(payload)
    if error is not None or body.get("type") == "error":
        return read_error(reply, error or body, usage, identity)
    content = body.get("content")
    if content is None:
        if usage is None and "content" not in body:
            return unusable(reply, Reason.BAD_RESPONSE, "the answer is no message", identity=identity)
        hint = ONLY_STREAMS if reply.events is None else ""
        return unusable(reply, Reason.EMPTY_RESPONSE, "the answer holds no content", hint, usage=usage, identity=identity)
    if not isinstance(content, list | str):
        said = "the content of the answer is neither text nor blocks"
        return unusable(reply, Reason.BAD_RESPONSE, said, usage=usage, identity=identity)
    text = as_text(content) or "".join(
        as_text(as_object(block).get("text")) for block in as_list(content) if as_object(block).get("type") == "text"
    )
    finished = Finished(
        text,
        as_name(body.get("stop_reason")),
        _read_calls(as_list(content)),
        usage,
        identity,
        refusal_kind=as_name(as_object(body.get("stop_details")).get("category")),
        # LiteLLM says `end_turn` where the server behind it does not say that it cut an answer off.
        spent=has_spent(reply, usage),
    )
    return give_answer(reply, finished)


def read_usage(value: object) -> Usage | None:
    """Tokens of one request; None where the counts are missing or all nought."""
    usage = as_object(value)
    fresh, output = as_count(usage.get("input_tokens")), as_count(usage.get("output_tokens"))
    if fresh is None or output is None:
        return None
    written, cached = (as_count(usage.get(f"cache_{kind}_input_tokens")) or 0 for kind in ("creation", "read"))
    thinking = as_count(as_object(usage.get("output_tokens_details")).get("thinking_tokens")) or 0
    if fresh + written + cached + output == 0:
        return None
    return Usage(
        input_tokens=fresh + written + cached,
        output_tokens=output,
        reasoning_tokens=min(thinking, output),
        cached_tokens=cached,
    )


def read_identity(body: Mapping[str, Any]) -> Identity:
    """Who served: the model's id; the service tier and the place of inference are facets."""
    usage = as_object(body.get("usage"))
    facets = {"tier": as_name(usage.get("service_tier")), "region": as_name(usage.get("inference_geo"))}
    return Identity(served_model=as_name(body.get("model")), facets={name: value for name, value in facets.items() if value})


def _read_calls(blocks: list[Any]) -> tuple[ToolCall, ...]:
    calls = (as_object(block) for block in blocks)
    named = ((as_name(call.get("name")), call.get("input")) for call in calls if call.get("type") == "tool_use")
    return tuple(ToolCall(name, read_arguments(arguments)) for name, arguments in named if name)
