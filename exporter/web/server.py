"""The HTTP server. It owns its sockets and nothing else: no signals, no logging set-up, no loop of its own."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import math
import os
import socket
from collections.abc import Callable, Generator, Sequence

import uvicorn
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from exporter.errors import ExporterError, Problem
from exporter.web.acceptor import Acceptor
from exporter.web.address import FLAG, ListenAddress
from exporter.web.connection import Connection, Limits
from exporter.web.door import Door

_PIECE_BYTES = 64 << 10
_BACKLOG = 128
_NO_IPV6 = (errno.EAFNOSUPPORT, errno.EADDRNOTAVAIL)


class _Server(uvicorn.Server):
    """Uvicorn without its signal handlers, since SIGTERM and SIGHUP are the daemon's, and with a doorkeeper of our own."""

    def __init__(self, config: uvicorn.Config, listeners: Sequence[socket.socket], door: Door, limits: Limits) -> None:
        super().__init__(config)

        def new_connection(gone: Callable[[Connection], None]) -> Connection:
            return Connection(config, self.server_state, limits, door.client_allowed_sans, gone)

        self.acceptor = Acceptor(listeners, door, limits, new_connection)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen."""
        await self.lifespan.startup()
        self.servers = []
        self.acceptor.open()
        self.started = True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Take nobody any more, and let requests under way end."""
        self.acceptor.close()
        await super().shutdown(sockets)

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        yield


def open_listener(address: ListenAddress) -> tuple[socket.socket, ListenAddress]:
    """A listening socket, and the address it is bound to (the port found, where port 0 was asked for).

    Raises ExporterError where the address cannot be had: in use, not of this machine, not allowed.
    """
    try:
        listener = _listen(address)
    except (OSError, UnicodeError) as error:
        raise ExporterError(_problem(address, error)) from error
    return listener, ListenAddress(address.host, listener.getsockname()[1])


async def serve_app(
    app: ASGIApp,
    listeners: Sequence[socket.socket],
    *,
    stop: asyncio.Event,
    grace_seconds: float = 5.0,
    door: Door | None = None,
    limits: Limits | None = None,
) -> None:
    """Serve `app` until `stop` is set; requests under way then have `grace_seconds` to end. Closes the listeners.

    TLS is the door's, of the moment a connection comes. Nobody is waited for longer than `limits` has it.
    """
    limits = limits or Limits()
    config = uvicorn.Config(
        _InPieces(app),
        http="h11",
        ws="none",
        lifespan="off",
        interface="asgi3",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_keep_alive=limits.idle,
        timeout_graceful_shutdown=math.ceil(grace_seconds),
    )
    server = _Server(config, listeners, door or Door(), limits)
    serving = asyncio.create_task(server.serve(sockets=list(listeners)))
    stopping = asyncio.create_task(stop.wait())
    try:
        await asyncio.wait((serving, stopping), return_when=asyncio.FIRST_COMPLETED)
        server.should_exit = True
        await serving
    finally:
        stopping.cancel()
        serving.cancel()
        await asyncio.gather(stopping, serving, return_exceptions=True)
        await server.acceptor.abort()
        for listener in listeners:
            listener.close()


class _InPieces:
    """Middleware that sends a large body in pieces, each once the client has taken most of the one before.

    In one piece it would lie in memory for every client that does not read.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on."""

        async def send_in_pieces(message: Message) -> None:
            body = message.get("body", b"")
            *starts, last = range(0, max(1, len(body)), _PIECE_BYTES)
            for start in starts:
                await send({"type": message["type"], "body": body[start : start + _PIECE_BYTES], "more_body": True})
            await send({**message, "body": body[last:]} if starts else message)

        await self._app(scope, receive, send_in_pieces)


def _listen(address: ListenAddress) -> socket.socket:
    listener = _bind(address)
    # asyncio turns Nagle's algorithm off only where the socket names its protocol; with it a kept connection waits 40 ms for an ACK.
    return socket.socket(listener.family, listener.type, socket.IPPROTO_TCP, fileno=listener.detach())


def _bind(address: ListenAddress) -> socket.socket:
    if address.host:
        family, _, _, _, name = socket.getaddrinfo(address.host, address.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        return socket.create_server(name[:2] if family == socket.AF_INET else name, family=family, backlog=_BACKLOG)
    if socket.has_dualstack_ipv6():
        try:
            return socket.create_server(("::", address.port), family=socket.AF_INET6, dualstack_ipv6=True, backlog=_BACKLOG)
        except OSError as error:
            if error.errno not in _NO_IPV6:
                raise
    return socket.create_server(("0.0.0.0", address.port), backlog=_BACKLOG)  # noqa: S104  # an empty host asks for every address


def _problem(address: ListenAddress, error: OSError | UnicodeError) -> Problem:
    where = f"{FLAG} {address}"
    if isinstance(error, UnicodeError | socket.gaierror):
        return Problem(where, "the host name cannot be resolved", "write an address of this machine, or leave the host out")
    match error.errno:
        case errno.EADDRINUSE:
            return Problem(where, "the port is in use", "stop the other process, or choose another port")
        case errno.EADDRNOTAVAIL:
            return Problem(where, "this machine does not have the address", "write one it has, or leave the host out")
        case errno.EACCES:
            return Problem(where, "not allowed to listen there", "choose a port above 1023")
    return Problem(where, os.strerror(error.errno) if error.errno else str(error), "choose another address")
