"""Chunks of a streamed chat completion, folded into the completion that a plain call would have given."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from exporter.providers.folded import Folded, read_events
from exporter.providers.shapes import as_list, as_object
from exporter.providers.sse import Event

_HEAD_FIELDS = ("model", "system_fingerprint", "service_tier", "provider", "usage")
_Calls = dict[object, list[dict[str, Any]]]
_TEXT_FIELDS = ("content", "reasoning_content", "reasoning", "refusal")


def fold_chunks(events: Iterable[Event]) -> Folded:
    """One completion from all the chunks. Never raises: what has an odd shape is passed over, as an unknown field would be."""
    folded = Folded()
    choice: dict[str, Any] = {}
    pieces: dict[str, list[Any]] = {}
    calls: _Calls = {}
    for _, chunk in read_events(events, folded):
        folded.whole.update({name: chunk[name] for name in _HEAD_FIELDS if chunk.get(name) is not None})
        for part in as_list(chunk.get("choices")):
            if as_object(part).get("index", 0) in (0, None):
                _fold_choice(as_object(part), choice, pieces, calls)
    message: dict[str, Any] = {name: _join(parts) for name, parts in pieces.items()}
    if calls:
        functions = ({"name": call["name"], "arguments": _join(call["arguments"])} for begun in calls.values() for call in begun)
        message["tool_calls"] = [{"function": function} for function in functions]
    folded.finished = choice.get("finish_reason") is not None and not folded.unreadable
    folded.whole["choices"] = [{**choice, "message": message}]
    return folded


def _fold_choice(part: Mapping[str, Any], choice: dict[str, Any], pieces: dict[str, list[Any]], calls: _Calls) -> None:
    for name in ("finish_reason", "error"):
        if part.get(name) is not None:
            choice[name] = part[name]
    delta = as_object(part.get("delta") or part.get("message"))
    for name in _TEXT_FIELDS:
        if delta.get(name):
            pieces.setdefault(name, []).append(delta[name])
    for position, call in enumerate(as_list(delta.get("tool_calls"))):
        _fold_call(as_object(call), position, calls)


def _fold_call(call: Mapping[str, Any], position: int, calls: _Calls) -> None:
    """Pieces of one call share its index. The name comes once, the arguments come in pieces of JSON text.

    Some bridges give every call the index 0: another id that comes with a name begins another call.
    """
    index = call.get("index")
    function = as_object(call.get("function"))
    begun = calls.setdefault(index if isinstance(index, int) else position, [])
    if not begun or (function.get("name") and call.get("id") and begun[-1]["id"] not in (None, call["id"])):
        begun.append({"id": call.get("id"), "name": "", "arguments": []})
    known = begun[-1]
    known["name"] = known["name"] or function.get("name")
    if function.get("arguments") not in (None, ""):
        known["arguments"].append(function["arguments"])


def _join(parts: list[Any]) -> object:
    """Text where every piece is text; a lone piece as it is; otherwise one list, pieces that are lists laid end to end."""
    if all(isinstance(part, str) for part in parts):
        return "".join(parts)
    if len(parts) == 1:
        return parts[0]
    return [inner for part in parts for inner in (part if isinstance(part, list) else [part])]
