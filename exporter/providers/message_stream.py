"""Events of a streamed message, folded into the message that a plain call would have given.

Page read 2026-11: platform.claude.com/docs/en/build-with-claude/streaming. Counts in `message_delta` are cumulative: they
replace those of `message_start`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from exporter.providers.folded import Folded, read_events
from exporter.providers.shapes import as_object
from exporter.providers.sse import Event


def fold_message(events: Iterable[Event]) -> Folded:
    """One message from all the events. Never raises: kinds that nobody listed are passed over."""
    folded = Folded()
    blocks: dict[object, dict[str, Any]] = {}
    for kind, payload in read_events(events, folded):
        if kind == "message_start":
            folded.whole.update(as_object(payload.get("message")))
        elif kind == "message_delta":
            _fold_delta(payload, folded.whole)
        elif kind in ("content_block_start", "content_block_delta"):
            _fold_block(payload, blocks)
    if blocks:
        folded.whole["content"] = [_close(block) for block in blocks.values()]
    folded.finished = folded.whole.get("stop_reason") is not None and not folded.unreadable
    return folded


def _fold_delta(payload: Mapping[str, Any], message: dict[str, Any]) -> None:
    changes = as_object(payload.get("delta"))
    message.update({name: value for name, value in changes.items() if value is not None})
    usage = {name: value for name, value in as_object(payload.get("usage")).items() if value is not None}
    message["usage"] = {**as_object(message.get("usage")), **usage}


def _fold_block(payload: Mapping[str, Any], blocks: dict[object, dict[str, Any]]) -> None:
    index = payload.get("index")
    block = blocks.setdefault(index if isinstance(index, int) else 0, {"text": [], "json": []})
    start, delta = as_object(payload.get("content_block")), as_object(payload.get("delta"))
    block.update({name: start[name] for name in ("type", "name", "input") if name in start})
    for source in (start, delta):
        if isinstance(source.get("text"), str):
            block["text"].append(source["text"])
    if isinstance(delta.get("partial_json"), str):
        block["json"].append(delta["partial_json"])


def _close(block: dict[str, Any]) -> dict[str, Any]:
    """A whole block: its text joined, and the input of a tool as the text that its pieces make up."""
    closed = {"type": block.get("type"), "name": block.get("name"), "input": block.get("input"), "text": "".join(block["text"])}
    if any(block["json"]):
        closed["input"] = "".join(block["json"])
    return closed
