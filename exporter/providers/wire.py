"""The only door to the network: one request, one value back, whatever happens on the way.

Never done here: following a redirect (the key would go along), retrying, judging what a status means.
"""

from __future__ import annotations

import asyncio
import json
import socket
import ssl
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from typing import Any

import httpx

from exporter import __version__
from exporter.clock import Clock
from exporter.providers.body import BodyReader, UnreadableBodyError
from exporter.providers.presets import host_of
from exporter.providers.reply import Broken, Reply
from exporter.providers.sse import Event
from exporter.records import Charge, Reason

if find_spec("sniffio") is None:
    # httpcore tries to import it several times a request, each time through all of sys.path; so it is told at once that there is none.
    sys.modules["sniffio"] = None  # type: ignore[assignment]  # the documented way to say so

_STANDING_HEADERS = {
    "accept": "application/json, text/event-stream",
    "accept-encoding": "identity",
    "content-type": "application/json",
    "user-agent": f"model-drift-exporter/{__version__}",
}


@dataclass(frozen=True, slots=True)
class Outgoing:
    """What to send: `headers` win over the standing ones, `body` becomes JSON and is posted; None is a GET."""

    url: str
    headers: Mapping[str, str]
    body: Mapping[str, Any] | None = None


@dataclass(slots=True)
class _Exchange:
    """How far one exchange has come. `sent` turns True when the first byte of the request goes out."""

    sent: bool = False
    response: httpx.Response | None = None
    reader: BodyReader | None = None

    async def note(self, name: str, _info: Mapping[str, Any]) -> None:
        if name.endswith("send_request_headers.started"):
            self.sent = True


class Wire:
    """An HTTP client for one target. Proxies and certificates come from the environment, as httpx reads it.

    Nothing is opened before the first `send`: a Wire that is never used need not be closed.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._opened: httpx.AsyncClient | None = None

    async def send(self, outgoing: Outgoing, timeout_seconds: float, is_last: Callable[[Event], bool]) -> Reply | Broken:
        """Send, and read to the end or to the last event. Raises nothing but CancelledError.

        `timeout_seconds` holds for the whole exchange, however slowly it drips.
        """
        exchange = _Exchange()
        started = self._clock.monotonic()
        failure: Exception | None = None
        try:
            client = self._client()
            async with asyncio.timeout(timeout_seconds):
                await _send(client, outgoing, exchange, is_last)
        except Exception as error:
            failure = error
        latency = self._clock.monotonic() - started
        broken = None if failure is None else _explain(failure, exchange, outgoing.url, timeout_seconds, latency)
        response, reader = exchange.response, exchange.reader
        # A status that says failure stands, even where its body could not be read to the end.
        if broken is not None and (response is None or (response.status_code < 400 and not (reader and reader.events))):
            return broken
        if response is None:
            return Broken(Reason.NETWORK, Charge.UNKNOWN, f"no response from {host_of(outgoing.url)}", latency)
        return Reply(
            status=response.status_code,
            headers={name.lower(): value for name, value in response.headers.items()},
            body=reader.body if reader else b"",
            received_at=self._clock.now(),
            latency_seconds=latency,
            events=reader.events if reader else None,
            broken=broken,
        )

    async def aclose(self) -> None:
        """Close all connections."""
        if self._opened is not None:
            await self._opened.aclose()

    def _client(self) -> httpx.AsyncClient:
        if self._opened is None:
            # The one timeout is the deadline in `send`, and how many requests run at a time is decided by who asks.
            limits = httpx.Limits(max_connections=None)
            self._opened = httpx.AsyncClient(timeout=None, follow_redirects=False, limits=limits, verify=_certificates())  # noqa: S113  # see above
        return self._opened


@cache
def _certificates() -> ssl.SSLContext:
    """Whom to trust. Read once: it takes tens of milliseconds, and every check of every target opens a client."""
    return httpx.create_ssl_context()


async def _send(client: httpx.AsyncClient, outgoing: Outgoing, exchange: _Exchange, is_last: Callable[[Event], bool]) -> None:
    posted = outgoing.body is not None
    content = json.dumps(outgoing.body, ensure_ascii=False, allow_nan=False).encode() if posted else None
    request = client.build_request(
        "POST" if posted else "GET",
        outgoing.url,
        headers={**_STANDING_HEADERS, **{name.lower(): value for name, value in outgoing.headers.items()}},
        content=content,
        extensions={"trace": exchange.note},
    )
    response = await client.send(request, stream=True)
    try:
        exchange.response = response
        exchange.reader = reader = BodyReader(
            response.headers.get("content-type", ""), response.headers.get("content-encoding", ""), is_last
        )
        async for raw in response.aiter_raw():
            if reader.feed(raw):
                return
        reader.finish()
    finally:
        await response.aclose()


def _explain(error: Exception, exchange: _Exchange, url: str, timeout_seconds: float, latency: float) -> Broken:
    """What went wrong, in words that hold nothing of the request: an exception's own text may quote a header."""
    host = host_of(url)
    reason, said = Reason.NETWORK, f"the connection to {host} failed"
    if isinstance(error, TimeoutError):
        reason, said = Reason.TIMEOUT, f"no complete answer from {host} within {timeout_seconds:g} s; raise request_timeout if this stays"
    elif isinstance(error, UnreadableBodyError):
        reason, said = Reason.BAD_RESPONSE, f"{host} sent {error}"
    elif isinstance(error, httpx.InvalidURL | httpx.UnsupportedProtocol):
        reason, said = Reason.BAD_REQUEST, "not a URL that can be asked; check base_url"
    elif exchange.response is None and isinstance(error, httpx.LocalProtocolError | TypeError | ValueError):
        reason, said = Reason.BAD_REQUEST, "the request cannot be written: a character in the key or a header, or a value in extra_body"
    elif isinstance(error, httpx.ConnectError | httpx.ProxyError):
        said = f"cannot connect to {host}: {_why_unconnected(error)}"
    elif isinstance(error, httpx.RemoteProtocolError):
        closed = "disconnected" in str(error) or "closed" in str(error)
        reason = Reason.NETWORK if closed else Reason.BAD_RESPONSE
        said = f"{host} closed the connection in the middle" if closed else f"{host} does not speak HTTP"
    elif isinstance(error, httpx.NetworkError):
        said = f"the connection to {host} broke"
    may_have_arrived = exchange.sent and reason is not Reason.BAD_REQUEST
    return Broken(reason, Charge.UNKNOWN if may_have_arrived else Charge.NOTHING, said, latency)


def _why_unconnected(error: Exception) -> str:
    for cause in _causes(error):
        if isinstance(cause, ssl.SSLCertVerificationError):
            return f"TLS: {cause.verify_message}"
        if isinstance(cause, ssl.SSLError):
            return "TLS could not be agreed on; is the server speaking https?"
        if isinstance(cause, socket.gaierror):
            return "the name cannot be resolved; check base_url"
        if isinstance(cause, ConnectionRefusedError):
            return "connection refused; check base_url"
    return "no connection" if not isinstance(error, httpx.ProxyError) else "the proxy does not let it through"


def _causes(error: BaseException) -> Iterator[BaseException]:
    """An exception and everything that it came from."""
    waiting, seen = [error], set[int]()
    while waiting:
        cause = waiting.pop()
        if id(cause) in seen:
            continue
        seen.add(id(cause))
        yield cause
        waiting += [after for after in (cause.__cause__, cause.__context__) if after is not None]
        waiting += getattr(cause, "exceptions", ())
