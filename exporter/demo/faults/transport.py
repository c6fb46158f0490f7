"""Faults of the way: bytes that come too slowly, too many, too few, or not at all."""

from __future__ import annotations

import json
from dataclasses import replace

from exporter.demo.exchange import Exchange, Manner, Transmission
from exporter.demo.faults.registry import fault
from exporter.records import Reason

HUGE_BODY_BYTES = 8 * 1024 * 1024
"""Twice what an adapter may read."""


@fault("reset", Reason.NETWORK)
def reset(exchange: Exchange) -> Transmission:
    """The connection is reset before the first byte."""
    return Transmission(0, (), manner=Manner.RESET)


@fault("close_early", Reason.NETWORK)
def close_early(exchange: Exchange) -> Transmission:
    """The connection is closed in the middle of the body."""
    return replace(exchange.send(exchange.reply), manner=Manner.CLOSE_EARLY)


@fault("half_closed", Reason.NETWORK)
def half_closed(exchange: Exchange) -> Transmission:
    """The server ends its side in the middle of the body and keeps the connection."""
    return replace(exchange.send(exchange.reply), manner=Manner.HALF_CLOSE)


@fault("slow_drip", Reason.TIMEOUT)
def slow_drip(exchange: Exchange) -> Transmission:
    """One byte a second."""
    return replace(exchange.send(exchange.reply), manner=Manner.DRIP)


@fault("silence", Reason.TIMEOUT)
def silence(exchange: Exchange) -> Transmission:
    """The request is taken and nothing ever comes."""
    return Transmission(0, (), manner=Manner.SILENCE)


@fault("huge_body", Reason.BAD_RESPONSE)
def huge_body(exchange: Exchange) -> Transmission:
    """A body larger than anybody should read."""
    return Transmission(200, tuple(b" " * (1024 * 1024) for _ in range(HUGE_BODY_BYTES // (1024 * 1024))))


@fault("stream_cut", Reason.BAD_RESPONSE)
def stream_cut(exchange: Exchange) -> Transmission:
    """A stream that stops half way without a word; a plain body is cut the same way."""
    sent = exchange.send(exchange.reply)
    if not exchange.ask.stream:
        return replace(sent, chunks=(sent.chunks[0][: len(sent.chunks[0]) // 2],))
    return replace(sent, chunks=sent.chunks[: len(sent.chunks) // 2])


@fault("stream_error", Reason.OVERLOADED)
def stream_error(exchange: Exchange) -> Transmission:
    """A stream that carries an error in its middle; a plain request gets it as a status."""
    body = exchange.dialect.error("overloaded_error", "Overloaded", "overloaded_error")
    if not exchange.ask.stream:
        return Transmission(503, (json.dumps(body).encode(),))
    sent = exchange.send(exchange.reply)
    return replace(sent, chunks=(*sent.chunks[: len(sent.chunks) // 2], exchange.dialect.error_event(body)))
