"""A real Prometheus and a real Alertmanager on loopback with the shipped files, and a desk that hears whom they tell of what."""

from __future__ import annotations

import json
import shutil
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx

from tests.acceptance.programs import Program, wait_until
from tests.deploy.routing import local_routing
from tests.deploy.rules import ALERTMANAGER, RULES_FILE
from tests.ports import free_port
from tests.prometheus import ask_prometheus
from tests.tools import require_tool


@dataclass
class Desk:
    """What the Alertmanager has sent: events for PagerDuty, notifications for tickets, messages for chat."""

    _heard: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    _hearing: threading.Lock = field(default_factory=threading.Lock)

    def hear(self, path: str, document: dict[str, Any]) -> None:
        """Note what was sent to a path."""
        with self._hearing:
            self._heard.append((path, document))

    def pages(self) -> list[dict[str, Any]]:
        """The events that PagerDuty would have got, oldest first."""
        return self._sent_to("/pagerduty")

    def chat(self) -> list[dict[str, Any]]:
        """The messages to the channel, oldest first."""
        return self._sent_to("/chat")

    def told(self, alert: str, target: str) -> list[str]:
        """Firing and resolved, in the order in which tickets were told of them, each once."""
        return list(dict.fromkeys(status for name, of, status in self._tickets() if (name, of) == (alert, target)))

    def tickets(self) -> set[tuple[str, str]]:
        """Every alert that ever was a ticket, with its target."""
        return {(name, target) for name, target, _ in self._tickets()}

    def _tickets(self) -> list[tuple[str, str, str]]:
        alerts = [alert for notification in self._sent_to("/alertmanager") for alert in notification["alerts"]]
        return [(alert["labels"]["alertname"], alert["labels"].get("target", ""), alert["status"]) for alert in alerts]

    def _sent_to(self, path: str) -> list[dict[str, Any]]:
        with self._hearing:
            return [document for of, document in self._heard if of == path]


@dataclass(frozen=True)
class Monitoring:
    """The desk, and a Prometheus that can be asked what it saw."""

    url: str
    desk: Desk

    def query(self, expression: str) -> list[dict[str, str]]:
        """The labels of what a PromQL expression gives now."""
        return [dict(series["metric"]) for series in ask_prometheus(self.url, "query", {"query": expression})]

    def verdicts_seen(self, target: str) -> set[str]:
        """The verdicts that were ever scraped of a target."""
        seen = self.query(f'max_over_time(model_drift_verdict{{target="{target}"}}[1h]) == 1')
        return {labels["verdict"] for labels in seen}

    def ever_firing(self) -> set[tuple[str, str]]:
        """Every alert that ever fired, with its target, by the word of Prometheus."""
        seen = self.query('count_over_time(ALERTS{alertstate="firing"}[1h])')
        return {(labels["alertname"], labels.get("target", "")) for labels in seen}


@contextmanager
def monitoring(folder: Path, *exporter_ports: int) -> Iterator[Monitoring]:
    """Scrape exporters on loopback every second, for as long as the block lasts. They are instances of one job."""
    programs = require_tool("prometheus"), require_tool("prometheus-alertmanager")
    prometheus_port, alertmanager_port = free_port(), free_port()
    desk = Desk()
    with _listening(desk) as desk_port:
        local_routing(folder, desk_port, group_wait="0s", group_interval="1s")
        _write_prometheus(folder, exporter_ports, alertmanager_port)
        prometheus = (
            programs[0],
            "--config.file=prometheus.yml",
            "--storage.tsdb.path=prometheus",
            f"--web.listen-address=127.0.0.1:{prometheus_port}",
        )
        alertmanager = (
            programs[1],
            "--config.file=alertmanager.yml",
            "--storage.path=alertmanager",
            f"--web.listen-address=127.0.0.1:{alertmanager_port}",
            "--cluster.listen-address=",
        )
        heard = Monitoring(f"http://127.0.0.1:{prometheus_port}", desk)
        with Program(folder, *alertmanager) as first, Program(folder, *prometheus) as second:
            for program, url in ((first, f"http://127.0.0.1:{alertmanager_port}"), (second, heard.url)):
                wait_until(partial(_is_ready_or_gone, program, url), 60, f"{program.process.args!r} is ready")
                assert program.is_running, program.said()
            yield heard


def _is_ready_or_gone(program: Program, url: str) -> bool:
    return not program.is_running or is_ready(url)


def is_ready(url: str) -> bool:
    """Whether a Prometheus or an Alertmanager answers and is ready."""
    try:
        return httpx.get(f"{url}/-/ready", trust_env=False, timeout=60).status_code == 200
    except httpx.TransportError:
        return False


def _write_prometheus(folder: Path, exporter_ports: Sequence[int], alertmanager_port: int) -> None:
    """The shipped config but for addresses and intervals, and the shipped rules beside it as they are."""
    shutil.copy(RULES_FILE, folder)
    substitutes = {
        '["localhost:10201"]': json.dumps([f"127.0.0.1:{port}" for port in exporter_ports]),
        '["localhost:9093"]': json.dumps([f"127.0.0.1:{alertmanager_port}"]),
        "_interval: 30s": "_interval: 1s",
    }
    text = (ALERTMANAGER / "prometheus.yml").read_text(encoding="utf-8")
    for shipped, here in substitutes.items():
        assert shipped in text, shipped
        text = text.replace(shipped, here)
    (folder / "prometheus.yml").write_text(text, encoding="utf-8")


@contextmanager
def _listening(desk: Desk) -> Iterator[int]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            desk.hear(self.path, json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(202 if self.path == "/pagerduty" else 200)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server.server_port
        finally:
            server.shutdown()
            thread.join()
