"""Replies made by hand, for the pure functions: no network, no clock."""

from __future__ import annotations

import json
from collections.abc import Mapping

from exporter.providers.registry import ADAPTERS
from exporter.providers.reply import Reply
from exporter.providers.sse import read_events
from exporter.records import Answer

NOW = 1_800_000_000.0


def reply(payload: object, status: int = 200, headers: Mapping[str, str] | None = None) -> Reply:
    """A reply with a JSON body, or with bytes as they are."""
    body = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
    return Reply(status=status, headers=headers or {"content-type": "application/json"}, body=body, received_at=NOW)


def streamed(*events: bytes) -> Reply:
    """A reply with an event stream."""
    body = b"".join(events)
    return Reply(status=200, headers={"content-type": "text/event-stream"}, body=body, received_at=NOW, events=read_events(body))


def read(api: str, reply: Reply) -> Answer:
    """What the adapter of an API makes of a reply."""
    return ADAPTERS[api].read_reply(reply)
