from __future__ import annotations

import asyncio
import errno
import gzip
import signal
import socket
from collections.abc import Awaitable, Callable

import httpx
import pytest
from prometheus_client.openmetrics.parser import text_string_to_metric_families as parse_openmetrics
from prometheus_client.parser import text_string_to_metric_families as parse_classic

from exporter.errors import ExporterError
from exporter.web import ListenAddress, create_app, open_listener, serve_app
from tests.connections import note_undelayed
from tests.web.fake_state import FakeState

LOOPBACK = ListenAddress("127.0.0.1", 0)
Client = Callable[[httpx.AsyncClient], Awaitable[None]]


def serve_for(client: Client, address: ListenAddress = LOOPBACK, state: FakeState | None = None) -> None:
    """Serve on a free port of the loopback while `client` asks."""

    async def run() -> None:
        listener, bound = open_listener(address)
        stop = asyncio.Event()
        serving = asyncio.create_task(serve_app(create_app(state or FakeState()), [listener], stop=stop, grace_seconds=1))
        host = "[::1]" if ":" in bound.host else "127.0.0.1"
        try:
            async with httpx.AsyncClient(base_url=f"http://{host}:{bound.port}", timeout=30, trust_env=False) as http:
                await client(http)
        finally:
            stop.set()
            await serving

    asyncio.run(run())


def test_metrics_are_scraped_over_a_real_connection_in_both_formats() -> None:
    async def client(http: httpx.AsyncClient) -> None:
        classic = await http.get("/metrics", headers={"Accept": "text/plain;version=0.0.4"})
        assert classic.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
        assert "model_drift_verdict" in {family.name for family in parse_classic(classic.text)}
        accept = "application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.3"
        openmetrics = await http.get("/metrics", headers={"Accept": accept})
        assert openmetrics.headers["content-type"] == "application/openmetrics-text; version=1.0.0; charset=utf-8"
        assert "model_drift_verdict" in {family.name for family in parse_openmetrics(openmetrics.text)}

    serve_for(client)


def test_a_head_request_has_the_headers_and_no_body() -> None:
    async def client(http: httpx.AsyncClient) -> None:
        head = await http.head("/metrics", headers={"Accept-Encoding": "identity"})
        assert head.status_code == 200
        assert head.content == b""
        assert int(head.headers["content-length"]) > 10_000

    serve_for(client)


def test_the_body_on_the_wire_is_gzip() -> None:
    async def client(http: httpx.AsyncClient) -> None:
        async with http.stream("GET", "/metrics", headers={"Accept-Encoding": "gzip"}) as response:
            raw = b"".join([part async for part in response.aiter_raw()])
        assert b"# HELP model_drift_verdict " in gzip.decompress(raw)

    serve_for(client)


def test_the_server_does_not_name_its_software() -> None:
    async def client(http: httpx.AsyncClient) -> None:
        assert "server" not in (await http.get("/-/healthy")).headers

    serve_for(client)


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", ""])
def test_a_response_does_not_wait_for_the_ack_of_the_one_before(host: str, monkeypatch: pytest.MonkeyPatch) -> None:
    undelayed = note_undelayed(monkeypatch)

    async def client(http: httpx.AsyncClient) -> None:
        assert (await http.get("/-/healthy")).status_code == 200

    serve_for(client, ListenAddress(host, 0))
    assert undelayed == [True]


def test_an_encoded_path_is_not_the_path() -> None:
    async def client(http: httpx.AsyncClient) -> None:
        assert (await http.get("/metrics%2F")).status_code == 404
        assert (await http.get("/targets/support%2Dbot")).status_code == 200

    serve_for(client)


def test_an_empty_host_listens_on_every_address() -> None:
    async def client(http: httpx.AsyncClient) -> None:
        assert (await http.get("/-/healthy")).text == "healthy\n"

    serve_for(client, ListenAddress("", 0))


def test_ipv6_is_listened_on() -> None:
    async def client(http: httpx.AsyncClient) -> None:
        assert (await http.get("/-/healthy")).text == "healthy\n"

    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError as error:
        pytest.skip(f"this machine has no IPv6 loopback: {error}")
    serve_for(client, ListenAddress("::1", 0))


def test_the_server_leaves_signals_alone() -> None:
    before = (signal.getsignal(signal.SIGTERM), signal.getsignal(signal.SIGINT))

    async def client(http: httpx.AsyncClient) -> None:
        await http.get("/-/healthy")
        # asyncio.run puts its own handler on SIGINT, so only SIGTERM can be compared while it runs.
        assert signal.getsignal(signal.SIGTERM) is before[0]

    serve_for(client)
    assert (signal.getsignal(signal.SIGTERM), signal.getsignal(signal.SIGINT)) == before


def test_a_scrape_under_way_is_answered_before_the_server_stops() -> None:
    class Slow(FakeState):
        async def details(self, target: str, before: int | None = None) -> None:
            entered.set()
            await release.wait()

    entered, release = asyncio.Event(), asyncio.Event()

    async def run() -> int:
        listener, bound = open_listener(LOOPBACK)
        stop = asyncio.Event()
        serving = asyncio.create_task(serve_app(create_app(Slow()), [listener], stop=stop, grace_seconds=30))
        async with httpx.AsyncClient(trust_env=False, timeout=30) as http:
            asking = asyncio.create_task(http.get(f"http://127.0.0.1:{bound.port}/targets/support-bot"))
            await entered.wait()
            stop.set()
            release.set()
            answer = await asking
        await serving
        return answer.status_code

    assert asyncio.run(run()) == 404


def test_a_cancelled_server_gives_its_port_back() -> None:
    async def run() -> None:
        listener, bound = open_listener(LOOPBACK)
        serving = asyncio.create_task(serve_app(create_app(FakeState()), [listener], stop=asyncio.Event()))
        async with httpx.AsyncClient(trust_env=False, timeout=60) as http:
            await http.get(f"http://127.0.0.1:{bound.port}/-/healthy", headers={"Connection": "close"})
        serving.cancel()
        with pytest.raises(asyncio.CancelledError):
            await serving
        assert asyncio.all_tasks() == {asyncio.current_task()}
        again, _bound = open_listener(bound)
        again.close()

    asyncio.run(run())


def test_port_0_reports_the_port_that_was_found() -> None:
    listener, bound = open_listener(LOOPBACK)
    with listener:
        assert bound == ListenAddress("127.0.0.1", listener.getsockname()[1])
        assert bound.port > 0


def test_a_port_in_use_is_told_and_ends_with_2() -> None:
    listener, bound = open_listener(LOOPBACK)
    with listener, pytest.raises(ExporterError) as caught:
        open_listener(bound)
    assert str(caught.value) == f"--web.listen-address {bound}: the port is in use; stop the other process, or choose another port"
    assert caught.value.exit_code == 2


@pytest.mark.parametrize(
    ("address", "message"),
    [
        (ListenAddress("192.0.2.1", 0), "192.0.2.1:0: this machine does not have the address; write one it has, or leave the host out"),
        (
            ListenAddress("." * 300, 0),
            f"{'.' * 300}:0: the host name cannot be resolved; write an address of this machine, or leave the host out",
        ),
    ],
)
def test_an_address_that_cannot_be_had_is_told(address: ListenAddress, message: str) -> None:
    with pytest.raises(ExporterError) as caught:
        open_listener(address)
    assert str(caught.value) == f"--web.listen-address {message}"


def test_a_host_name_that_is_not_known_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_arguments: object, **_options: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", fail)
    with pytest.raises(ExporterError) as caught:
        open_listener(ListenAddress("typo.example", 10201))
    assert str(caught.value) == (
        "--web.listen-address typo.example:10201: the host name cannot be resolved; write an address of this machine, or leave the host out"
    )


@pytest.mark.parametrize(
    ("number", "message"),
    [
        (errno.EACCES, "not allowed to listen there; choose a port above 1023"),
        (errno.EMFILE, "Too many open files; choose another address"),
    ],
)
def test_what_else_the_system_refuses_is_told(monkeypatch: pytest.MonkeyPatch, number: int, message: str) -> None:
    def fail(*_arguments: object, **_options: object) -> None:
        raise OSError(number, "in the words of the system")

    monkeypatch.setattr(socket, "create_server", fail)
    with pytest.raises(ExporterError) as caught:
        open_listener(ListenAddress("127.0.0.1", 80))
    assert str(caught.value) == f"--web.listen-address 127.0.0.1:80: {message}"


def test_an_empty_host_on_a_machine_without_ipv6_is_every_ipv4_address(monkeypatch: pytest.MonkeyPatch) -> None:
    create_server = socket.create_server

    def fail_on_ipv6(address: tuple[str, int], **options: object) -> socket.socket:
        if options.get("family") == socket.AF_INET6:
            raise OSError(errno.EADDRNOTAVAIL, "no IPv6 here")
        return create_server(address, **options)  # type: ignore[arg-type]  # handed on as they came

    monkeypatch.setattr(socket, "create_server", fail_on_ipv6)
    listener, _bound = open_listener(ListenAddress("", 0))
    with listener:
        assert listener.getsockname()[0] == "0.0.0.0"
