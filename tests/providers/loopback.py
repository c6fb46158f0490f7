"""A real HTTP server on loopback. A test says, byte by byte if it likes, what comes back."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import struct
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Self


@dataclass(frozen=True, slots=True)
class Received:
    """One request as it arrived; header names in lower case."""

    path: str
    headers: Mapping[str, str]
    body: bytes
    method: str = "POST"

    def json(self) -> Any:
        return json.loads(self.body)


Respond = Callable[[Received, asyncio.StreamWriter], Awaitable[None]]


class Loopback:
    """Serves until the block ends. Every response closes its connection, unless `respond` keeps it open."""

    def __init__(self, respond: Respond) -> None:
        self._respond = respond
        self._tasks: set[asyncio.Task[None]] = set()
        self._writers: list[asyncio.StreamWriter] = []
        self.received: list[Received] = []
        self.url = ""

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(self, *_: object) -> None:
        for _turn in range(10):  # a connection that is being accepted becomes one that can be closed
            await asyncio.sleep(0)
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for writer in self._writers:
            writer.transport.abort()
        await self._server.wait_closed()

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.append(writer)
        task = asyncio.create_task(self._serve(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
            received = await _read(reader)
            self.received.append(received)
            await self._respond(received, writer)
            await writer.drain()
        writer.close()


async def _read(reader: asyncio.StreamReader) -> Received:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:] if line)}
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    method, path, _ = head[0].split(" ")
    return Received(path, headers, body, method)


def response(status: int, body: bytes, headers: Mapping[str, str] | None = None, *, length: int | None = None) -> bytes:
    """A whole response. `length` states another length than the body's own."""
    fields = {"content-length": str(len(body) if length is None else length), "connection": "close", **(headers or {})}
    return b"".join([f"HTTP/1.1 {status} Any\r\n".encode(), *(f"{n}: {v}\r\n".encode() for n, v in fields.items()), b"\r\n", body])


def says(status: int, payload: object, headers: Mapping[str, str] | None = None) -> Respond:
    """Responds with JSON, or with bytes as they are."""
    body = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
    return sends(response(status, body, {"content-type": "application/json", **(headers or {})}))


def sends(*pieces: bytes) -> Respond:
    """Responds with these pieces, one after another, and closes."""

    async def respond(_: Received, writer: asyncio.StreamWriter) -> None:
        for piece in pieces:
            writer.write(piece)
            await writer.drain()
            await asyncio.sleep(0)

    return respond


STREAM_HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n"


def holds(*pieces: bytes) -> Respond:
    """Responds with these pieces, and then neither ends nor closes."""

    async def respond(received: Received, writer: asyncio.StreamWriter) -> None:
        await sends(*pieces)(received, writer)
        await asyncio.Event().wait()

    return respond


def resets(*pieces: bytes) -> Respond:
    """Responds with these pieces, and then resets the connection."""

    async def respond(received: Received, writer: asyncio.StreamWriter) -> None:
        await sends(*pieces)(received, writer)
        connection = writer.get_extra_info("socket")
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        writer.transport.abort()

    return respond
