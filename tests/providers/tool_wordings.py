"""How each API says text and calls, plain and streamed. A call is its name and the text of its arguments, sound JSON or not."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from exporter.providers.reply import Reply
from tests.providers.contract import Json
from tests.providers.replies import in_lines, reply, streamed
from tests.providers.wordings import anthropic, cohere, gemini, ollama, openai_chat, openai_responses

Calls = Sequence[tuple[str, str]]
Say = Callable[[str, Calls], Reply]


def as_value(arguments: str) -> Any:
    """What an API that sends arguments as an object sends; the bare text where they are none."""
    try:
        return json.loads(arguments)
    except (ValueError, RecursionError):
        return arguments


def halves(text: str) -> tuple[str, str]:
    return text[: len(text) // 2], text[len(text) // 2 :]


def functions(calls: Calls) -> list[Json]:
    return [
        {"id": f"call_{number}", "type": "function", "function": {"name": name, "arguments": arguments}}
        for number, (name, arguments) in enumerate(calls)
    ]


def say_chat(text: str, calls: Calls) -> Reply:
    return reply(openai_chat.completion({"content": text or None, "tool_calls": functions(calls)}, "tool_calls"))


def stream_chat(text: str, calls: Calls) -> Reply:
    """The pieces of all calls come in turn, as they may."""
    listed = functions(calls)
    begun = [
        {"index": number, **call, "function": {"name": call["function"]["name"], "arguments": ""}} for number, call in enumerate(listed)
    ]
    pieces = [
        {"index": number, "function": {"arguments": halves(call["function"]["arguments"])[half]}}
        for half in (0, 1)
        for number, call in enumerate(listed)
    ]
    deltas: list[Json] = [{"role": "assistant", "content": text}, {"tool_calls": begun}, *({"tool_calls": [piece]} for piece in pieces)]
    return streamed(*openai_chat.chunks(deltas, "tool_calls"))


def response_items(text: str, calls: Calls) -> list[Json]:
    said = [openai_responses.message(openai_responses.text_part(text))] if text else []
    return [*said, *({"type": "function_call", "call_id": "c", "name": name, "arguments": arguments} for name, arguments in calls)]


def say_response(text: str, calls: Calls) -> Reply:
    return reply(openai_responses.response(response_items(text, calls)))


def stream_response(text: str, calls: Calls) -> Reply:
    """The last event of some servers holds no output: the items that came before it are all there is."""
    items = response_items(text, calls)
    pieces = [
        openai_responses.event("response.function_call_arguments.delta", output_index=index, delta=half)
        for index, item in enumerate(items)
        for half in halves(item.get("arguments", ""))
    ]
    done = [openai_responses.event("response.output_item.done", output_index=index, item=item) for index, item in enumerate(items)]
    return streamed(*pieces, *done, openai_responses.event("response.completed", response=openai_responses.response([])))


def say_message(text: str, calls: Calls) -> Reply:
    blocks = [{"type": "tool_use", "id": "t", "name": name, "input": as_value(arguments)} for name, arguments in calls]
    return reply(anthropic.message([*([{"type": "text", "text": text}] if text else []), *blocks], "tool_use"))


def stream_message(text: str, calls: Calls) -> Reply:
    events = [anthropic.event("message_start", message=anthropic.message([], None))]
    events += [anthropic.event("content_block_start", index=0, content_block={"type": "text", "text": text})]
    for index, (name, arguments) in enumerate(calls, start=1):
        block = {"type": "tool_use", "id": "t", "name": name, "input": {}}
        events += [anthropic.event("content_block_start", index=index, content_block=block)]
        deltas = [{"type": "input_json_delta", "partial_json": half} for half in halves(arguments)]
        events += [anthropic.event("content_block_delta", index=index, delta=delta) for delta in deltas]
        events += [anthropic.event("content_block_stop", index=index)]
    ended = {"stop_reason": "tool_use", "stop_sequence": None}
    return streamed(*events, anthropic.event("message_delta", delta=ended, usage={"output_tokens": 3}), anthropic.event("message_stop"))


def gemini_parts(text: str, calls: Calls) -> list[Json]:
    said = [{"text": text}] if text else []
    return [*said, *({"functionCall": {"name": name, "args": as_value(arguments)}} for name, arguments in calls)]


def say_generation(text: str, calls: Calls) -> Reply:
    return reply(gemini.generation(gemini_parts(text, calls)))


def stream_generation(text: str, calls: Calls) -> Reply:
    return streamed(*gemini.events(gemini_parts(text, calls)))


def say_cohere(text: str, calls: Calls) -> Reply:
    content = [cohere.text_block(text)] if text else []
    return reply(cohere.chat({"content": content, "tool_plan": "I will look.", "tool_calls": functions(calls)}, "TOOL_CALL"))


def stream_cohere(text: str, calls: Calls) -> Reply:
    events = [cohere.event("content-delta", index=0, delta={"message": {"content": {"text": text}}})]
    for index, call in enumerate(functions(calls)):
        first, second = halves(call["function"]["arguments"])
        begun = {**call, "function": {**call["function"], "arguments": first}}
        events += [cohere.event("tool-call-start", index=index, delta={"message": {"tool_calls": begun}})]
        more = {"function": {"arguments": second}}
        events += [cohere.event("tool-call-delta", index=index, delta={"message": {"tool_calls": more}})]
    return streamed(*events, *cohere.ended("TOOL_CALL"))


def ollama_message(text: str, calls: Calls) -> Json:
    return {"content": text, "tool_calls": [{"function": {"name": name, "arguments": as_value(arguments)}} for name, arguments in calls]}


def say_ollama(text: str, calls: Calls) -> Reply:
    return reply(ollama.chat(ollama_message(text, calls)))


def stream_ollama(text: str, calls: Calls) -> Reply:
    return in_lines(*ollama.lines(ollama_message(text, ()), *(ollama_message("", [call]) for call in calls)))


SAYINGS: dict[str, tuple[Say, Say]] = {
    "openai_chat": (say_chat, stream_chat),
    "azure_openai": (say_chat, stream_chat),
    "mistral": (say_chat, stream_chat),
    "openai_responses": (say_response, stream_response),
    "anthropic": (say_message, stream_message),
    "gemini": (say_generation, stream_generation),
    "cohere": (say_cohere, stream_cohere),
    "ollama": (say_ollama, stream_ollama),
}
