"""A wire to a server of this machine that can be slow (what the client sends arrives later) and be laid to another server."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress
from types import TracebackType

_CHUNK_BYTES = 65536


class SlowWire:
    """Listens on a port of loopback and hands everything on to `to_port`; where that is changed, the next connection leads there.

    As a context manager it is gone afterwards.
    """

    def __init__(self, to_port: int) -> None:
        self.to_port = to_port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._open: set[socket.socket] = set()
        self._gone = threading.Event()
        self.port: int = self._listener.getsockname()[1]
        self.delay_seconds = 0.0
        self.delayed = 0

    def __enter__(self) -> SlowWire:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._gone.set()
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for end in list(self._open):
            _cut(end)

    def _accept(self) -> None:
        while not self._gone.is_set():
            try:
                client, _ = self._listener.accept()
            except OSError:
                continue
            try:
                server = socket.create_connection(("127.0.0.1", self.to_port))
            except OSError:
                client.close()
                continue
            self._open |= {client, server}
            threading.Thread(target=self._hand_on, args=(client, server, True), daemon=True).start()
            threading.Thread(target=self._hand_on, args=(server, client, False), daemon=True).start()

    def _hand_on(self, source: socket.socket, sink: socket.socket, is_slow: bool) -> None:
        with suppress(OSError):
            while data := source.recv(_CHUNK_BYTES):
                if is_slow and self.delay_seconds:
                    self.delayed += 1
                    self._gone.wait(self.delay_seconds)
                sink.sendall(data)
        _cut(sink)
        _cut(source)


def _cut(end: socket.socket) -> None:
    with suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
    end.close()
