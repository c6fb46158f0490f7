"""Lines of a streamed chat of Ollama, folded into the chat that a plain call would have given."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from exporter.providers.folded import Folded, read_events
from exporter.providers.shapes import as_list, as_object
from exporter.providers.sse import Event

_TEXT_FIELDS = ("content", "thinking", "reasoning")


def fold_lines(events: Iterable[Event]) -> Folded:
    """One chat from all the lines: texts and calls laid end to end, the newest of everything else. Never raises."""
    folded = Folded()
    texts: dict[str, str] = dict.fromkeys(_TEXT_FIELDS, "")
    calls: list[Any] = []
    for _, line in read_events(events, folded):
        folded.whole.update({name: value for name, value in line.items() if value is not None})
        message = as_object(line.get("message"))
        for name in _TEXT_FIELDS:
            if isinstance(message.get(name), str):
                texts[name] += message[name]
        calls += as_list(message.get("tool_calls"))
    folded.whole["message"] = {**texts, "tool_calls": calls}
    folded.finished = folded.whole.get("done") is True and not folded.unreadable
    return folded
