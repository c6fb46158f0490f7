"""A response body as it comes in: unpacked, limited, and cut into events while it is still coming."""

from __future__ import annotations

import zlib
from collections.abc import Callable

from exporter.providers.lines import LineReader, is_lines
from exporter.providers.sse import Event, EventReader, looks_like_events

BODY_LIMIT_BYTES = 4 * 1024 * 1024
_GZIP_OR_ZLIB = zlib.MAX_WBITS | 32


class UnreadableBodyError(Exception):
    """The body is too large, or packed in a way that cannot be undone. `str()` says which."""


class BodyReader:
    """Collects a body. At most `limit_bytes` are kept, before and after unpacking: one packed byte can hold a thousand."""

    def __init__(
        self,
        content_type: str,
        content_encoding: str,
        is_last: Callable[[Event], bool],
        limit_bytes: int = BODY_LIMIT_BYTES,
    ) -> None:
        encoding = content_encoding.strip().lower()
        if encoding not in ("", "identity", "gzip", "x-gzip", "deflate"):
            raise UnreadableBodyError(f"a body packed as {encoding[:20]}, which was not asked for")
        self._unpacker = zlib.decompressobj(_GZIP_OR_ZLIB) if encoding not in ("", "identity") else None
        self._is_last = is_last
        self._limit_bytes = limit_bytes
        self._raw_bytes = 0
        self._body = bytearray()
        self._reader: EventReader | LineReader | None = _find_reader(content_type.lower())
        self._events: list[Event] = []

    def feed(self, raw: bytes) -> bool:
        """Take the next piece. True once the stream's last event has come: nothing more need be read."""
        self._raw_bytes += len(raw)
        if self._raw_bytes > self._limit_bytes:
            raise UnreadableBodyError(self._too_large())
        piece = self._unpack(raw) if self._unpacker else raw
        self._body += piece
        if len(self._body) > self._limit_bytes:
            raise UnreadableBodyError(self._too_large())
        if self._reader is None:
            if not looks_like_events(bytes(self._body[:64])):
                return False
            self._reader, piece = EventReader(), bytes(self._body)
        return self._take(self._reader.feed(piece))

    def finish(self) -> None:
        """Take the end of the body as its end."""
        if self._unpacker and self._raw_bytes and not self._unpacker.eof:
            raise UnreadableBodyError("a packed body that was cut off")
        if self._reader is not None:
            self._take(self._reader.finish())

    @property
    def body(self) -> bytes:
        """What has come so far, unpacked."""
        return bytes(self._body)

    @property
    def events(self) -> tuple[Event, ...] | None:
        """The events so far; None where the body is no event stream, whatever its content type says."""
        return tuple(self._events) if self._events else None

    def _take(self, events: list[Event]) -> bool:
        for event in events:
            self._events.append(event)
            if self._is_last(event):
                return True
        return False

    def _unpack(self, raw: bytes) -> bytes:
        unpacker = self._unpacker
        if unpacker is None or unpacker.eof:
            return b""
        try:
            return unpacker.decompress(raw, self._limit_bytes + 1 - len(self._body))
        except zlib.error as error:
            raise UnreadableBodyError("a packed body that cannot be unpacked") from error

    def _too_large(self) -> str:
        return f"a body larger than {self._limit_bytes // 1024} KiB"


def _find_reader(content_type: str) -> EventReader | LineReader | None:
    if is_lines(content_type):
        return LineReader()
    return EventReader() if "text/event-stream" in content_type else None
