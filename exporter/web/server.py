"""The HTTP server. It owns its sockets and nothing else: no signals, no logging set-up, no loop of its own."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import math
import os
import socket
from collections.abc import Generator, Sequence

import uvicorn
from starlette.types import ASGIApp

from exporter.errors import ExporterError, Problem
from exporter.web.address import FLAG, ListenAddress

KEEP_ALIVE_SECONDS = 75
"""Longer than a usual scrape interval, so that a scraper keeps its connection."""

_BACKLOG = 128
_NO_IPV6 = (errno.EAFNOSUPPORT, errno.EADDRNOTAVAIL)


class _Server(uvicorn.Server):
    """Uvicorn without its signal handlers: SIGTERM and SIGHUP are the daemon's."""

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


async def serve_app(app: ASGIApp, listeners: Sequence[socket.socket], *, stop: asyncio.Event, grace_seconds: float = 5.0) -> None:
    """Serve `app` until `stop` is set; requests under way then have `grace_seconds` to end. Closes the listeners."""
    config = uvicorn.Config(
        app,
        http="h11",
        ws="none",
        lifespan="off",
        interface="asgi3",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=math.ceil(grace_seconds),
    )
    server = _Server(config)
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
        for listener in listeners:
            listener.close()


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
