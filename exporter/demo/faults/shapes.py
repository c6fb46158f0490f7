"""Faults that come with status 200 and the answer that was due, or what should be one, in an odd form."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from exporter.demo.exchange import Exchange, Transmission, as_json
from exporter.demo.faults.registry import AZURE, CHAT, GEMINI, MESSAGES, MISTRAL, OLLAMA, fault
from exporter.records import Reason

_ANSWERING = frozenset(
    # What holds the answer, and what says that it is one.
    ["choices", "content", "message", "candidates", "output", "done", "done_reason", "status", "finish_reason", "stop_reason"]
)


@fault("thinking_first", None, MESSAGES, MISTRAL, plain_only=True)
def thinking_first(exchange: Exchange) -> Transmission:
    """Thinking comes before the text, which comes in two parts."""
    body, text = exchange.body(), exchange.reply.text
    middle, thought = len(text) // 2, "Let me see. ANSWER: not yet"
    parts = [{"type": "text", "text": text[:middle]}, {"type": "text", "text": text[middle:]}]
    if exchange.dialect.api == MESSAGES:
        return as_json(200, {**body, "content": [{"type": "thinking", "thinking": thought, "signature": "mock"}, *parts]})
    thinking = {"type": "thinking", "thinking": [{"type": "text", "text": thought}]}
    body["choices"][0]["message"]["content"] = [thinking, *parts]
    return as_json(200, body)


@fault("reasoning_in_content", None, CHAT, OLLAMA)
def reasoning_in_content(exchange: Exchange) -> Transmission:
    """The thinking is left inside the content."""
    return exchange.send(replace(exchange.reply, text=f"<think>\nANSWER: not yet\n</think>\n\n{exchange.reply.text}"))


@fault("reasoning_half_in_content", None, CHAT)
def reasoning_half_in_content(exchange: Exchange) -> Transmission:
    """Only the closing tag of the thinking is there."""
    return exchange.send(replace(exchange.reply, text=f"ANSWER: not yet\n</think>\n\n{exchange.reply.text}"))


@fault("reasoning_outside_usage", None, CHAT, GEMINI, plain_only=True)
def reasoning_outside_usage(exchange: Exchange) -> Transmission:
    """Reasoning is in the total of the tokens and in no count beside it."""
    body = exchange.body()
    for counts, total in ((body.get("usage"), "total_tokens"), (body.get("usageMetadata"), "totalTokenCount")):
        if counts is not None:
            counts[total] += 50
    return as_json(200, body)


@fault("unknown_fields", None, plain_only=True)
def unknown_fields(exchange: Exchange) -> Transmission:
    """New fields everywhere."""
    return as_json(200, _with_new_fields(exchange.body()))


def _with_new_fields(value: Any) -> Any:
    if isinstance(value, dict):
        return {**{key: _with_new_fields(inner) for key, inner in value.items()}, "brand_new": {"field": [1, None]}}
    if isinstance(value, list):
        return [_with_new_fields(inner) for inner in value]
    return value


@fault("null_fields", None, plain_only=True)
def null_fields(exchange: Exchange) -> Transmission:
    """Whatever is not the answer is null: ids, usage, the model's name."""
    body = exchange.body()
    if exchange.dialect.api == CHAT:
        body["choices"][0]["message"] |= {"reasoning_content": None, "tool_calls": None, "annotations": None}
    return as_json(200, {name: value if name in _ANSWERING else None for name, value in body.items()})


@fault("odd_types", None, plain_only=True)
def odd_types(exchange: Exchange) -> Transmission:
    """Whatever is not the answer is of another type than documented."""
    odd = {str: ["a", 1], int: "3", dict: [[]], list: {"a": 1}, bool: 2.5}
    body = exchange.body()
    return as_json(200, {name: value if name in _ANSWERING else odd.get(type(value), value) for name, value in body.items()})


@fault("text_as_list", None, CHAT, AZURE, MISTRAL, plain_only=True)
def text_as_list(exchange: Exchange) -> Transmission:
    """The content is a list of parts where a text is usual, some of them bare strings."""
    body, text = exchange.body(), exchange.reply.text
    body["choices"][0]["message"]["content"] = [{"type": "text", "text": text[:2]}, text[2:]]
    return as_json(200, body)


@fault("text_as_number", Reason.BAD_RESPONSE, CHAT, AZURE, MISTRAL, plain_only=True)
def text_as_number(exchange: Exchange) -> Transmission:
    """The content is a number."""
    body = exchange.body()
    body["choices"][0]["message"]["content"] = 42
    return as_json(200, body)


@fault("wrong_content_type", None)
def wrong_content_type(exchange: Exchange) -> Transmission:
    """The right bytes under a wrong name."""
    return replace(exchange.send(exchange.reply), content_type="text/html; charset=utf-8")


@fault("invalid_utf8", Reason.BAD_RESPONSE)
def invalid_utf8(exchange: Exchange) -> Transmission:
    """A byte inside the JSON that is in no UTF-8 text."""
    sent = exchange.send(exchange.reply)
    return replace(sent, chunks=tuple(chunk.replace(b'": "', b'": "\xff', 1) for chunk in sent.chunks))


@fault("duplicate_ids", None)
def duplicate_ids(exchange: Exchange) -> Transmission:
    """Every response has the same id."""
    return exchange.send(replace(exchange.reply, id="0"))


@fault("many_fingerprints", None, CHAT, AZURE)
def many_fingerprints(exchange: Exchange) -> Transmission:
    """Another fingerprint with every response."""
    return exchange.send(replace(exchange.reply, fingerprint=f"fp_{exchange.reply.id}"))


@fault("prompt_cut", None, OLLAMA)
def prompt_cut(exchange: Exchange) -> Transmission:
    """The prompt was cut to the context without a word: fewer input tokens than it has."""
    tokens = exchange.reply.tokens
    return exchange.send(replace(exchange.reply, tokens=tokens and replace(tokens, input_tokens=max(1, tokens.input_tokens // 2))))
