"""What came back over the wire, as values: a Reply, or Broken where there is none."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from exporter.providers.sse import Event
from exporter.records import Charge, Reason


@dataclass(frozen=True, slots=True)
class Broken:
    """No answer could be read. `message` is complete and holds no secret."""

    reason: Reason
    charge: Charge
    message: str
    latency_seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Reply:
    """An HTTP response, read to its end or to the last event of its stream.

    `headers` have lower-case names. `events` is None where the body is no event stream. `broken` says what cut a stream
    off after its first event; every other response that was cut off is a Broken instead. `received_at` is Unix seconds.
    `secrets` and `prompts` are words that no message may repeat; `key_hint` says where the key of the request came from, and
    so what to do about one that is refused. `max_tokens` is how long an answer the request allowed.
    """

    status: int
    headers: Mapping[str, str]
    body: bytes
    received_at: float
    latency_seconds: float = 0.0
    events: tuple[Event, ...] | None = None
    broken: Broken | None = None
    secrets: tuple[str, ...] = field(default=(), repr=False)
    prompts: tuple[str, ...] = field(default=(), repr=False)
    key_hint: str = ""
    max_tokens: int | None = None

    @property
    def ok(self) -> bool:
        """Whether the status says success."""
        return 200 <= self.status < 300

    def payload(self) -> Any:
        """The body as JSON. Raises ValueError where it is none."""
        return read_json(self.body)


def read_json(text: bytes | str) -> Any:
    """A JSON value. Raises ValueError for everything that is none: cut off, not UTF-8, nested past all reason."""
    try:
        return json.loads(text)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
