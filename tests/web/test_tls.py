"""Real handshakes on loopback."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Awaitable, Callable
from pathlib import Path

import httpx
import pytest
import trustme

from exporter.config import WebConfig, load_web_config
from exporter.web import ListenAddress, create_app, open_listener, serve_app
from exporter.web.door import Door
from tests.certificates import authority, certificate, client_context, write_certificate
from tests.web.fake_state import FakeState

CLIENTS = "  client_auth_type: RequireAndVerifyClientCert\n  client_ca_file: clients.crt\n"
Client = Callable[[int, Door], Awaitable[None]]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_certificate(tmp_path)
    authority("clients").cert_pem.write_to_path(str(tmp_path / "clients.crt"))
    return tmp_path


def web_config(folder: Path, more: str = "") -> WebConfig:
    (folder / "web.yml").write_text(f"tls_server_config:\n  cert_file: tls.crt\n  key_file: tls.key\n{more}")
    return load_web_config(folder / "web.yml")


def serve_for(config: WebConfig, client: Client) -> None:
    async def run() -> None:
        listener, bound = open_listener(ListenAddress("127.0.0.1", 0))
        stop, door = asyncio.Event(), Door(config)
        serving = asyncio.create_task(serve_app(create_app(FakeState(), door=door), [listener], stop=stop, grace_seconds=1, door=door))
        try:
            await client(bound.port, door)
        finally:
            stop.set()
            await serving

    asyncio.run(run())


async def fetch(port: int, context: ssl.SSLContext) -> int:
    """The status of a request; 0 where no connection is had."""
    try:
        async with httpx.AsyncClient(verify=context, trust_env=False, timeout=30) as http:
            return (await http.get(f"https://localhost:{port}/-/healthy")).status_code
    except httpx.TransportError:
        return 0


def statuses(config: WebConfig, *contexts: ssl.SSLContext) -> list[int]:
    """What each client gets."""
    got: list[int] = []

    async def client(port: int, _door: Door) -> None:
        got.extend([await fetch(port, context) for context in contexts])

    serve_for(config, client)
    return got


def test_a_client_that_trusts_the_authority_is_served_and_one_that_does_not_turns_away(folder: Path) -> None:
    assert statuses(web_config(folder), client_context(), client_context("others"), client_context()) == [200, 0, 200]


def test_http_in_the_clear_is_not_answered(folder: Path) -> None:
    async def client(port: int, _door: Door) -> None:
        async with httpx.AsyncClient(trust_env=False, timeout=60) as http:
            with pytest.raises(httpx.TransportError):
                await http.get(f"http://localhost:{port}/-/healthy")

    serve_for(web_config(folder), client)


def only(version: ssl.TLSVersion) -> ssl.SSLContext:
    context = client_context()
    context.minimum_version = context.maximum_version = version
    return context


@pytest.mark.parametrize(
    ("more", "expected"),
    [("", [200, 200]), ("  min_version: TLS13\n", [0, 200]), ("  max_version: TLS12\n", [200, 0])],
)
def test_versions_of_tls_are_bounded(folder: Path, more: str, expected: list[int]) -> None:
    assert statuses(web_config(folder, more), only(ssl.TLSVersion.TLSv1_2), only(ssl.TLSVersion.TLSv1_3)) == expected


def test_only_the_suites_named_are_offered(folder: Path) -> None:
    mine, other = only(ssl.TLSVersion.TLSv1_2), only(ssl.TLSVersion.TLSv1_2)
    mine.set_ciphers("ECDHE-ECDSA-AES256-GCM-SHA384")
    other.set_ciphers("ECDHE-ECDSA-AES128-GCM-SHA256")
    more = "  cipher_suites: [TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384]\n"
    assert statuses(web_config(folder, more), mine, other) == [200, 0]
    assert statuses(web_config(folder), mine, other) == [200, 200]


def test_the_one_curve_named_is_offered(folder: Path) -> None:
    mine, other = client_context(), client_context()
    mine.set_ecdh_curve("secp384r1")
    other.set_ecdh_curve("prime256v1")
    assert statuses(web_config(folder, "  curve_preferences: [CurveP384]\n"), mine, other) == [200, 0]


def showing(*names: str, by: str = "clients") -> ssl.SSLContext:
    return client_context(shown=certificate(*names, by=by))


def test_a_client_needs_a_certificate_of_the_authority_named(folder: Path) -> None:
    config = web_config(folder, CLIENTS)
    assert statuses(config, showing("scraper"), showing("scraper", by="others"), client_context()) == [200, 0, 0]


def test_a_client_may_come_without_a_certificate_but_not_with_a_bad_one(folder: Path) -> None:
    config = web_config(folder, CLIENTS.replace("RequireAndVerifyClientCert", "VerifyClientCertIfGiven"))
    assert statuses(config, showing("scraper"), showing("scraper", by="others"), client_context()) == [200, 0, 200]


@pytest.mark.parametrize("names", [("scraper",), ("other", "scraper"), ("10.0.0.7",), ("0:0::1",), ("sre@example.com",)])
def test_a_client_with_a_name_that_is_allowed_comes_in(folder: Path, names: tuple[str, ...]) -> None:
    config = web_config(folder, f"{CLIENTS}  client_allowed_sans: [scraper, 10.0.0.7, '::1', sre@example.com]\n")
    assert statuses(config, showing(*names)) == [200]


@pytest.mark.parametrize("names", [("other",), ("scraper.example",), ("10.0.0.8",)])
def test_a_client_with_another_name_does_not_come_in(folder: Path, names: tuple[str, ...]) -> None:
    config = web_config(folder, f"{CLIENTS}  client_allowed_sans: [scraper, 10.0.0.7, '::1']\n")
    assert statuses(config, showing(*names)) == [0]


def test_a_renewed_certificate_is_used_from_the_next_connection_on_and_the_last_one_goes_on(folder: Path) -> None:
    async def client(port: int, door: Door) -> None:
        async with httpx.AsyncClient(verify=client_context(), trust_env=False, timeout=30) as kept:
            assert (await kept.get(f"https://localhost:{port}/-/healthy")).status_code == 200
            write_certificate(folder, by="renewed")
            door.adopt(web_config(folder))
            assert [await fetch(port, client_context()), await fetch(port, client_context("renewed"))] == [0, 200]
            assert (await kept.get(f"https://localhost:{port}/-/healthy")).status_code == 200

    serve_for(web_config(folder), client)


def test_tls_can_be_switched_on_while_it_runs(folder: Path) -> None:
    async def client(port: int, door: Door) -> None:
        assert await fetch(port, client_context()) == 0
        door.adopt(web_config(folder))
        assert await fetch(port, client_context()) == 200

    serve_for(WebConfig(), client)


def test_an_intermediate_certificate_may_stand_for_its_clients(folder: Path) -> None:
    middle = trustme.CA(organization_name="root").create_child_ca()
    middle.cert_pem.write_to_path(str(folder / "clients.crt"))
    assert statuses(web_config(folder, CLIENTS), client_context(shown=middle.issue_cert("scraper"))) == [200]
