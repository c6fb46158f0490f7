"""The only door to the network: one request, one value back, whatever happens on the way.

Never done here: following a redirect (the key would go along), retrying, keeping a cookie, judging what a status means.
"""

from __future__ import annotations

import asyncio
import json
import socket
import ssl
from collections.abc import Callable, Iterator, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cache, partial
from io import BytesIO
from typing import Any

import aiohttp
import certifi
from aiohttp.connector import Connection
from aiohttp.tracing import Trace

from exporter import __version__
from exporter.clock import Clock
from exporter.config.secrets import read_certificate_places
from exporter.providers.address import Address, UnaskableUrlError, UnresolvableHostError, read_address
from exporter.providers.body import BodyReader, UnreadableBodyError
from exporter.providers.headers import check_headers, read_headers
from exporter.providers.presets import host_of
from exporter.providers.proxies import Proxies, Proxy, UnusableProxyError
from exporter.providers.reply import Broken, Reply
from exporter.providers.sse import Event
from exporter.records import Charge, Reason

_STANDING_HEADERS = {
    "accept": "application/json, text/event-stream",
    "accept-encoding": "identity",
    "connection": "keep-alive",
    "content-type": "application/json",
    "user-agent": f"model-drift-exporter/{__version__}",
}
_encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode
_FIRST_STATUS = 200
_LARGEST_HEAD_BYTES = 100 * 1024
_MOST_HEADERS = 1000
_IDLE_SECONDS = 4.0
"""How long a connection is kept for the next request: less than the 5 seconds of uvicorn and Node, lest they close it as it is used."""


@dataclass(frozen=True, slots=True)
class Outgoing:
    """What to send: `headers` win over the standing ones, `body` becomes JSON and is posted; None is a GET."""

    url: str
    headers: Mapping[str, str]
    body: Mapping[str, Any] | None = None


@dataclass(slots=True)
class _Departure:
    """Of one request. `sent` turns True just before its first byte goes out."""

    sent: bool = False


@dataclass(slots=True)
class _Exchange:
    """How far one exchange has come."""

    departure: _Departure = field(default_factory=_Departure)
    status: int | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    reader: BodyReader | None = None


class _BrokenOffError(Exception):
    """The connection ended before a response came. What ended it is its cause."""


class _NoHttpError(Exception):
    """What the server sent is no HTTP."""


# No more than the departure: a connection that is kept keeps the context that it was opened in, and would keep the body with it.
_UNDER_WAY: ContextVar[_Departure] = ContextVar("_UNDER_WAY")


class _Connector(aiohttp.TCPConnector):
    """Notes when a request has its connection: it is written at once then. Tracing says the same, and costs a tenth of a request."""

    async def connect(self, req: aiohttp.ClientRequest, traces: list[Trace], timeout: aiohttp.ClientTimeout) -> Connection:
        connection = await super().connect(req, traces, timeout)
        _UNDER_WAY.get().sent = True
        return connection


class Wire:
    """An HTTP client for one target. Proxies and certificates come from the environment.

    Nothing is opened before the first `send`: a Wire that is never used need not be closed.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._session: aiohttp.ClientSession | None = None
        self._ways: dict[str, tuple[Address, Proxy | None]] = {}

    async def send(self, outgoing: Outgoing, timeout_seconds: float, is_last: Callable[[Event], bool]) -> Reply | Broken:
        """Send, and read to the end or to the last event. Raises nothing but CancelledError.

        `timeout_seconds` holds for the whole exchange, however slowly it drips.
        """
        exchange = _Exchange()
        under_way = _UNDER_WAY.set(exchange.departure)
        started = self._clock.monotonic()
        failure: Exception | None = None
        try:
            async with asyncio.timeout(timeout_seconds):
                await self._send(outgoing, exchange, is_last)
        except Exception as error:
            failure = error
        finally:
            _UNDER_WAY.reset(under_way)
        latency = self._clock.monotonic() - started
        broken = None if failure is None else _explain(failure, exchange, outgoing.url, timeout_seconds, latency)
        status, reader = exchange.status, exchange.reader
        # A status that says failure stands, even where its body could not be read to the end.
        if broken is not None and (status is None or (status < 400 and not (reader and reader.events))):
            return broken
        if status is None:
            return Broken(Reason.NETWORK, Charge.UNKNOWN, f"no response from {host_of(outgoing.url)}", latency)
        return Reply(
            status=status,
            headers=exchange.headers,
            body=reader.body if reader else b"",
            received_at=self._clock.now(),
            latency_seconds=latency,
            events=reader.events if reader else None,
            broken=broken,
        )

    async def aclose(self) -> None:
        """Close all connections."""
        if self._session is not None:
            await self._session.close()

    async def _send(self, outgoing: Outgoing, exchange: _Exchange, is_last: Callable[[Event], bool]) -> None:
        address, proxy = self._find_way(outgoing.url)
        headers = {**_STANDING_HEADERS, **{name.lower(): value for name, value in outgoing.headers.items()}}
        if address.authorization is not None:
            headers["authorization"] = address.authorization
        check_headers(headers)
        proxy_headers = {"user-agent": headers["user-agent"]}
        if proxy is not None and proxy.authorization is not None:
            # Over TLS the proxy is told in the request for a tunnel, and sees nothing of ours.
            (headers if address.url.scheme == "http" else proxy_headers)["proxy-authorization"] = proxy.authorization
        posted = outgoing.body is not None
        response = await self._open().request(
            "POST" if posted else "GET",
            address.url,
            headers=headers,
            data=BytesIO(_encode(outgoing.body).encode()) if posted else None,  # written in pieces: megabytes at once would keep the loop
            allow_redirects=False,
            proxy=proxy.url if proxy is not None else None,
            proxy_headers=proxy_headers,
        )
        try:
            if response.status < _FIRST_STATUS:
                raise _NoHttpError
            exchange.status, exchange.headers = response.status, read_headers(response.raw_headers)
            await _read_body(response, exchange, is_last)
        finally:
            response.close()

    def _find_way(self, url: str) -> tuple[Address, Proxy | None]:
        if url not in self._ways:
            address = read_address(url)
            self._ways[url] = address, Proxies.of_environment().find(address)
        return self._ways[url]

    def _open(self) -> aiohttp.ClientSession:
        if self._session is None:
            # How many requests run at a time is decided by who asks; each connection looks its host up, so that a change is seen at once.
            connector = _Connector(
                ssl=_certificates(), limit=0, keepalive_timeout=_IDLE_SECONDS, use_dns_cache=False, resolver=aiohttp.ThreadedResolver()
            )
            self._session = aiohttp.ClientSession(
                connector=connector,
                cookie_jar=aiohttp.DummyCookieJar(),
                timeout=aiohttp.ClientTimeout(),  # none: the one timeout is the deadline in `send`
                auto_decompress=False,
                middlewares=(_send_once,),
                max_line_size=_LARGEST_HEAD_BYTES,
                max_field_size=_LARGEST_HEAD_BYTES,
                max_headers=_MOST_HEADERS,
            )
        return self._session


@cache
def _certificates() -> ssl.SSLContext:
    """Whom to trust. Read once: it takes tens of milliseconds, and every check of every target opens a client."""
    file, folder = read_certificate_places()
    if file is None and folder is None:
        file = certifi.where()
    context = ssl.create_default_context(cafile=file, capath=None if file else folder)
    context.set_alpn_protocols(["http/1.1"])
    return context


async def _send_once(request: aiohttp.ClientRequest, handler: aiohttp.ClientHandlerType) -> aiohttp.ClientResponse:
    """One try: where a kept connection turns out to be closed, aiohttp would send a GET again of its own accord."""
    try:
        return await handler(request)
    except aiohttp.ClientConnectorError:
        raise
    except (aiohttp.ClientOSError, aiohttp.ServerDisconnectedError) as error:
        raise _BrokenOffError from error


async def _read_body(response: aiohttp.ClientResponse, exchange: _Exchange, is_last: Callable[[Event], bool]) -> None:
    headers, content = exchange.headers, response.content
    exchange.reader = reader = BodyReader(headers.get("content-type", ""), headers.get("content-encoding", ""), is_last)
    protocol = response.connection.protocol if response.connection is not None else None
    closed = protocol.closed if protocol is not None and not content.is_eof() else None
    end = partial(_end, content)
    if closed is not None:
        closed.remove_done_callback(_look_at)  # of the response before on this connection
        closed.add_done_callback(_look_at)
        closed.add_done_callback(end)
    try:
        while piece := await content.readany():
            if reader.feed(piece):
                return
        is_framed = "content-length" in headers or "transfer-encoding" in headers
        if not is_framed and protocol is not None:
            _raise_reset(protocol.exception())
    except aiohttp.ClientPayloadError:
        _raise_reset(protocol.exception() if protocol is not None else None)
        raise
    finally:
        if closed is not None:
            closed.remove_done_callback(end)
    reader.finish()


def _end(content: aiohttp.StreamReader, _closed: asyncio.Future[None]) -> None:
    """End a body with its connection: where a later piece breaks the rules of HTTP, aiohttp leaves who reads waiting for ever."""
    if not content.is_eof() and content.exception() is None:
        content.set_exception(_NoHttpError())


def _look_at(closed: asyncio.Future[None]) -> None:
    """Look at how a connection ended, so that the loop does not tell of it."""
    if not closed.cancelled():
        closed.exception()


def _raise_reset(lost: BaseException | None) -> None:
    """A connection that was reset ended nothing: neither a body that its end would end, nor one that is told as cut off."""
    if isinstance(lost, aiohttp.ClientOSError):
        raise lost


def _explain(error: Exception, exchange: _Exchange, url: str, timeout_seconds: float, latency: float) -> Broken:
    if isinstance(error, _BrokenOffError) and isinstance(error.__cause__, Exception):
        error = error.__cause__
    reason, said = _name(error, host_of(url), timeout_seconds, sent=exchange.departure.sent)
    may_have_arrived = exchange.departure.sent and reason is not Reason.BAD_REQUEST
    return Broken(reason, Charge.UNKNOWN if may_have_arrived else Charge.NOTHING, said, latency)


def _name(error: Exception, host: str, timeout_seconds: float, *, sent: bool) -> tuple[Reason, str]:
    """What went wrong, in words that hold nothing of the request: an exception's own text may quote a header."""
    match error:
        case TimeoutError():
            return Reason.TIMEOUT, f"no complete answer from {host} within {timeout_seconds:g} s; raise request_timeout if this stays"
        case UnreadableBodyError():
            return Reason.BAD_RESPONSE, f"{host} sent {error}"
        case UnaskableUrlError() | aiohttp.InvalidURL():
            return Reason.BAD_REQUEST, "not a URL that can be asked; check base_url"
        case aiohttp.ClientConnectorError() | aiohttp.ClientHttpProxyError() | UnusableProxyError() | UnresolvableHostError():
            return Reason.NETWORK, f"cannot connect to {host}: {_why_unconnected(error)}"
        case aiohttp.ServerDisconnectedError() | aiohttp.ClientPayloadError():
            return Reason.NETWORK, f"{host} closed the connection in the middle"
        case aiohttp.ClientResponseError() | _NoHttpError():
            return Reason.BAD_RESPONSE, f"{host} does not speak HTTP"
        case aiohttp.ClientConnectionError():
            return Reason.NETWORK, f"the connection to {host} broke"
        case TypeError() | ValueError() if not sent:
            return Reason.BAD_REQUEST, "the request cannot be written: a character in the key or a header, or a value in extra_body"
    return Reason.NETWORK, f"the connection to {host} failed"


def _why_unconnected(error: Exception) -> str:
    for cause in _causes(error):
        if isinstance(cause, aiohttp.ClientError):
            continue  # some of them are errors of TLS as well, but hold nothing of what these tell
        if isinstance(cause, ssl.SSLCertVerificationError):
            return f"TLS: {cause.verify_message}"
        if isinstance(cause, ssl.SSLError | ConnectionResetError | ConnectionAbortedError):  # the latter while hands are shaken
            return "TLS could not be agreed on; is the server speaking https?"
        if isinstance(cause, socket.gaierror | UnresolvableHostError):
            return "the name cannot be resolved; check base_url"
        if isinstance(cause, ConnectionRefusedError):
            return "connection refused; check base_url"
    if isinstance(error, UnusableProxyError):
        return "the environment names a proxy that does not speak HTTP; check HTTPS_PROXY and ALL_PROXY"
    return "no connection" if not isinstance(error, aiohttp.ClientHttpProxyError) else "the proxy does not let it through"


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
