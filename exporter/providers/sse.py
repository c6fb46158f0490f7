"""Server-sent events: bytes in, events out.

Format: https://html.spec.whatwg.org/multipage/server-sent-events.html (read 2026-11). One thing is laxer than there: an
event that the end of the stream leaves without its blank line still counts, since many servers end so.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_LINE_END = re.compile(rb"\r\n|\n|\r")
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_STARTS = (b"data:", b"event:", b"id:", b"retry:", b":")


@dataclass(frozen=True, slots=True)
class Event:
    """One event. `name` is empty where the stream names none; `data` is left as bytes, for JSON to refuse bad UTF-8."""

    name: str
    data: bytes


class EventReader:
    """Cuts a stream into events, whatever pieces it comes in."""

    def __init__(self) -> None:
        self._rest: list[bytes] = []
        self._name = ""
        self._data: list[bytes] = []

    def feed(self, chunk: bytes) -> list[Event]:
        """The events completed by `chunk`."""
        self._rest.append(chunk)
        # Joined only when a line may be complete: joining at every chunk would take quadratic time over a long line.
        if b"\n" not in chunk and b"\r" not in chunk:
            return []
        lines, rest = _split_lines(b"".join(self._rest))
        self._rest = [rest]
        return [event for line in lines if (event := self._take(line)) is not None]

    def finish(self) -> list[Event]:
        """What the end of the stream completes: at most one event."""
        lines, _ = _split_lines(b"".join(self._rest) + b"\n")
        self._rest = []
        return [event for line in (*lines, b"") if (event := self._take(line)) is not None]

    def _take(self, line: bytes) -> Event | None:
        line = line.removeprefix(_BYTE_ORDER_MARK)
        if not line:
            event = Event(self._name, b"\n".join(self._data)) if self._data else None
            self._name, self._data = "", []
            return event
        field, _, value = line.partition(b":")
        value = value.removeprefix(b" ")
        if field == b"data":
            self._data.append(value)
        elif field == b"event":
            self._name = value.decode("utf-8", "replace")
        return None


def read_events(body: bytes) -> tuple[Event, ...]:
    """The events of a whole body."""
    reader = EventReader()
    return (*reader.feed(body), *reader.finish())


def looks_like_events(body: bytes) -> bool:
    """Whether a body is an event stream whatever its content type says. No JSON text begins so."""
    return body.lstrip().startswith(_STARTS)


def _split_lines(text: bytes) -> tuple[list[bytes], bytes]:
    """Whole lines, and the rest. A carriage return at the very end may be half of a line end: it stays in the rest."""
    held = b"\r" if text.endswith(b"\r") else b""
    *lines, rest = _LINE_END.split(text.removesuffix(b"\r"))
    return lines, rest + held
