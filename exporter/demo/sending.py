"""Putting a Transmission on the wire, in its manner."""

from __future__ import annotations

import asyncio
import socket
import struct
from collections.abc import AsyncIterator

from starlette.types import Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from exporter.clock import Clock
from exporter.demo.exchange import Manner, Transmission

DRIP_SECONDS = 1.0
_LINGER_NOTHING = struct.pack("ii", 1, 0)
_transports: dict[tuple[object, object], asyncio.Transport] = {}
"""Connections by the addresses of client and server, which is all that an ASGI application is told of its connection.

The client's alone is not enough: it may have one port for connections to several servers.
"""


class OpenHandedProtocol(H11Protocol):
    """HTTP as uvicorn speaks it, with the connection in reach of what has to break it."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as in the parent
        """Keep the connection."""
        super().connection_made(transport)
        _transports[self.client, self.server] = transport

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        _transports.pop((self.client, self.server), None)
        super().connection_lost(exc)


class Sending:
    """A response that is sent in its transmission's manner."""

    def __init__(self, transmission: Transmission, clock: Clock, latency_seconds: float) -> None:
        self._transmission = transmission
        self._clock = clock
        self._latency_seconds = latency_seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it as an ASGI application does."""
        if self._latency_seconds:
            await self._clock.sleep(self._latency_seconds)
        manner = self._transmission.manner
        if manner is Manner.SILENCE:
            await _await_hangup(receive)
            return
        if manner is Manner.RESET:
            _reset(scope)
            await _await_hangup(receive)
            return
        await send(self._head())
        async for chunk in self._chunks():
            await send({"type": "http.response.body", "body": chunk, "more_body": True})
        if manner in (Manner.CLOSE_EARLY, Manner.HALF_CLOSE):
            transport = _transports[scope["client"], scope["server"]]
            (transport.close if manner is Manner.CLOSE_EARLY else transport.write_eof)()
            await _await_hangup(receive)
            return
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    def _head(self) -> dict[str, object]:
        transmission = self._transmission
        headers = {"content-type": transmission.content_type, **transmission.headers}
        if transmission.content_type != "text/event-stream":
            headers["content-length"] = str(sum(len(chunk) for chunk in transmission.chunks))
        pairs = [(name.encode(), value.encode()) for name, value in headers.items()]
        return {"type": "http.response.start", "status": transmission.status, "headers": pairs}

    async def _chunks(self) -> AsyncIterator[bytes]:
        chunks, manner = self._transmission.chunks, self._transmission.manner
        if manner in (Manner.CLOSE_EARLY, Manner.HALF_CLOSE):
            whole = b"".join(chunks)
            yield whole[: len(whole) // 2]
        elif manner is Manner.DRIP:
            for byte in b"".join(chunks):
                yield bytes([byte])
                await self._clock.sleep(DRIP_SECONDS)
        else:
            for chunk in chunks:
                yield chunk


async def _await_hangup(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def _reset(scope: Scope) -> None:
    """End the connection so that the other side sees a reset, not an end."""
    transport = _transports[scope["client"], scope["server"]]
    transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _LINGER_NOTHING)
    transport.abort()
