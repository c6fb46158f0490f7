"""Faults that come with status 200 and without the answer that was due."""

from __future__ import annotations

import json
from dataclasses import replace

from exporter.demo.exchange import Exchange, Finish, Tokens, Transmission, as_json
from exporter.demo.faults.registry import AZURE, CHAT, GEMINI, MESSAGES, OLLAMA, RESPONSES, fault
from exporter.records import Reason


def _reasoned_to_the_limit(exchange: Exchange) -> Tokens | None:
    tokens, limit = exchange.reply.tokens, exchange.ask.max_tokens
    return None if tokens is None or limit is None else Tokens(tokens.input_tokens, limit, limit)


@fault("truncated", Reason.TRUNCATED)
def truncated(exchange: Exchange) -> Transmission:
    """All tokens went into thinking: finish reason length, no text."""
    tokens = _reasoned_to_the_limit(exchange) or exchange.reply.tokens
    return exchange.send(replace(exchange.reply, text="", tool_calls=(), finish=Finish.LENGTH, tokens=tokens))


@fault("empty_response", Reason.EMPTY_RESPONSE)
def empty_response(exchange: Exchange) -> Transmission:
    """A stop like any other, and no text."""
    return exchange.send(replace(exchange.reply, text="", tool_calls=()))


@fault("no_choices", Reason.EMPTY_RESPONSE, CHAT, plain_only=True)
def no_choices(exchange: Exchange) -> Transmission:
    """`choices` is an empty list; the usage is there."""
    return as_json(200, {**exchange.body(), "choices": []})


@fault("choices_missing", Reason.EMPTY_RESPONSE, CHAT, plain_only=True)
def choices_missing(exchange: Exchange) -> Transmission:
    """There is no `choices`; the usage is there."""
    return as_json(200, {name: value for name, value in exchange.body().items() if name != "choices"})


@fault("no_message", Reason.EMPTY_RESPONSE, CHAT, plain_only=True)
def no_message(exchange: Exchange) -> Transmission:
    """The choice has no message; the usage is there."""
    return as_json(200, {**exchange.body(), "choices": [{"index": 0, "finish_reason": "stop"}]})


@fault("error_in_200", Reason.RATE_LIMITED, CHAT, plain_only=True)
def error_in_200(exchange: Exchange) -> Transmission:
    """200, and a top-level error with a numeric code of its own."""
    return as_json(200, {"error": {"code": 429, "message": "Rate limited upstream", "metadata": {"provider_name": "Mock"}}})


@fault("error_in_choice", Reason.SERVER_ERROR, CHAT, plain_only=True)
def error_in_choice(exchange: Exchange) -> Transmission:
    """200, finish reason error, and the error inside the choice."""
    body = exchange.body()
    body["choices"][0].update(finish_reason="error", error={"code": 502, "message": "Upstream error"})
    return as_json(200, body)


@fault("refusal", Reason.REFUSAL, CHAT, AZURE, MESSAGES, RESPONSES)
def refusal(exchange: Exchange) -> Transmission:
    """The model declines."""
    return exchange.send(replace(exchange.reply, text="", tool_calls=(), finish=Finish.REFUSAL))


@fault("content_filter", Reason.CONTENT_FILTER, CHAT, AZURE, RESPONSES, GEMINI)
def content_filter(exchange: Exchange) -> Transmission:
    """The answer was filtered out."""
    return exchange.send(replace(exchange.reply, text="", tool_calls=(), finish=Finish.CONTENT_FILTER))


@fault("unknown_stop", Reason.UNKNOWN_STOP)
def unknown_stop(exchange: Exchange) -> Transmission:
    """A stop reason that nobody has heard of."""
    return exchange.send(replace(exchange.reply, finish=Finish.ODD))


@fault("prompt_blocked", Reason.CONTENT_FILTER, GEMINI, plain_only=True)
def prompt_blocked(exchange: Exchange) -> Transmission:
    """The prompt was blocked: no candidates."""
    body = exchange.body()
    del body["candidates"]
    return as_json(200, {**body, "promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}})


@fault("null_answer", Reason.BAD_RESPONSE, plain_only=True)
def null_answer(exchange: Exchange) -> Transmission:
    """200 and JSON, but nothing like an answer."""
    return as_json(200, None)


@fault("cut_off_json", Reason.BAD_RESPONSE, plain_only=True)
def cut_off_json(exchange: Exchange) -> Transmission:
    """The body ends in the middle of the JSON."""
    whole = json.dumps(exchange.body()).encode()
    return Transmission(200, (whole[: len(whole) // 2],))


@fault("empty_body", Reason.EMPTY_RESPONSE)
def empty_body(exchange: Exchange) -> Transmission:
    """200 with nothing in it."""
    return replace(exchange.send(exchange.reply), chunks=(b"",))


@fault("only_reasoning", Reason.EMPTY_RESPONSE, CHAT, OLLAMA, plain_only=True)
def only_reasoning(exchange: Exchange) -> Transmission:
    """The thinking is there, in a field of its own, and no answer: older Ollama calls it `reasoning`, vLLM `reasoning_content`."""
    body = exchange.body()
    message = body["message"] if exchange.dialect.api == OLLAMA else body["choices"][0]["message"]
    message |= {"content": "", "reasoning" if exchange.dialect.api == OLLAMA else "reasoning_content": "ANSWER: not yet"}
    return as_json(200, body)


@fault("html_200", Reason.BAD_RESPONSE)
def html_200(exchange: Exchange) -> Transmission:
    """A sign-in page where an answer was due."""
    return Transmission(200, (b"<!doctype html><title>Sign in</title>",), "text/html")
