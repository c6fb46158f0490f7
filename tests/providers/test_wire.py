from __future__ import annotations

import asyncio
import gc
import re
import ssl
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
import trustme

from exporter.providers import wire
from exporter.providers.body import BodyReader
from exporter.providers.reply import Broken, Reply
from exporter.providers.wire import Outgoing, Wire
from exporter.records import Charge, Reason
from tests.fakes import FakeClock
from tests.providers.loopback import Loopback, Received, Respond, resets, response, sends

KEPT = response(200, b"{}", {"connection": "keep-alive", "set-cookie": "session=1; path=/"})
CHUNKED = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n"
POST, GET = {"model": "m"}, None


class Door:
    """A server that answers `times` requests on each connection, and closes it: when it is asked once more, or right away."""

    def __init__(self, times: int, *, at_once: bool = False) -> None:
        self._times, self.closes_at_once = times, at_once
        self.heads: list[str] = []
        self.connections = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        for turn in range(self._times + 1):
            try:
                head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
            except asyncio.IncompleteReadError:
                break
            length = re.search(r"content-length: (\d+)", head)
            await reader.readexactly(int(length[1]) if length else 0)
            self.heads.append(head)
            if turn < self._times:
                writer.write(KEPT)
            if self.closes_at_once and turn == self._times - 1:
                break
        writer.close()


def send(url: str, *bodies: dict[str, str] | None, headers: dict[str, str] | None = None) -> list[Reply | Broken]:
    """What comes back, one request after another on the same wire; a minute is plenty on loopback."""

    async def run() -> list[Reply | Broken]:
        line = Wire(FakeClock())
        try:
            return [await line.send(Outgoing(url, headers or {}, body), 60.0, lambda event: False) for body in bodies]
        finally:
            await line.aclose()

    return asyncio.run(run())


def send_to(door: Door, *bodies: dict[str, str] | None, tls: ssl.SSLContext | None = None, name: str = "127.0.0.1") -> list[Reply | Broken]:
    async def run() -> list[Reply | Broken]:
        line = Wire(FakeClock())
        async with await asyncio.start_server(door.serve, "127.0.0.1", 0, ssl=tls) as server:
            url = f"{'https' if tls else 'http'}://{name}:{server.sockets[0].getsockname()[1]}/v1"
            came = []
            for body in bodies:
                came.append(await line.send(Outgoing(url, {}, body), 60.0, lambda event: False))
                while door.closes_at_once and any(protocol.is_connected() for protocol, _ in kept_by(line)):
                    await asyncio.sleep(0)  # it is known before the next request
            await line.aclose()
        return came

    return asyncio.run(run())


def kept_by(line: Wire) -> list[tuple[Any, float]]:
    """The connections that are kept for the next request, and since when."""
    connector: Any = line._open().connector
    return list(chain.from_iterable(connector._conns.values()))


def send_once(respond: Respond, **headers: str) -> Reply | Broken:
    async def run() -> Reply | Broken:
        async with Loopback(respond) as server:
            line = Wire(FakeClock())
            try:
                return await line.send(Outgoing(server.url, headers, POST), 60.0, lambda event: False)
            finally:
                await line.aclose()

    return asyncio.run(run())


def told(came: Reply | Broken) -> tuple[Reason, Charge, str]:
    """A failure, without the port of its server."""
    assert isinstance(came, Broken)
    return came.reason, came.charge, re.sub(r":\d+", "", came.message)


@pytest.mark.parametrize("body", [POST, GET], ids=["post", "get"])
def test_a_connection_is_kept_for_the_next_request(body: dict[str, str] | None) -> None:
    door = Door(times=3)
    assert [type(came) for came in send_to(door, body, body, body)] == [Reply, Reply, Reply]
    assert (door.connections, len(door.heads)) == (1, 3)


@pytest.mark.parametrize("body", [POST, GET], ids=["post", "get"])
def test_a_request_that_a_kept_connection_swallowed_is_never_sent_again(body: dict[str, str] | None) -> None:
    door = Door(times=1)
    first, second = send_to(door, body, body)
    assert isinstance(first, Reply)
    assert told(second) == (Reason.NETWORK, Charge.UNKNOWN, "127.0.0.1 closed the connection in the middle")
    assert (door.connections, len(door.heads)) == (1, 2)


def test_a_kept_connection_that_was_closed_meanwhile_is_not_used() -> None:
    door = Door(times=1, at_once=True)
    assert [type(came) for came in send_to(door, POST, GET, POST)] == [Reply, Reply, Reply]
    assert (door.connections, len(door.heads)) == (3, 3)


def test_a_kept_connection_holds_nothing_of_what_came_on_it_and_its_end_is_told_to_nobody() -> None:
    told_by_loop: list[str] = []

    async def respond_twice(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for _request in range(2):
            await reader.readuntil(b"\r\n\r\n{}")
            for piece in (CHUNKED, b"2\r\n{}\r\n", b"0\r\n\r\n"):
                writer.write(piece)
                for _turn in range(20):  # read piece by piece
                    await asyncio.sleep(0)
        await reset_by_peer.wait()
        await resets()(Received("", {}, b""), writer)

    async def run() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: told_by_loop.append(context["message"]))
        async with await asyncio.start_server(respond_twice, "127.0.0.1", 0) as server:
            url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
            line = Wire(FakeClock())
            came = [await line.send(Outgoing(url, {}, {}), 60.0, lambda event: False) for _request in range(2)]
            assert [type(each) for each in came] == [Reply, Reply]
            assert wire._UNDER_WAY.get(None) is None
            assert count_readers() <= readers_of_others
            ((protocol, _),) = kept_by(line)
            assert len(protocol.closed._callbacks) == 1
            reset_by_peer.set()
            await asyncio.wait([protocol.closed])
            await line.aclose()

    readers_of_others, reset_by_peer = count_readers(), asyncio.Event()
    asyncio.run(run())
    gc.collect()
    assert told_by_loop == []


def count_readers() -> int:
    """Readers of bodies that somebody still holds: this test none, a test before it that failed maybe some."""
    gc.collect()
    return sum(type(each) is BodyReader for each in gc.get_objects())


def test_a_connection_whose_end_nobody_waits_for_any_more_is_told_to_nobody() -> None:
    told_by_loop: list[str] = []

    async def run() -> None:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda _, context: told_by_loop.append(context["message"]))
        closed = loop.create_future()
        closed.add_done_callback(wire._look_at)
        closed.cancel()
        await asyncio.sleep(0)

    asyncio.run(run())
    assert told_by_loop == []


def test_no_cookie_is_kept() -> None:
    door = Door(times=2)
    first, _ = send_to(door, POST, POST, name="localhost")
    assert isinstance(first, Reply)
    assert first.headers["set-cookie"] == "session=1; path=/"
    assert not any("cookie" in head for head in door.heads)


def test_what_is_sent_is_what_was_said_and_nothing_more() -> None:
    door = Door(times=2)
    send_to(door, POST, GET)
    post, get = (dict(line.split(": ", 1) for line in head.split("\r\n")[1:-2]) for head in door.heads)
    assert sorted(post) == ["accept", "accept-encoding", "connection", "content-length", "content-type", "host", "user-agent"]
    assert (post.pop("content-length"), post["accept-encoding"]) == ("14", "identity")
    assert get == post
    assert [head.split("\r\n")[0] for head in door.heads] == ["post /v1 http/1.1", "get /v1 http/1.1"]


def test_a_body_of_megabytes_is_sent_as_any_other() -> None:
    async def run() -> tuple[Reply | Broken, list[Received]]:
        async with Loopback(sends(response(200, b"{}"))) as server:
            line = Wire(FakeClock())
            try:
                return await line.send(Outgoing(server.url, {}, {"model": "m" * (3 << 20)}), 60.0, lambda event: False), server.received
            finally:
                await line.aclose()

    came, (received,) = asyncio.run(run())
    assert isinstance(came, Reply)
    assert came.status == 200
    assert received.json() == {"model": "m" * (3 << 20)}
    assert received.headers["content-length"] == str(len(received.body))


def test_a_redirect_is_a_reply_and_not_followed() -> None:
    door = Loopback(sends(response(303, b"", {"location": "/elsewhere"})))

    async def run() -> Reply | Broken:
        async with door as server:
            line = Wire(FakeClock())
            came = await line.send(Outgoing(server.url, {}), 60.0, lambda event: False)
            await line.aclose()
            return came

    came = asyncio.run(run())
    assert isinstance(came, Reply)
    assert (came.status, len(door.received)) == (303, 1)


async def spoil(received: Received, writer: asyncio.StreamWriter) -> None:
    """Responds with a good chunk, which is read meanwhile, and then with what is none."""
    writer.write(CHUNKED + b"2\r\n{}\r\n")
    for _turn in range(20):
        await asyncio.sleep(0)
    await sends(b"zz\r\n")(received, writer)


@pytest.mark.parametrize(
    ("respond", "reason", "message"),
    [
        (spoil, Reason.BAD_RESPONSE, "127.0.0.1 does not speak HTTP"),
        (sends(CHUNKED + b"zz\r\n"), Reason.BAD_RESPONSE, "127.0.0.1 does not speak HTTP"),
        (sends(CHUNKED + b"2\r\n{}\r\n"), Reason.NETWORK, "127.0.0.1 closed the connection in the middle"),
        (resets(CHUNKED + b"2\r\n{}\r\n"), Reason.NETWORK, "the connection to 127.0.0.1 broke"),
        (resets(response(200, b"{}", length=9)), Reason.NETWORK, "the connection to 127.0.0.1 broke"),
        (resets(b"HTTP/1.1 200 OK\r\n\r\n{}"), Reason.NETWORK, "the connection to 127.0.0.1 broke"),
        (sends(b"HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\n\r\n"), Reason.BAD_RESPONSE, "127.0.0.1 does not speak HTTP"),
        (sends(b"HTTP/1.1 100 Continue\r\n\r\n"), Reason.NETWORK, "127.0.0.1 closed the connection in the middle"),
    ],
    ids=["late bad chunk", "bad chunk", "cut chunks", "reset chunks", "reset body", "reset until its end", "another protocol", "only 100"],
)
def test_a_body_that_breaks_has_its_reason(respond: Respond, reason: Reason, message: str) -> None:
    assert told(send_once(respond)) == (reason, Charge.UNKNOWN, message)


@pytest.mark.parametrize("head", [b"HTTP/1.0 200 OK\r\n\r\n", b"HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\n\r\n"])
def test_a_body_may_end_with_its_connection(head: bytes) -> None:
    came = send_once(sends(head + b"{}"))
    assert isinstance(came, Reply)
    assert (came.status, came.body) == (200, b"{}")


def test_large_heads_are_read() -> None:
    came = send_once(sends(response(200, b"{}", {"x-large": "a" * 60_000, **{f"x-{number}": "y" for number in range(300)}})))
    assert isinstance(came, Reply)
    assert len(came.headers["x-large"]) == 60_000


@pytest.mark.parametrize("name", ["Content-Length", "transfer-encoding"])
def test_how_long_a_body_is_cannot_be_told_by_a_header(name: str) -> None:
    assert told(send("http://127.0.0.1:1/v1", POST, headers={name: "3"})[0]) == (
        Reason.BAD_REQUEST,
        Charge.NOTHING,
        "the request cannot be written: a character in the key or a header, or a value in extra_body",
    )


@pytest.mark.parametrize("url", ["ftp://127.0.0.1/v1", "http://", "http://two words"])
def test_what_is_no_url_is_told_so(url: str) -> None:
    assert told(send(url, POST)[0]) == (Reason.BAD_REQUEST, Charge.NOTHING, "not a URL that can be asked; check base_url")


def test_a_name_that_no_host_can_have_is_told_as_one_that_nobody_knows() -> None:
    words = "cannot connect to a..example: the name cannot be resolved; check base_url"
    assert told(send("http://a..example/v1", POST)[0]) == (Reason.NETWORK, Charge.NOTHING, words)


@pytest.fixture
def authority(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[trustme.CA]:
    """The only one that is trusted meanwhile."""
    authority = trustme.CA()
    authority.cert_pem.write_to_path(tmp_path / "ca.pem")
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))
    wire._certificates.cache_clear()
    yield authority
    wire._certificates.cache_clear()


def tls_of(authority: trustme.CA, name: str) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert(name).configure_cert(context)
    return context


def test_a_certificate_is_trusted_where_the_environment_says_so(authority: trustme.CA) -> None:
    door = Door(times=2)
    assert [type(came) for came in send_to(door, POST, POST, tls=tls_of(authority, "127.0.0.1"))] == [Reply, Reply]
    assert door.connections == 1


@pytest.mark.parametrize(
    ("mine", "name", "words"),
    [
        (False, "127.0.0.1", "unable to get local issuer certificate"),
        (True, "example.org", "IP address mismatch, certificate is not valid for '127.0.0.1'."),
    ],
)
def test_a_certificate_of_somebody_else_costs_nothing(authority: trustme.CA, *, mine: bool, name: str, words: str) -> None:
    door = Door(times=1)
    (came,) = send_to(door, POST, tls=tls_of(authority if mine else trustme.CA(), name))
    assert told(came) == (Reason.NETWORK, Charge.NOTHING, f"cannot connect to 127.0.0.1: TLS: {words}")
    assert door.heads == []


def test_a_server_that_hangs_up_instead_of_shaking_hands_costs_nothing() -> None:
    async def run() -> Reply | Broken:
        async def hang_up(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.read(1)
            writer.close()

        line = Wire(FakeClock())
        async with await asyncio.start_server(hang_up, "127.0.0.1", 0) as server:
            url = f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}"
            came = await line.send(Outgoing(url, {}, POST), 60.0, lambda event: False)
        await line.aclose()
        return came

    words = "cannot connect to 127.0.0.1: TLS could not be agreed on; is the server speaking https?"
    assert told(asyncio.run(run())) == (Reason.NETWORK, Charge.NOTHING, words)


def test_a_wire_that_was_never_used_has_nothing_to_close() -> None:
    Wire(FakeClock())
    asyncio.run(Wire(FakeClock()).aclose())
