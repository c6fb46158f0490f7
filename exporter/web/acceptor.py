"""Who comes in at the listening sockets, and who has to go where there are too many.

Each connection gets the TLS of the moment it comes: a server of asyncio's would keep the certificate that it was started with.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import socket
from collections.abc import Callable, Sequence
from functools import partial

from exporter.web.connection import Connection, Limits, Standing
from exporter.web.door import Door

NewConnection = Callable[[Callable[[Connection], None]], Connection]

_RETRY_SECONDS = 0.2
_AT_A_TIME = 8  # few, since who is given up for them holds a file descriptor until the next turn of the loop
_OUT_OF_ROOM = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)


class Acceptor:
    """Takes connections while it is open. `new_connection` is told what to call when one is lost."""

    def __init__(self, listeners: Sequence[socket.socket], door: Door, limits: Limits, new_connection: NewConnection) -> None:
        self._listeners = listeners
        self._door = door
        self._limits = limits
        self._new_connection = new_connection
        self._most = limits.connections
        self._connections: dict[Connection, asyncio.Task[None]] = {}
        self._retries: dict[socket.socket, asyncio.TimerHandle] = {}
        self._loop = asyncio.get_running_loop()

    def open(self) -> None:
        """Begin."""
        for listener in self._listeners:
            listener.setblocking(False)
            self._watch(listener)

    def close(self) -> None:
        """Take no more connections, and give up those whose handshake is not over."""
        for listener in self._listeners:
            if listener.fileno() >= 0:
                self._loop.remove_reader(listener)
        for retry in self._retries.values():
            retry.cancel()
        self._retries.clear()
        for task in self._connections.values():
            task.cancel()

    async def abort(self) -> None:
        """End whatever connection there still is."""
        self.close()
        tasks = list(self._connections.values())
        for connection in list(self._connections):
            connection.abort()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _watch(self, listener: socket.socket) -> None:
        self._retries.pop(listener, None)
        self._loop.add_reader(listener, self._accept, listener)

    def _accept(self, listener: socket.socket) -> None:
        """Take who waits. A system without room for another connection is left alone for a moment, not asked again at once."""
        for _ in range(_AT_A_TIME):
            try:
                accepted, _address = listener.accept()
            except (BlockingIOError, InterruptedError, ConnectionError):
                return
            except OSError as error:
                if error.errno in _OUT_OF_ROOM:
                    self._live_within_less()
                    self._loop.remove_reader(listener)
                    self._retries[listener] = self._loop.call_later(_RETRY_SECONDS, self._watch, listener)
                return
            if len(self._connections) >= self._most and not self._make_room():
                accepted.close()
                continue
            connection = self._new_connection(self._forget)
            task = self._connections[connection] = self._loop.create_task(self._welcome(accepted, connection))
            task.add_done_callback(partial(_close_if_not_met, accepted, connection))

    def _make_room(self) -> bool:
        """Give up the connection that matters least; False where every one has something to do."""
        least = min(self._connections, key=lambda one: (one.standing, one.since), default=None)
        if least is None or least.standing is Standing.BUSY:
            return False
        self._connections.pop(least).cancel()
        least.abort()
        return True

    def _live_within_less(self) -> None:
        """Have a quarter fewer connections than the system allows, so that the store and the config can be read, too."""
        self._most = max(1, len(self._connections) * 3 // 4)
        while len(self._connections) > self._most and self._make_room():
            pass

    def _forget(self, connection: Connection) -> None:
        self._connections.pop(connection, None)
        if len(self._connections) <= self._most // 2:
            self._most = self._limits.connections

    async def _welcome(self, accepted: socket.socket, connection: Connection) -> None:
        tls = self._door.tls
        handshake, shutdown = (self._limits.handshake, self._limits.response) if tls is not None else (None, None)
        connection.is_met = True
        try:
            # no TLS, none that is allowed, or none in time: the client's to mend
            with contextlib.suppress(OSError):
                await self._loop.connect_accepted_socket(
                    lambda: connection, accepted, ssl=tls, ssl_handshake_timeout=handshake, ssl_shutdown_timeout=shutdown
                )
        finally:
            if connection.transport is None:
                self._forget(connection)


def _close_if_not_met(accepted: socket.socket, connection: Connection, _task: asyncio.Task[None]) -> None:
    """Close the socket of a connection that had to go before anybody looked at it; of any other a transport takes care."""
    if not connection.is_met:
        accepted.close()
