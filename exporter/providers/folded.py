"""A reply of any API, plain or streamed: what both have in common once an API says how it reads a whole and folds a stream."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from exporter.providers.complaint import find_error
from exporter.providers.failures import read_cut_stream, read_error, read_failure, read_no_json
from exporter.providers.reply import Reply, read_json
from exporter.providers.shapes import as_object
from exporter.providers.sse import Event
from exporter.records import Answer, Identity


@dataclass(slots=True)
class Folded:
    """A stream read to its end, or to an error in it, folded into the `whole` that a plain call would have given.

    `events` counts those that could be read, `unreadable` says that one could not. `finished` is True once the stream has
    said why it ended.
    """

    whole: dict[str, Any] = field(default_factory=dict)
    events: int = 0
    finished: bool = False
    unreadable: bool = False
    error: object = None


def read_events(events: Iterable[Event], folded: Folded) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Kind and payload of each event of a stream, until one tells of an error; what they come to is noted in `folded`.

    The kind is the payload's `type`, else the event's name. `[DONE]` and events without data are passed over.
    """
    for event in events:
        if event.data.strip() in (b"[DONE]", b""):
            continue
        try:
            payload = read_json(event.data)
        except ValueError:
            folded.unreadable = True
            continue
        folded.events += 1
        body = as_object(payload)
        folded.error = find_error(payload) or (payload if "error" in (event.name, body.get("type")) else None)
        if folded.error is not None:
            return
        yield str(body.get("type") or event.name), body


ReadWhole = Callable[[Reply, object], Answer]
ReadIdentity = Callable[[Mapping[str, Any]], Identity]


def read_plain_or_streamed(
    reply: Reply, read: ReadWhole, fold: Callable[[Iterable[Event]], Folded], identify: ReadIdentity | None = None
) -> Answer:
    """The answer in a reply: a failure, a whole that `read` understands, or a stream that `fold` makes one of.

    `identify` reads who served from what a stream has told before its error, where it tells that at all.
    """
    if not reply.ok:
        return read_failure(reply)
    if reply.events is None:
        try:
            payload = reply.payload()
        except ValueError:
            return read_no_json(reply)
        return read(reply, payload)
    return read_folded(reply, fold(reply.events), read, identify)


def read_folded(reply: Reply, folded: Folded, read: ReadWhole, identify: ReadIdentity | None = None) -> Answer:
    """The answer in a stream that has been folded."""
    if folded.error is not None:
        return read_error(reply, folded.error, identity=identify(folded.whole) if identify else Identity())
    if folded.finished:
        return read(reply, folded.whole)
    return read_cut_stream(reply, events=folded.events, unreadable=folded.unreadable)
