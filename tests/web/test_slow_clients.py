"""Clients that keep a server waiting. Every limit is short here, and that a connection ends is all that is waited for."""

from __future__ import annotations

import asyncio
import errno
import gc
import socket
import ssl
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from starlette.types import Receive, Scope, Send

from exporter.config import WebConfig, load_web_config
from exporter.web import ListenAddress, open_listener, serve_app
from exporter.web.connection import Connection, Limits
from exporter.web.door import Door
from tests.certificates import client_context, write_certificate
from tests.own_time import run_in_own_time

REQUEST = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
LONG = Limits(handshake=600, request=600, response=600, idle=600, farewell=600)
LARGE_BYTES = 32 << 20
SOME_BYTES = 60 << 10  # less than a transport buffers, and more than the small buffers of the system that a test can ask for
Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]
Client = Callable[["Served"], Awaitable[None]]


class Served:
    """A server with an app that answers at once; /large has more to say than buffers hold, /some less, /wait waits for `released`."""

    def __init__(self, *, small_buffer: bool = False) -> None:
        self.small_buffer = small_buffer
        self.released = asyncio.Event()
        self.waiting = 0
        self.ended = 0
        self._writers: list[asyncio.StreamWriter] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["path"] == "/wait":
            self.waiting += 1
            await self.released.wait()
        body = {"/large": bytes(LARGE_BYTES), "/some": bytes(SOME_BYTES)}.get(scope["path"], b"ok")
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", str(len(body)).encode())]})
        await send({"type": "http.response.body", "body": body})
        self.ended += 1

    async def connect(self, context: ssl.SSLContext | None = None, *, small_buffer: bool = False) -> Streams:
        """A connection, closed at the end of the test."""
        mine = socket.socket()
        if small_buffer:
            mine.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        mine.setblocking(False)
        await asyncio.get_running_loop().sock_connect(mine, ("127.0.0.1", self.port))
        name = None if context is None else "localhost"
        reader, writer = await asyncio.open_connection(sock=mine, ssl=context, server_hostname=name)
        self._writers.append(writer)
        return reader, writer

    async def ask(self, streams: Streams | None = None, context: ssl.SSLContext | None = None) -> bool:
        """Whether a request is answered."""
        reader, writer = streams or await self.connect(context)
        writer.write(REQUEST)
        try:
            return (await reader.readuntil(b"ok")).startswith(b"HTTP/1.1 200")
        except (asyncio.IncompleteReadError, ConnectionError):
            return False

    def run(self, client: Client, limits: Limits, config: WebConfig | None = None) -> None:
        """Serve for as long as `client` takes."""

        async def serve() -> None:
            listener, bound = open_listener(ListenAddress("127.0.0.1", 0))
            self.port = bound.port
            if self.small_buffer:
                listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
            self.stop = stop = asyncio.Event()
            self.serving = asyncio.create_task(serve_app(self, [listener], stop=stop, grace_seconds=1, door=Door(config), limits=limits))
            try:
                async with asyncio.timeout(60):
                    await client(self)
            finally:
                for writer in self._writers:
                    writer.transport.abort()
                stop.set()
                await self.serving

        run_in_own_time(serve())


def serve_for(client: Client, limits: Limits = LONG, config: WebConfig | None = None) -> None:
    Served().run(client, limits, config)


async def ends(streams: Streams) -> None:
    """Return once the server has ended the connection, whatever it has sent before."""
    try:
        while await streams[0].read(1 << 16):
            pass
    except ConnectionError:
        pass


async def until(condition: Callable[[], bool]) -> None:
    """Return once `condition` holds, letting time pass."""
    while not condition():
        await asyncio.sleep(0.01)


@pytest.fixture
def tls(tmp_path: Path) -> WebConfig:
    write_certificate(tmp_path)
    (tmp_path / "web.yml").write_text("tls_server_config: {cert_file: tls.crt, key_file: tls.key}\n")
    return load_web_config(tmp_path / "web.yml")


def short(**seconds: float) -> Limits:
    """Limits that never end anything in a test, but for those given."""
    return Limits(**{"handshake": 600, "request": 600, "response": 600, "idle": 600, "farewell": 600, **seconds})  # type: ignore[arg-type]  # names of fields


@pytest.mark.parametrize(
    "sent", [b"", b"GET / HTTP/1.1\r\nHost: x\r\nX-Slow", b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nab"]
)
def test_a_request_that_does_not_come_to_its_end_is_given_up(sent: bytes) -> None:
    async def client(served: Served) -> None:
        streams = await served.connect()
        streams[1].write(sent)
        await ends(streams)

    serve_for(client, short(request=0.05))


def test_headers_that_come_in_drops_are_given_up() -> None:
    async def client(served: Served) -> None:
        reader, writer = await served.connect()
        writer.write(b"GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ")
        ending = asyncio.create_task(ends((reader, writer)))
        while not ending.done():
            writer.write(b"a")
            await asyncio.sleep(0.01)

    serve_for(client, short(request=0.2))


def test_a_second_request_has_no_more_time_than_the_first() -> None:
    async def client(served: Served) -> None:
        streams = await served.connect()
        assert await served.ask(streams)
        streams[1].write(b"GET / HT")
        await ends(streams)

    serve_for(client, short(request=1.0))


def test_a_pause_between_requests_is_no_slow_request() -> None:
    async def client(served: Served) -> None:
        kept, silent = await served.connect(), await served.connect()
        assert await served.ask(kept)
        await ends(silent)
        assert await served.ask(kept)

    serve_for(client, short(request=1.0))


def test_a_connection_is_not_kept_for_ever() -> None:
    async def client(served: Served) -> None:
        streams = await served.connect()
        assert await served.ask(streams)
        await ends(streams)

    serve_for(client, short(idle=0))


def test_a_handshake_that_never_comes_is_given_up(tls: WebConfig) -> None:
    async def client(served: Served) -> None:
        await ends(await served.connect())

    serve_for(client, short(handshake=0.05), tls)


def test_a_client_that_is_silent_after_its_handshake_is_given_up(tls: WebConfig) -> None:
    async def client(served: Served) -> None:
        await ends(await served.connect(client_context()))

    serve_for(client, short(request=0.05, farewell=0.05), tls)


@pytest.mark.parametrize("with_tls", [False, True])
@pytest.mark.parametrize("close", ["", "Connection: close\r\n"])
def test_a_client_that_does_not_read_is_given_up(tls: WebConfig, with_tls: bool, close: str) -> None:
    async def client(served: Served) -> None:
        context = client_context() if with_tls else None
        reader, writer = await served.connect(context, small_buffer=True)
        writer.transport.pause_reading()  # type: ignore[attr-defined]  # a transport of a stream can
        writer.write(f"GET /large HTTP/1.1\r\nHost: x\r\n{close}\r\n".encode())
        await until(lambda: served.ended == 1)
        writer.transport.resume_reading()  # type: ignore[attr-defined]  # as above
        received = 0
        try:
            while part := await reader.read(1 << 20):
                received += len(part)
        except ConnectionError:
            pass
        assert received < LARGE_BYTES

    serve_for(client, short(response=0.2), tls if with_tls else None)


@pytest.mark.parametrize("with_tls", [False, True])
@pytest.mark.parametrize("close", ["", "Connection: close\r\n"])
def test_a_client_that_does_not_read_the_end_is_given_up(
    tls: WebConfig, with_tls: bool, close: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    lost: list[Connection] = []
    connection_lost = Connection.connection_lost

    def note(connection: Connection, error: Exception | None) -> None:
        lost.append(connection)
        connection_lost(connection, error)

    monkeypatch.setattr(Connection, "connection_lost", note)

    async def client(served: Served) -> None:
        _, writer = await served.connect(client_context() if with_tls else None, small_buffer=True)
        writer.transport.pause_reading()  # type: ignore[attr-defined]  # a transport of a stream can
        writer.write(f"GET /some HTTP/1.1\r\nHost: x\r\n{close}\r\n".encode())
        await until(lambda: served.ended == 1)
        await until(lambda: len(lost) == 1)

    served = Served(small_buffer=True)
    served.run(client, short(idle=0, response=0.2, farewell=0.2), tls if with_tls else None)


@pytest.mark.parametrize("with_tls", [False, True])
def test_a_large_response_arrives_whole(tls: WebConfig, with_tls: bool) -> None:
    async def client(served: Served) -> None:
        reader, writer = await served.connect(client_context() if with_tls else None)
        writer.write(b"GET /large HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        head, _, body = (await reader.read()).partition(b"\r\n\r\n")
        assert (head.split(b"\r\n")[0], len(body), set(body)) == (b"HTTP/1.1 200 OK", LARGE_BYTES, {0})

    serve_for(client, LONG, tls if with_tls else None)


@pytest.mark.parametrize("with_tls", [False, True])
def test_a_scrape_is_answered_whoever_else_is_there(tls: WebConfig, with_tls: bool) -> None:
    async def client(served: Served) -> None:
        context = client_context() if with_tls else None
        for _ in range(25):
            await served.connect()
            await served.connect(context)
        _, trickle = await served.connect(context)
        trickle.write(b"GET / HTTP/1.1\r\nX-Slow")
        _, reader = await served.connect(context, small_buffer=True)
        reader.transport.pause_reading()  # type: ignore[attr-defined]  # a transport of a stream can
        reader.write(b"GET /large HTTP/1.1\r\nHost: x\r\n\r\n")
        assert await served.ask(context=context)
        kept = await served.connect(context)
        assert [await served.ask(kept) for _ in range(3)] == [True] * 3

    serve_for(client, LONG, tls if with_tls else None)


def test_more_than_there_may_be_take_the_place_of_the_silent_and_never_of_the_busy() -> None:
    async def client(served: Served) -> None:
        busy, kept = await served.connect(), await served.connect()
        busy[1].write(REQUEST.replace(b"/", b"/wait", 1))
        assert await served.ask(kept)
        silent = await served.connect()
        await until(lambda: served.waiting == 1)
        for _ in range(20):
            assert await served.ask()
        await ends(silent)
        served.released.set()
        assert (await busy[0].readuntil(b"ok")).startswith(b"HTTP/1.1 200")

    serve_for(client, short(connections=3))


def test_where_all_are_busy_one_more_is_turned_away() -> None:
    async def client(served: Served) -> None:
        busy = [await served.connect() for _ in range(3)]
        for _, writer in busy:
            writer.write(REQUEST.replace(b"/", b"/wait", 1))
        await until(lambda: served.waiting == 3)
        assert not await served.ask()
        served.released.set()
        for reader, _ in busy:
            assert (await reader.readuntil(b"ok")).startswith(b"HTTP/1.1 200")

    serve_for(client, short(connections=3))


def test_a_crowd_larger_than_there_may_be_leaves_no_connection_open(tls: WebConfig) -> None:
    async def client(served: Served) -> None:
        crowd = [await served.connect() for _ in range(200)]
        await asyncio.gather(*(ends(streams) for streams in crowd[:-3]))
        assert await served.ask(context=client_context())

    serve_for(client, short(connections=3), tls)


def test_a_system_without_room_for_another_connection_is_not_asked_again_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    tries, is_full = [0], [False]
    accept = socket.socket.accept

    def watched(listener: socket.socket) -> tuple[socket.socket, object]:
        tries[0] += 1
        if is_full[0]:
            raise OSError(errno.EMFILE, "Too many open files")
        return accept(listener)

    async def client(served: Served) -> None:
        silent = [await served.connect() for _ in range(8)]
        assert await served.ask(silent[7])
        is_full[0] = True
        asking = asyncio.create_task(served.ask())
        await asyncio.gather(ends(silent[0]), ends(silent[1]))
        before = tries[0]
        for _ in range(200):
            await asyncio.sleep(0)
        assert tries[0] == before
        is_full[0] = False
        assert await asking
        assert await served.ask(silent[7])

    monkeypatch.setattr(socket.socket, "accept", watched)
    serve_for(client)


def test_a_crowd_that_comes_in_one_moment_leaves_no_socket_open() -> None:
    async def client(served: Served) -> None:
        loop = asyncio.get_running_loop()
        crowd = [socket.create_connection(("127.0.0.1", served.port)) for _ in range(20)]  # the server has no turn in between
        for one in crowd[:-3]:
            one.setblocking(False)
            assert await loop.sock_recv(one, 1) == b""
        for one in crowd:
            one.close()
        gc.collect()

    serve_for(client, short(connections=3))


def test_a_request_without_end_is_cut_off() -> None:
    async def client(served: Served) -> None:
        streams = await served.connect()
        streams[1].write(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999\r\n\r\n" + bytes(2 << 20))
        await ends(streams)

    serve_for(client, short(request=0.2))


def test_what_is_no_http_is_answered_once_and_ended() -> None:
    async def client(served: Served) -> None:
        reader, writer = await served.connect()
        writer.write(b"\x16\x03\x01\r\n\r\n")
        assert (await reader.read()).startswith(b"HTTP/1.1 400 Bad Request")

    serve_for(client)


def test_a_server_that_stops_does_not_wait_for_the_silent(tls: WebConfig, caplog: pytest.LogCaptureFixture) -> None:
    async def client(served: Served) -> None:
        _, deaf = await served.connect(client_context())
        assert await served.ask(context=client_context())
        deaf.transport.pause_reading()  # type: ignore[attr-defined]  # a transport of a stream can
        served.stop.set()
        await served.serving

    serve_for(client, short(farewell=0.05), tls)
    assert caplog.messages == []
