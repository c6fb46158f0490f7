"""A provider that sends back whatever it was sent, in every way that a provider, a gateway or a proxy might."""

from __future__ import annotations

import asyncio
import base64
import html
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import quote

from tests.providers.loopback import STREAM_HEAD, Loopback, Received, response
from tests.threads import in_thread

Speak = Callable[[str], bytes]
"""From all that was sent, in one line, to the bytes that come back."""


def _refused(status: int, body: object, **headers: str) -> bytes:
    raw = body.encode() if isinstance(body, str) else json.dumps(body).encode()
    return response(status, raw, {"content-type": "application/json", **{name.replace("_", "-"): value for name, value in headers.items()}})


def _error(message: str, **fields: Any) -> dict[str, Any]:
    return {"error": {"message": message, "type": "invalid_request_error", "param": None, "code": None, **fields}}


def _completed(content: str, finish: str = "stop", **fields: Any) -> dict[str, Any]:
    choice = {"index": 0, "message": {"role": "assistant", "content": content}, "finish_reason": finish}
    usage = {"prompt_tokens": 9, "completion_tokens": 9, "total_tokens": 18}
    return {"id": "1", "object": "chat.completion", "model": "model-1", "choices": [choice], "usage": usage, **fields}


def _event(payload: object) -> bytes:
    return b"data: " + json.dumps(payload).encode() + b"\n\n"


def _chunked(said: str) -> bytes:
    head = {"model": said, "system_fingerprint": said, "provider": said}
    delta = {**head, "choices": [{"index": 0, "delta": {"content": said}, "finish_reason": None}]}
    last = {**head, "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}
    return STREAM_HEAD + _event(delta) + _event(last) + b"data: [DONE]\n\n"


def _after(before: int) -> Speak:
    """All of it behind so many other characters: a message is cut in the middle of it."""
    return lambda said: _refused(400, _error("x" * before + said))


WAYS: dict[str, Speak] = {
    "plain": lambda said: _refused(400, said),
    "refused": lambda said: _refused(401, _error(f"Incorrect API key provided: {said}", code="invalid_api_key")),
    "json": lambda said: _refused(400, _error(said)),
    "json-in-json": lambda said: _refused(400, _error(json.dumps(_error(json.dumps(said))))),
    "slashes": lambda said: _refused(400, _error(json.dumps(said).replace("/", "\\/"))),
    "url": lambda said: _refused(400, _error(quote(said, safe=""))),
    "html": lambda said: _refused(400, f"<html><title>{html.escape(said)[:190]}</title>{html.escape(said)}"),
    "base64": lambda said: _refused(400, _error(f"Authorization: Basic {base64.b64encode(said.encode()).decode()}")),
    **{f"after-{before}": _after(before) for before in (190, 215, 240, 250)},
    "sliced": lambda said: _refused(400, _error(" ".join(word[:20] for word in said.split()))),
    "code": lambda said: _refused(400, _error("no", code=said, type=said, param=said[:60])),
    "parameter": lambda said: _refused(400, _error(f"Unsupported parameter: '{said}' is not supported")),
    "detail": lambda said: _refused(422, {"detail": [{"loc": ["body", said], "msg": said, "type": said, "input": said}]}),
    "request-id": lambda said: _refused(400, _error("no"), x_request_id=said),
    "retry-after": lambda said: _refused(400, _error("no"), retry_after=said),
    "redirect": lambda said: _refused(302, "", location=f"http://localhost:9/?{quote(said)}"),
    "phrase": lambda said: f"HTTP/1.1 400 {said}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n".encode(),
    "no-http": lambda said: f"{said}\r\n\r\n".encode(),
    "packed": lambda said: _refused(200, _completed(said), content_encoding=quote(said)),
    "no-json": lambda said: response(200, said.encode(), {"content-type": quote(said)}),
    "error-in-200": lambda said: _refused(200, {"error": {"code": 400, "message": said, "metadata": {"raw": said}}}),
    "error-in-choice": lambda said: _refused(200, {"choices": [{"finish_reason": "error", "error": {"code": 400, "message": said}}]}),
    "model": lambda said: _refused(200, _completed("4", model=said, system_fingerprint=said, provider=said, service_tier=said)),
    "finish": lambda said: _refused(200, _completed("4", said)),
    "answer": lambda said: _refused(200, _completed(said)),
    "stream-error": lambda said: STREAM_HEAD + _event(_error(said)),
    "stream-model": _chunked,
    "stream-cut": lambda said: (
        STREAM_HEAD + _event({"model": said, "choices": [{"delta": {"content": said}}]}) + b"data: {" + said.encode()
    ),
}


class Echoing:
    """A running one. `received` is everything it was sent."""

    def __init__(self, server: Loopback) -> None:
        self.port = int(server.url.rpartition(":")[2])
        self.received = server.received


def tell(received: Received) -> str:
    """All of a request that could hold a secret, secrets first, in one line."""
    body = received.json()
    headers = " ".join(
        value for name, value in received.headers.items() if not name.startswith(("host", "user-agent", "accept", "content", "connection"))
    )
    extras = " ".join(json.dumps(value) for name, value in body.items() if name not in ("model", "messages"))
    return f"{headers} {received.path} {extras} {body['messages'][-1]['content']}"


@contextmanager
def echoing() -> Iterator[Echoing]:
    """Serve in a thread; the model asked for names the way."""

    async def respond(received: Received, writer: asyncio.StreamWriter) -> None:
        writer.write(WAYS[received.json()["model"]](tell(received)))
        await writer.drain()

    with in_thread(Loopback(respond)) as (server, _):
        yield Echoing(server)
