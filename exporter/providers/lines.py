"""Lines of JSON (application/x-ndjson), taken as events without a name: bytes in, events out."""

from __future__ import annotations

from exporter.providers.sse import Event


class LineReader:
    """Cuts a body into its lines, whatever pieces it comes in. Empty lines are passed over."""

    def __init__(self) -> None:
        self._rest: list[bytes] = []

    def feed(self, chunk: bytes) -> list[Event]:
        """The lines completed by `chunk`."""
        self._rest.append(chunk)
        if b"\n" not in chunk:
            return []
        *lines, rest = b"".join(self._rest).split(b"\n")
        self._rest = [rest]
        return [Event("", line) for line in lines if line.strip()]

    def finish(self) -> list[Event]:
        """What the end of the body completes: at most one line."""
        return self.feed(b"\n")


def read_lines(body: bytes) -> tuple[Event, ...]:
    """The lines of a whole body."""
    return tuple(LineReader().feed(body + b"\n"))


def is_lines(content_type: str) -> bool:
    """Whether a content type says that lines of JSON follow."""
    return any(name in content_type for name in ("ndjson", "jsonl", "json-seq"))
