"""A provider in a process of its own that gives the same chat completion to everybody, a fixed time after it was asked.

It reads nothing of what it is asked: a leaner server than the demo's mock, so that it is not what a benchmark measures.
`python -m benchmarks.provider PORT LATENCY_SECONDS` serves until it is ended; `GET /` tells requests answered and the most at once.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path

from benchmarks.harness import LOOPBACK, free_port, get, running, wait_until_ready
from benchmarks.stores import ANSWER


class Counts:
    """Requests answered, under way, and the most that were under way at once."""

    def __init__(self) -> None:
        self.answered = 0
        self.under_way = 0
        self.most_under_way = 0

    def enter(self) -> None:
        """One more request came in."""
        self.under_way += 1
        self.most_under_way = max(self.most_under_way, self.under_way)

    def leave(self) -> None:
        """One was answered."""
        self.under_way -= 1
        self.answered += 1


COMPLETION = json.dumps(
    {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1_800_000_000,
        "model": "model-1",
        "system_fingerprint": "fp_1",
        "choices": [{"index": 0, "message": {"role": "assistant", "content": f"ANSWER: {ANSWER}"}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 120, "completion_tokens": 40, "total_tokens": 160},
    }
).encode()


def respond(body: bytes) -> bytes:
    """A response that keeps its connection."""
    return b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n%s" % (len(body), body)


class Connection(asyncio.Protocol):
    """One connection; a client sends its next request after the answer."""

    answer = respond(COMPLETION)

    def __init__(self, counts: Counts, latency_seconds: float) -> None:
        self._counts = counts
        self._latency_seconds = latency_seconds
        self._loop = asyncio.get_running_loop()
        self._transport: asyncio.Transport | None = None
        self._received = bytearray()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take it."""
        assert isinstance(transport, asyncio.Transport)  # noqa: S101  # it is one of TCP
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        """Answer later, once the request is whole."""
        self._received += data
        head, separator, body = self._received.partition(b"\r\n\r\n")
        if not separator:
            return
        if head.startswith(b"GET"):
            self._received.clear()
            self._send(respond(json.dumps({"answered": self._counts.answered, "most_at_once": self._counts.most_under_way}).encode()))
            return
        length = next(int(line[15:]) for line in bytes(head).lower().split(b"\r\n") if line.startswith(b"content-length:"))
        if len(body) >= length:
            self._received.clear()
            self._counts.enter()
            self._loop.call_later(self._latency_seconds, self._finish)

    def _finish(self) -> None:
        self._counts.leave()
        self._send(self.answer)

    def _send(self, response: bytes) -> None:
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(response)


async def serve(port: int, latency_seconds: float) -> None:
    """Serve on loopback until the process is ended."""
    counts = Counts()
    server = await asyncio.get_running_loop().create_server(lambda: Connection(counts, latency_seconds), LOOPBACK, port, backlog=1024)
    await server.serve_forever()


@contextlib.contextmanager
def running_provider(folder: Path, latency_seconds: float) -> Iterator[int]:
    """The port of a provider that runs until the block is left."""
    port = free_port()
    with running([sys.executable, "-m", "benchmarks.provider", str(port), str(latency_seconds)], folder, "provider") as process:
        wait_until_ready(process, port, "/")
        yield port


def answered(port: int) -> int:
    """Requests that the provider has answered."""
    return int(json.loads(get(port, "/")[1])["answered"])


if __name__ == "__main__":
    asyncio.run(serve(int(sys.argv[1]), float(sys.argv[2])))
