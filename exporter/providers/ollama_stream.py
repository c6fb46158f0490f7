"""Lines of a streamed chat of Ollama, folded into the chat that a plain call would have given."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from exporter.providers.complaint import find_error
from exporter.providers.folded import Folded
from exporter.providers.reply import read_json
from exporter.providers.shapes import as_list, as_object
from exporter.providers.sse import Event

_TEXT_FIELDS = ("content", "thinking", "reasoning")


def fold_lines(events: Iterable[Event]) -> Folded:
    """One chat from all the lines: texts and calls laid end to end, the newest of everything else. Never raises."""
    folded = Folded()
    texts: dict[str, str] = dict.fromkeys(_TEXT_FIELDS, "")
    calls: list[Any] = []
    for event in events:
        try:
            payload = read_json(event.data)
        except ValueError:
            folded.unreadable = True
            continue
        folded.events += 1
        folded.error = find_error(payload)
        if folded.error is not None:
            return folded
        line = as_object(payload)
        folded.whole.update({name: value for name, value in line.items() if value is not None})
        message = as_object(line.get("message"))
        for name in _TEXT_FIELDS:
            if isinstance(message.get(name), str):
                texts[name] += message[name]
        calls += as_list(message.get("tool_calls"))
    folded.whole["message"] = {**texts, "tool_calls": calls}
    folded.finished = folded.whole.get("done") is True and not folded.unreadable
    return folded
