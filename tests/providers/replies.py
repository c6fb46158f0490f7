"""Replies made by hand, for the pure functions: no network, no clock."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

from exporter.providers.lines import read_lines
from exporter.providers.registry import ADAPTERS
from exporter.providers.reply import Reply
from exporter.providers.sse import read_events
from exporter.records import Answer
from tests.providers.contract import Wording
from tests.providers.loopback import STREAM_HEAD

NOW = 1_800_000_000.0


def reply(payload: object, status: int = 200, headers: Mapping[str, str] | None = None) -> Reply:
    """A reply with a JSON body, or with bytes as they are."""
    body = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
    return Reply(status=status, headers=headers or {"content-type": "application/json"}, body=body, received_at=NOW)


def streamed(*events: bytes) -> Reply:
    """A reply with an event stream."""
    body = b"".join(events)
    return Reply(status=200, headers={"content-type": "text/event-stream"}, body=body, received_at=NOW, events=read_events(body))


def in_lines(*lines: bytes) -> Reply:
    """A reply with lines of JSON."""
    body = b"".join(lines)
    return Reply(status=200, headers={"content-type": "application/x-ndjson"}, body=body, received_at=NOW, events=read_lines(body) or None)


def streams(wording: Wording) -> Callable[..., Reply]:
    """How this API streams: in events or in lines."""
    return streamed if wording.stream_head == STREAM_HEAD else in_lines


def read(api: str, reply: Reply) -> Answer:
    """What the adapter of an API makes of a reply."""
    return ADAPTERS[api].read_reply(reply)
