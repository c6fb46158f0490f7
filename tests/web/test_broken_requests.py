"""Requests that are no HTTP, or that end in the middle: whoever reaches the port can send them, and must not fill the log."""

from __future__ import annotations

import asyncio
import logging

import pytest
from starlette.types import Receive, Scope, Send

from exporter.web import ListenAddress, create_app, open_listener, serve_app
from tests.web.fake_state import FakeState

FORM = b"Content-Type: application/x-www-form-urlencoded\r\n"
CHUNKED = b"POST /targets/support-bot HTTP/1.1\r\nHost: x\r\n" + FORM + b"Transfer-Encoding: chunked\r\n\r\n"
SEVERAL = CHUNKED.replace(b"POST /targets/support-bot", b"GET /-/healthy")
BOTH = b"GET /-/healthy HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"


def answers_to(*parts: bytes, cut_off: bool = False) -> list[bytes]:
    """The status line of each answer to what is sent, each part once the one before is answered, until the server ends the connection."""

    async def run() -> list[bytes]:
        listener, bound = open_listener(ListenAddress("127.0.0.1", 0))
        stop, ended = asyncio.Event(), asyncio.Event()
        app = create_app(FakeState(lifecycle=True))

        async def watched(scope: Scope, receive: Receive, send: Send) -> None:
            try:
                await app(scope, receive, send)
            finally:
                ended.set()

        serving = asyncio.create_task(serve_app(watched, [listener], stop=stop, grace_seconds=1))
        reader, writer = await asyncio.open_connection("127.0.0.1", bound.port)
        async with asyncio.timeout(30):
            received = b""
            for part in parts:
                writer.write(part)
                received += b"" if part is parts[-1] else await reader.readuntil(b"\r\n\r\n")
            if cut_off:
                writer.close()
                await ended.wait()
            else:
                received += await reader.read()
        writer.close()
        stop.set()
        await serving
        return [line for line in received.split(b"\r\n") if line.startswith(b"HTTP/")]

    return asyncio.run(run())


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


def test_a_form_that_is_cut_off_is_not_logged(caplog: pytest.LogCaptureFixture) -> None:
    answers_to(CHUNKED.replace(b"Transfer-Encoding: chunked", b"Content-Length: 9") + b"action", cut_off=True)
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR] == []


def test_a_body_of_two_lengths_is_refused_and_nothing_behind_it_is_read() -> None:
    behind = b"GET /-/ready HTTP/1.1\r\nHost: x\r\n\r\n"
    assert answers_to(BOTH + behind) == [b"HTTP/1.1 400 Bad Request"]
