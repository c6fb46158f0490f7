"""A reply of any API, plain or streamed: what both have in common once an API says how it reads a whole and folds a stream."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from exporter.providers.failures import read_cut_stream, read_error, read_failure, read_no_json
from exporter.providers.reply import Reply
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
