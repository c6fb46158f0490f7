"""The nouns of one exchange with the mock provider: what was asked, what the model says, what goes over the wire."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol

from exporter.records import ToolCall


class Finish(StrEnum):
    """Why the pretended model stopped, in no API's own words."""

    STOP = "stop"
    LENGTH = "length"
    REFUSAL = "refusal"
    CONTENT_FILTER = "content_filter"
    ODD = "odd"
    """A reason that nobody has heard of."""


class Manner(StrEnum):
    """How a response is sent."""

    WHOLE = "whole"
    DRIP = "drip"
    """One byte a second."""
    CLOSE_EARLY = "close_early"
    """The head promises more bytes than come before the connection is closed."""
    RESET = "reset"
    """The connection is reset before the first byte."""
    HALF_CLOSE = "half_close"
    """The server ends its side in the middle of the body and goes on listening."""
    SILENCE = "silence"
    """Nothing ever comes."""


@dataclass(frozen=True, slots=True)
class Ask:
    """One request, read. `prompt` is the text of the last user message; `max_tokens` is None where no limit was set.

    `tools` are the names of those that are offered.
    """

    model: str
    prompt: str
    system: str = ""
    max_tokens: int | None = None
    stream: bool = False
    usage_in_stream: bool = False
    tools: tuple[str, ...] = ()


class BadAskError(Exception):
    """A request that the API would turn away with `status`. `param` names the field."""

    def __init__(self, param: str, message: str, status: int = 400) -> None:
        self.param = param
        self.status = status
        super().__init__(message)


@dataclass(frozen=True, slots=True)
class Tokens:
    """Usage as it will be reported. `output_tokens` includes `reasoning_tokens`."""

    input_tokens: int
    output_tokens: int
    reasoning_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Reply:
    """What the pretended model says. `tokens` is None where no usage is to be reported."""

    id: str
    model: str
    text: str
    finish: Finish
    tokens: Tokens | None
    fingerprint: str | None = None
    tool_calls: tuple[ToolCall, ...] = ()


@dataclass(frozen=True, slots=True)
class Transmission:
    """A response as bytes. `chunks` are sent one by one; a stream has one for each event. `status` 0: there is no response."""

    status: int
    chunks: tuple[bytes, ...]
    content_type: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict)
    manner: Manner = Manner.WHOLE


class Dialect(Protocol):
    """One API as its server speaks it. A target's base URL ends in `root`; a key is taken from `key_headers`, and from no other."""

    api: str
    root: str
    paths: tuple[str, ...]
    key_headers: tuple[str, ...]
    stream_type: str

    def read(self, body: Mapping[str, Any]) -> Ask:
        """Return what is asked; raises BadAskError."""
        ...

    def whole(self, reply: Reply) -> dict[str, Any]:
        """Return the body of a plain response."""
        ...

    def events(self, reply: Reply, *, usage: bool) -> Iterator[bytes]:
        """Yield the events, or lines, of a streamed response; `usage` where the request asked for it."""
        ...

    def error(self, kind: str, message: str, code: str | None = None, param: str | None = None) -> dict[str, Any]:
        """Return the body of an error. APIs without codes or params leave them out."""
        ...

    def error_event(self, error: Mapping[str, Any]) -> bytes:
        """Return what carries the body of an error in the middle of a stream."""
        ...


@dataclass(frozen=True, slots=True)
class Exchange:
    """Everything that a fault may bend: the ask, the reply that would be due, and the API's way of saying things."""

    dialect: Dialect
    ask: Ask
    reply: Reply
    retry_after: str | None = None

    def body(self) -> dict[str, Any]:
        """Return the body that a plain response would have, for a fault to change."""
        return self.dialect.whole(self.reply)

    def send(self, reply: Reply) -> Transmission:
        """Return `reply` as the ordinary response, streamed where that was asked for."""
        if not self.ask.stream:
            return as_json(200, self.dialect.whole(reply))
        chunks = tuple(self.dialect.events(reply, usage=self.ask.usage_in_stream))
        return Transmission(200, chunks, self.dialect.stream_type)

    def refuse(self, status: int, kind: str, message: str, code: str | None = None, param: str | None = None) -> Transmission:
        """Return an error in the API's own form."""
        return as_json(status, self.dialect.error(kind, message, code, param))


def as_json(status: int, body: object, headers: Mapping[str, str] | None = None) -> Transmission:
    """Return `body` as a JSON response."""
    return Transmission(status, (json.dumps(body, ensure_ascii=False).encode(),), headers=headers or {})
