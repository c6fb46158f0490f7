from __future__ import annotations

import asyncio
import re
import ssl

import pytest
import trustme

from exporter.providers import wire
from exporter.providers.address import read_address
from exporter.providers.proxies import Proxies, UnusableProxyError
from exporter.providers.reply import Broken, Reply
from exporter.providers.wire import Outgoing, Wire
from exporter.records import Charge, Reason
from tests.fakes import FakeClock
from tests.ports import free_port
from tests.providers.loopback import response


def find(url: str) -> str | None:
    proxy = Proxies.of_environment().find(read_address(url))
    return None if proxy is None else str(proxy.url)


@pytest.mark.parametrize(
    ("variables", "http", "https"),
    [
        ({}, None, None),
        ({"HTTP_PROXY": "http://p:1"}, "http://p:1", None),
        ({"HTTPS_PROXY": "http://p:2"}, None, "http://p:2"),
        ({"ALL_PROXY": "http://p:3"}, "http://p:3", "http://p:3"),
        ({"http_proxy": "p:4", "https_proxy": "https://p:5", "all_proxy": "http://p:6"}, "http://p:4", "https://p:5"),
        ({"HTTPS_PROXY": "", "ALL_PROXY": "http://p:3"}, "http://p:3", "http://p:3"),
    ],
)
def test_the_environment_names_a_proxy_for_each_scheme(
    monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], http: str | None, https: str | None
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert (find("http://example.com/v1"), find("https://example.com/v1")) == (http, https)


@pytest.mark.parametrize(
    ("no_proxy", "asked_without", "asked_through"),
    [
        ("*", ["http://example.com", "https://10.0.0.1"], []),
        ("x, *", ["http://example.com"], []),
        ("example.com", ["http://example.com", "https://www.EXAMPLE.com:8443"], ["http://wwwexample.com", "http://example.org"]),
        (".example.com", ["http://www.example.com"], ["http://example.com"]),
        ("a, Example.com ,b", ["http://example.com", "http://b"], ["http://c"]),
        ("example.com:8443", ["https://example.com:8443", "https://www.example.com:8443"], ["https://example.com"]),
        ("example.com:443", ["https://example.com"], ["http://example.com"]),
        ("localhost", ["http://localhost:8080"], ["http://a.localhost"]),
        ("127.0.0.1", ["http://127.0.0.1:8080"], ["http://127.0.0.2"]),
        ("127.0.0.1:8080", ["http://127.0.0.1:8080"], ["http://127.0.0.1"]),
        ("10.0.0.0/8", ["http://10.0.0.0"], ["http://10.0.0.1"]),
        ("::1", ["http://[::1]:8080"], ["http://[::2]"]),
        ("[::1]:80", ["http://[::1]"], ["http://[::1]:8080"]),
        ("https://example.com", ["https://example.com"], ["http://example.com", "https://www.example.com"]),
        ("all://example.com", ["https://example.com", "http://example.com"], ["http://www.example.com"]),
        ("", [], ["http://example.com"]),
    ],
)
def test_some_hosts_are_asked_without_a_proxy(
    monkeypatch: pytest.MonkeyPatch, no_proxy: str, asked_without: list[str], asked_through: list[str]
) -> None:
    monkeypatch.setenv("ALL_PROXY", "http://proxy:3128")
    monkeypatch.setenv("NO_PROXY", no_proxy)
    assert [url for url in asked_without if find(url)] == []
    assert [url for url in asked_through if not find(url)] == []


@pytest.mark.parametrize("proxy", ["socks5://proxy:1080", "ftp://proxy", "http://proxy:port", "http://"])
def test_a_proxy_of_another_protocol_is_no_proxy_for_us(monkeypatch: pytest.MonkeyPatch, proxy: str) -> None:
    monkeypatch.setenv("HTTPS_PROXY", proxy)
    with pytest.raises(UnusableProxyError):
        find("https://example.com")
    assert find("http://example.com") is None


def test_a_proxy_with_a_password_is_told_it_in_a_header(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "http://us%40er:p%C3%BC@proxy:3128")
    proxy = Proxies.of_environment().find(read_address("https://example.com"))
    assert proxy is not None
    assert (str(proxy.url), proxy.authorization) == ("http://proxy:3128", "Basic dXNAZXI6cMO8")


class Relay:
    """A proxy. It keeps the heads that it was sent, opens tunnels unless `refusal` is given, and answers what is asked in plain itself."""

    def __init__(self, refusal: bytes = b"") -> None:
        self._refusal = refusal
        self.heads: list[str] = []

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        self.heads.append(head.lower())
        if not head.startswith("CONNECT"):
            writer.write(response(200, b"{}"))
        elif self._refusal:
            writer.write(self._refusal)
        else:
            host, _, port = head.split(" ")[1].rpartition(":")
            there, onward = await asyncio.open_connection(host, int(port))
            writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
            await asyncio.gather(pump(reader, onward), pump(there, writer))
        writer.close()


async def pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while piece := await reader.read(65_536):
        writer.write(piece)
    writer.close()


async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
    writer.write(response(200, b"{}", {"x-told": "proxy" if "proxy-authorization" in head else "nothing"}))
    writer.close()


def send_through(relay: Relay, monkeypatch: pytest.MonkeyPatch, *, tls: bool) -> Reply | Broken:
    authority = trustme.CA()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("127.0.0.1").configure_cert(context)
    trusting = ssl.create_default_context()
    authority.configure_trust(trusting)
    monkeypatch.setattr(wire, "_certificates", lambda: trusting)

    async def run() -> Reply | Broken:
        async with (
            await asyncio.start_server(answer, "127.0.0.1", 0, ssl=context if tls else None) as server,
            await asyncio.start_server(relay.serve, "127.0.0.1", 0) as proxy,
        ):
            monkeypatch.setenv("ALL_PROXY", f"http://user:pass@127.0.0.1:{proxy.sockets[0].getsockname()[1]}")
            url = f"{'https' if tls else 'http'}://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
            line = Wire(FakeClock())
            came = await line.send(Outgoing(url, {"authorization": "Bearer key"}, {"model": "m"}), 60.0, lambda event: False)
            await line.aclose()
            for _turn in range(20):  # every side hears that the others have closed
                await asyncio.sleep(0)
            return came

    return asyncio.run(run())


def test_over_tls_a_proxy_opens_a_tunnel_and_sees_nothing_of_the_request(monkeypatch: pytest.MonkeyPatch) -> None:
    relay = Relay()
    came = send_through(relay, monkeypatch, tls=True)
    assert isinstance(came, Reply)
    assert (came.status, came.headers["x-told"]) == (200, "nothing")
    (head,) = relay.heads
    assert re.match(r"connect 127\.0\.0\.1:\d+ http/1\.1\r\n", head)
    assert "proxy-authorization: basic dxnlcjpwyxnz\r\n" in head
    assert "bearer" not in head
    assert "user-agent: model-drift-exporter/" in head


def test_without_tls_a_proxy_is_handed_the_request(monkeypatch: pytest.MonkeyPatch) -> None:
    relay = Relay()
    assert isinstance(send_through(relay, monkeypatch, tls=False), Reply)
    (head,) = relay.heads
    assert re.match(r"post http://127\.0\.0\.1:\d+/v1 http/1\.1\r\n", head)
    assert "proxy-authorization: basic dxnlcjpwyxnz\r\n" in head


@pytest.mark.parametrize("status", [403, 407, 502])
def test_a_proxy_that_refuses_costs_nothing(monkeypatch: pytest.MonkeyPatch, status: int) -> None:
    came = send_through(Relay(response(status, b"no")), monkeypatch, tls=True)
    assert isinstance(came, Broken)
    assert (came.reason, came.charge) == (Reason.NETWORK, Charge.NOTHING)
    assert came.message.endswith(": the proxy does not let it through")


def test_a_proxy_that_speaks_something_else_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALL_PROXY", f"socks5://user:pass@127.0.0.1:{free_port()}")
    line = Wire(FakeClock())
    came = asyncio.run(line.send(Outgoing("https://example.com/v1", {}, {}), 60.0, lambda event: False))
    assert isinstance(came, Broken)
    assert (came.reason, came.charge) == (Reason.NETWORK, Charge.NOTHING)
    words = "the environment names a proxy that does not speak HTTP; check HTTPS_PROXY and ALL_PROXY"
    assert came.message == f"cannot connect to example.com: {words}"
