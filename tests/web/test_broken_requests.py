"""Requests that are no HTTP, or that end in the middle: whoever reaches the port can send them, and must not fill the log."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

import pytest
from starlette.types import ASGIApp, Receive, Scope, Send

from exporter.web import ListenAddress, create_app, open_listener, serve_app
from tests.web.fake_state import FakeState

FORM = b"Content-Type: application/x-www-form-urlencoded\r\n"
CHUNKED = b"POST /targets/support-bot HTTP/1.1\r\nHost: x\r\n" + FORM + b"Transfer-Encoding: chunked\r\n\r\n"
SEVERAL = CHUNKED.replace(b"POST /targets/support-bot", b"GET /-/healthy")
BOTH = b"GET /-/healthy HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
ENDLESS = f"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: {1 << 30}\r\n\r\n".encode()


async def send_megabytes(writer: asyncio.StreamWriter) -> None:
    """Send far more than the buffers on the way hold. Raises ConnectionError where the other end reads no more."""
    for _ in range(40):
        writer.write(bytes(1 << 20))
        await writer.drain()


def ask_with(app: ASGIApp, client: Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[bytes]]) -> bytes:
    """What a client makes of its one connection to a server."""

    async def run() -> bytes:
        listener, bound = open_listener(ListenAddress("127.0.0.1", 0))
        stop = asyncio.Event()
        serving = asyncio.create_task(serve_app(app, [listener], stop=stop, grace_seconds=1))
        reader, writer = await asyncio.open_connection("127.0.0.1", bound.port)
        try:
            async with asyncio.timeout(30):
                return await client(reader, writer)
        finally:
            writer.close()
            stop.set()
            await serving

    return asyncio.run(run())


def answers_to(*parts: bytes, cut_off: bool = False) -> list[bytes]:
    """The status line of each answer to what is sent, each part once the one before is answered, until the server ends the connection."""
    app, ended = create_app(FakeState(lifecycle=True)), asyncio.Event()

    async def watched(scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await app(scope, receive, send)
        finally:
            ended.set()

    async def send_all(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        received = b""
        for part in parts:
            writer.write(part)
            received += b"" if part is parts[-1] else await reader.readuntil(b"\r\n\r\n")
        if not cut_off:
            return received + await reader.read()
        writer.close()
        await ended.wait()
        return received

    return [line for line in ask_with(watched, send_all).split(b"\r\n") if line.startswith(b"HTTP/")]


@pytest.mark.parametrize(
    ("parts", "answers"),
    [
        ([b"no HTTP\r\n\r\n"], [b"HTTP/1.1 400 Bad Request"]),
        ([SEVERAL + b"no number\r\n"], [b"HTTP/1.1 400 Bad Request"]),
        ([CHUNKED + b"no number\r\n"], [b"HTTP/1.1 400 Bad Request"]),
        ([SEVERAL, b"no number\r\n"], [b"HTTP/1.1 200 OK"]),
    ],
)
def test_what_is_no_http_is_answered_once_and_not_logged(
    parts: list[bytes], answers: list[bytes], caplog: pytest.LogCaptureFixture
) -> None:
    assert answers_to(*parts) == answers
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR] == []


@pytest.mark.parametrize("path", ["/-/reload", "/api/v1/targets/support-bot/check", "/targets/support-bot"])
def test_a_body_of_many_megabytes_is_refused_and_not_cut_off(path: str, caplog: pytest.LogCaptureFixture) -> None:
    async def send(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        writer.write(ENDLESS.replace(b"/", path.encode(), 1))
        answer = await reader.readuntil(b"KiB\n")
        await send_megabytes(writer)
        return answer

    answer = ask_with(create_app(FakeState(lifecycle=True)), send)
    assert answer.startswith(b"HTTP/1.1 413 ")
    assert answer.endswith(b"\r\n\r\nnothing that is sent here has more than 64 KiB\n")
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR] == []


def test_a_body_of_many_megabytes_that_somebody_reads_is_cut_off() -> None:
    async def read_all(_scope: Scope, receive: Receive, _send: Send) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass

    async def send(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        writer.write(ENDLESS)
        await send_megabytes(writer)
        return b""

    with pytest.raises(ConnectionError):
        ask_with(read_all, send)


def test_a_form_that_is_cut_off_is_not_logged(caplog: pytest.LogCaptureFixture) -> None:
    answers_to(CHUNKED.replace(b"Transfer-Encoding: chunked", b"Content-Length: 9") + b"action", cut_off=True)
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR] == []


def test_a_body_of_two_lengths_is_refused_and_nothing_behind_it_is_read() -> None:
    behind = b"GET /-/ready HTTP/1.1\r\nHost: x\r\n\r\n"
    assert answers_to(BOTH + behind) == [b"HTTP/1.1 400 Bad Request"]
