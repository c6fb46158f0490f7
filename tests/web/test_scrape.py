"""What a scrape costs where many ask at once, or do not read."""

from __future__ import annotations

import asyncio
import threading

import pytest
from starlette.types import ASGIApp, Message

from exporter.metrics import Exposition, MetricsView
from exporter.web import create_app
from tests.web.fake_state import FakeState

OPENMETRICS = "application/openmetrics-text;version=1.0.0"


async def scrape(app: ASGIApp, accept: str = "", accept_encoding: str = "identity") -> list[Message]:
    """The messages of one answer to /metrics."""
    sent: list[Message] = []

    async def receive() -> Message:
        await asyncio.Event().wait()
        raise AssertionError

    async def send(message: Message) -> None:
        sent.append(message)

    headers = [(b"accept", accept.encode()), (b"accept-encoding", accept_encoding.encode())]
    scope = {"type": "http", "method": "GET", "path": "/metrics", "query_string": b"", "headers": headers}
    await app(scope, receive, send)
    return sent


def body_of(messages: list[Message]) -> bytes:
    return b"".join(message.get("body", b"") for message in messages)


def test_who_asks_while_another_is_answered_gets_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    rendered: list[str] = []
    render, all_are_there = Exposition.render, threading.Event()

    def note(exposition: Exposition, view: MetricsView, accept: str) -> tuple[bytes, str]:
        rendered.append(accept)
        assert all_are_there.wait(30)
        return render(exposition, view, accept)

    monkeypatch.setattr(Exposition, "render", note)

    async def crowd() -> list[bytes]:
        app = create_app(FakeState())
        asking = [asyncio.create_task(scrape(app, accept, "gzip")) for accept in ("", OPENMETRICS, "text/plain") * 20]
        while len(rendered) < 2:
            await asyncio.sleep(0)
        all_are_there.set()
        answers = [body_of(messages) for messages in await asyncio.gather(*asking)]
        await scrape(app)
        return answers

    assert len(set(asyncio.run(crowd()))) == 2
    assert (sorted(rendered[:2]), rendered[2:]) == (["", OPENMETRICS], [""])  # two threads: which begins first is chance


def test_what_is_not_wanted_compressed_lies_compressed_until_it_is_sent() -> None:
    start, *pieces = asyncio.run(scrape(create_app(FakeState())))
    body = body_of(pieces)
    assert len(body) > 10_000
    assert (b"content-length", str(len(body)).encode()) in start["headers"]
    assert max(len(piece["body"]) for piece in pieces) < len(body)
