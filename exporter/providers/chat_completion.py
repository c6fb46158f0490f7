"""A chat completion → Answer, whatever fields are missing, null, or of another type than documented."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from exporter.providers.complaint import find_error
from exporter.providers.failures import ONLY_STREAMS, read_error, unusable
from exporter.providers.finished import Finished, give_answer, has_spent
from exporter.providers.reply import Reply, read_json
from exporter.providers.shapes import as_count, as_list, as_name, as_object, as_text
from exporter.records import Answer, Identity, Reason, ToolCall, Usage


def read_completion(reply: Reply, payload: object) -> Answer:
    """The answer of a completion. A completion without a choice, or with a choice that says nothing, is an empty response."""
    body = as_object(payload)
    usage, identity = read_usage(body.get("usage")), read_identity(body)
    error = find_error(payload)
    if error is not None:
        return read_error(reply, error, usage, identity)
    choices = body.get("choices")
    if not choices:
        known = usage is not None or "choices" in body
        if not known:
            return unusable(reply, Reason.BAD_RESPONSE, "the answer is no chat completion", identity=identity)
        hint = ONLY_STREAMS if reply.events is None else ""
        return unusable(reply, Reason.EMPTY_RESPONSE, "the answer holds no choice", hint, usage=usage, identity=identity)
    choice = as_object(as_list(choices)[0] if isinstance(choices, list) else None)
    error = choice.get("error")
    if error:
        return read_error(reply, error, usage, identity)
    message = choice.get("message")
    if message is None:
        return unusable(reply, Reason.EMPTY_RESPONSE, "the answer holds no message", usage=usage, identity=identity)
    if not isinstance(message, dict):
        return unusable(reply, Reason.BAD_RESPONSE, "the message of the answer is no object", usage=usage, identity=identity)
    return _read_message(reply, message, as_name(choice.get("finish_reason")), usage, identity)


def _read_message(reply: Reply, message: Mapping[str, Any], finish: str | None, usage: Usage | None, identity: Identity) -> Answer:
    text, refusal = read_content(message.get("content"))
    if text is None:
        return unusable(reply, Reason.BAD_RESPONSE, "the content of the answer is neither text nor parts", usage=usage, identity=identity)
    calls = _read_calls(message)
    finished = Finished(
        text,
        finish,
        calls,
        usage,
        identity,
        has_thought=bool(message.get("reasoning_content") or message.get("reasoning") or message.get("content")),
        refused=bool(as_text(message.get("refusal")) or refusal),
        # vLLM says `tool_calls` of every answer that holds a call, also of one that it cut off in the middle of it.
        spent=bool(calls) and has_spent(reply, usage),
    )
    return give_answer(reply, finished)


def read_content(content: object) -> tuple[str | None, str]:
    """The text of a content field, and the refusal in its parts. None where it is neither null, nor text, nor a list of parts."""
    if content is None or isinstance(content, str):
        return as_text(content), ""
    if not isinstance(content, list):
        return None, ""
    texts, refusals = [], []
    for part in content:
        kind = as_object(part).get("type", "text")
        if isinstance(part, str):
            texts.append(as_text(part))
        elif kind in ("text", "output_text"):
            texts.append(as_text(as_object(part).get("text")))
        elif kind == "refusal":
            refusals.append(as_text(as_object(part).get("refusal")))
    return "".join(texts), "".join(refusals)


def read_usage(value: object) -> Usage | None:
    """Tokens of one request; None where the counts are missing or all nought, which some gateways send for "not known".

    Some hosts leave reasoning out of completion_tokens; then the total, or the reasoning count, is more than it says.
    """
    usage = as_object(value)
    prompt, completion, total = (as_count(usage.get(name)) for name in ("prompt_tokens", "completion_tokens", "total_tokens"))
    if prompt is None and completion is not None and total is not None:
        prompt = max(0, total - completion)
    if prompt is None or (completion is None and total is None):
        return None
    reasoning = as_count(as_object(usage.get("completion_tokens_details")).get("reasoning_tokens")) or 0
    output = max(completion or 0, (total or 0) - prompt, reasoning)
    cached = (
        as_count(as_object(usage.get("prompt_tokens_details")).get("cached_tokens")) or as_count(usage.get("prompt_cache_hit_tokens")) or 0
    )
    if prompt == 0 and output == 0:
        return None
    return Usage(input_tokens=prompt, output_tokens=output, reasoning_tokens=reasoning, cached_tokens=min(cached, prompt))


def read_identity(body: Mapping[str, Any]) -> Identity:
    """Who served: the model's id and the fingerprint; host (OpenRouter's `provider`) and tier are facets."""
    facets = {"host": as_name(body.get("provider")), "tier": as_name(body.get("service_tier"))}
    return Identity(
        served_model=as_name(body.get("model")),
        fingerprint=as_name(body.get("system_fingerprint")),
        facets={name: value for name, value in facets.items() if value},
    )


def _read_calls(message: Mapping[str, Any]) -> tuple[ToolCall, ...]:
    functions = [as_object(as_object(call).get("function")) for call in as_list(message.get("tool_calls"))]
    functions.append(as_object(message.get("function_call")))
    calls = ((as_name(function.get("name")), function.get("arguments")) for function in functions)
    return tuple(ToolCall(name, read_arguments(arguments)) for name, arguments in calls if name)


def read_arguments(value: object) -> Mapping[str, Any] | None:
    """The arguments of a call: an object, or the text of one; nothing at all counts as an empty object."""
    if value is None or value == "":
        return {}
    if isinstance(value, str):
        try:
            value = read_json(value)
        except ValueError:
            return None
    return value if isinstance(value, dict) else None
