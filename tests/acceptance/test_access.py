"""A daemon with TLS, a login and a prefix, as Prometheus and curl see it, and as those see it who would keep it waiting."""

from __future__ import annotations

import json
import signal
import socket
import ssl
import subprocess
from base64 import b64encode
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import bcrypt
import pytest

from tests.acceptance.monitoring import is_ready
from tests.acceptance.programs import EXPORTER, PYTHON_PATH, Program, series_of, wait_until
from tests.certificates import authority, client_context, write_certificate
from tests.ports import free_port
from tests.tools import require_tool

PASSWORD = "correct horse"
CONFIG = """\
storage: sqlite:///history.db
schedule: {cron: "0 0 1 1 *", spread: 0s}
targets:
- {name: bot, api: openai_chat, base_url: "http://127.0.0.1:9/v1", model: m, price: unknown}
"""
WEB = """\
tls_server_config: {cert_file: tls.crt, key_file: tls.key}
basic_auth_users: {prometheus: HASH}
"""


class Guarded(Program):
    """`serve` below /drift, with TLS and a login."""

    def __init__(self, folder: Path) -> None:
        write_certificate(folder)
        (folder / "config.yml").write_text(CONFIG)
        (folder / "web.yml").write_text(WEB.replace("HASH", bcrypt.hashpw(PASSWORD.encode(), bcrypt.gensalt(8)).decode()))
        self.folder = folder
        self.port = free_port()
        self.url = f"https://localhost:{self.port}/drift"
        flags = ("--web.listen-address", f"127.0.0.1:{self.port}", "--web.config.file", "web.yml", "--web.route-prefix", "/drift")
        super().__init__(folder, *EXPORTER, "serve", *flags, environment=PYTHON_PATH)

    def curl(self, path: str, password: str | None = PASSWORD, ca: str = "ca.crt") -> str:
        """The status that curl gets; 000 where it has no connection."""
        login = () if password is None else ("--user", f"prometheus:{password}")
        return self._curl("--cacert", ca, "--output", "/dev/null", "--write-out", "%{http_code}", *login, f"{self.url}{path}")

    def series(self) -> dict[str, str]:
        """Every sample on /metrics by its name and labels."""
        return series_of(self._curl("--cacert", "ca.crt", "--user", f"prometheus:{PASSWORD}", f"{self.url}/metrics"))

    def _curl(self, *flags: str) -> str:
        command = (require_tool("curl"), "--silent", "--noproxy", "*", *flags)
        return subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=False).stdout

    def wait_until_ready(self) -> None:
        """Return once the last values are restored."""
        wait_until(lambda: self.curl("/-/ready") == "200" or not self.is_running, 60, "it is ready")
        assert self.is_running, self.said()


@pytest.fixture
def guarded(tmp_path: Path) -> Iterator[Guarded]:
    with Guarded(tmp_path) as daemon:
        daemon.wait_until_ready()
        yield daemon


def test_prometheus_scrapes_over_tls_with_a_password_below_a_prefix(guarded: Guarded) -> None:
    port = free_port()
    (guarded.folder / "password").write_text(PASSWORD)
    job = {
        "job_name": "model-drift-exporter",
        "scheme": "https",
        "metrics_path": "/drift/metrics",
        "scrape_interval": "1s",
        "scrape_timeout": "1s",
        "tls_config": {"ca_file": "ca.crt", "server_name": "localhost"},
        "basic_auth": {"username": "prometheus", "password_file": "password"},
        "static_configs": [{"targets": [f"127.0.0.1:{guarded.port}"]}],
    }
    (guarded.folder / "prometheus.yml").write_text(json.dumps({"scrape_configs": [job]}))
    flags = ("--config.file=prometheus.yml", "--storage.tsdb.path=data", f"--web.listen-address=127.0.0.1:{port}")
    with Program(guarded.folder, require_tool("prometheus"), *flags) as prometheus:
        url = f"http://127.0.0.1:{port}"
        wait_until(lambda: is_ready(url) or not prometheus.is_running, 60, "Prometheus is ready")
        assert prometheus.is_running, prometheus.said()
        wait_until(lambda: "model_drift_build_info" in series_names(url), 60, "it has scraped")


def series_names(url: str) -> list[str]:
    command = (require_tool("curl"), "--silent", "--noproxy", "*", f"{url}/api/v1/label/__name__/values")
    names: list[str] = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)["data"]
    return names


def test_curl_needs_the_password_the_authority_and_the_prefix(guarded: Guarded) -> None:
    assert [guarded.curl("/metrics", password) for password in (PASSWORD, "wrong", None)] == ["200", "401", "401"]
    assert guarded.curl("/../metrics") == "404"
    authority("others").cert_pem.write_to_path(str(guarded.folder / "other.crt"))
    assert guarded.curl("/metrics", ca="other.crt") == "000"
    assert PASSWORD not in guarded.said()
    assert "wrong" not in guarded.said()


def test_a_renewed_certificate_is_served_without_a_restart_and_a_bad_one_is_not(guarded: Guarded) -> None:
    with ssl_connection(guarded.port) as kept:
        write_certificate(guarded.folder, by="renewed")
        wait_until(lambda: guarded.curl("/metrics") == "200", 60, "the new certificate is served")
        assert guarded.series()["model_drift_web_config_last_reload_successful"] == "1.0"
        (guarded.folder / "tls.key").write_text("broken\n")
        wait_until(lambda: "was not reloaded" in guarded.said(), 60, "the log tells of the broken key")
        assert guarded.series()["model_drift_web_config_last_reload_successful"] == "0.0"
        kept.sendall(b"GET /drift/-/healthy HTTP/1.1\r\nHost: x\r\n\r\n")
        assert kept.recv(12) == b"HTTP/1.1 401"
    guarded.tell(signal.SIGTERM)
    assert guarded.wait() == 0, guarded.said()
    assert guarded.said().count("was not reloaded") == 1


def ssl_connection(port: int) -> ssl.SSLSocket:
    """A TLS connection of which a request has been answered, so that it may be kept."""
    connection = client_context().wrap_socket(socket.create_connection(("127.0.0.1", port), timeout=60), server_hostname="localhost")
    connection.sendall(b"HEAD /drift/-/healthy HTTP/1.1\r\nHost: x\r\n\r\n")
    while not connection.recv(4096).endswith(b"\r\n\r\n"):
        pass
    return connection


def test_scrapes_go_on_whatever_fifty_silent_connections_a_slow_reader_and_a_slow_writer_do(guarded: Guarded) -> None:
    with ExitStack() as stack:
        for _ in range(50):
            stack.enter_context(ssl_connection(guarded.port))
            stack.enter_context(socket.create_connection(("127.0.0.1", guarded.port)))
        reader = stack.enter_context(ssl_connection(guarded.port))
        login = b64encode(f"prometheus:{PASSWORD}".encode())
        reader.sendall(b"GET /drift/metrics HTTP/1.1\r\nHost: x\r\nAuthorization: Basic " + login + b"\r\n\r\n")
        writer = stack.enter_context(ssl_connection(guarded.port))
        for letter in b"GET /drift/metrics HT":
            with suppress(OSError):  # who writes too slowly is cut off
                writer.sendall(bytes([letter]))
            assert guarded.curl("/metrics") == "200"
    assert guarded.is_running
