"""A real Prometheus and a real Alertmanager on loopback, and a webhook that hears what the Alertmanager has to say."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx

from tests.acceptance.programs import Program, free_port, wait_until
from tests.tools import require_tool

PROMETHEUS = """\
global: {{scrape_interval: 1s, scrape_timeout: 1s, evaluation_interval: 1s}}
rule_files: [rules.yml]
alerting: {{alertmanagers: [{{static_configs: [{{targets: ["127.0.0.1:{alertmanager}"]}}]}}]}}
scrape_configs:
- job_name: model-drift
  static_configs: [{{targets: ["127.0.0.1:{exporter}"]}}]
"""

RULES = """\
groups:
- name: model-drift
  rules:
  - {alert: ModelDriftConfirmed, expr: model_drift_confirmed == 1}
  - {alert: ModelDriftConclusive, expr: model_drift_conclusive == 1}
"""

ALERTMANAGER = """\
route: {{receiver: webhook, group_by: [alertname, target], group_wait: 0s, group_interval: 1s, repeat_interval: 1h}}
receivers:
- name: webhook
  webhook_configs: [{{url: "http://127.0.0.1:{webhook}/", send_resolved: true}}]
"""


@dataclass
class Monitoring:
    """What fires, as the webhook was told; and a Prometheus that can be asked what it saw."""

    url: str
    _told: list[tuple[str, str, str]] = field(default_factory=list)
    _telling: threading.Lock = field(default_factory=threading.Lock)

    def told(self, alert: str, target: str) -> list[str]:
        """Firing and resolved, in the order in which the webhook was told of them, each once."""
        with self._telling:
            return list(dict.fromkeys(status for name, of, status in self._told if (name, of) == (alert, target)))

    def alerts(self) -> set[tuple[str, str]]:
        """Every alert that ever fired, with its target."""
        with self._telling:
            return {(name, target) for name, target, _ in self._told}

    def hear(self, notification: dict[str, Any]) -> None:
        """Note what the Alertmanager sent."""
        with self._telling:
            for alert in notification["alerts"]:
                self._told.append((alert["labels"]["alertname"], alert["labels"]["target"], alert["status"]))

    def query(self, expression: str) -> list[dict[str, str]]:
        """The labels of what a PromQL expression gives now."""
        answer = httpx.get(f"{self.url}/api/v1/query", params={"query": expression}, trust_env=False, timeout=30).json()
        assert answer["status"] == "success", answer
        return [dict(series["metric"]) for series in answer["data"]["result"]]

    def verdicts_seen(self, target: str) -> set[str]:
        """The verdicts that were ever scraped of a target."""
        seen = self.query(f'max_over_time(model_drift_verdict{{target="{target}"}}[1h]) == 1')
        return {labels["verdict"] for labels in seen}

    def ever_alerting(self) -> set[tuple[str, str]]:
        """The same as `alerts`, by the word of Prometheus: pending ones as well."""
        return {(labels["alertname"], labels["target"]) for labels in self.query("count_over_time(ALERTS[1h])")}


@contextmanager
def monitoring(folder: Path, exporter_port: int) -> Iterator[Monitoring]:
    """Scrape an exporter on loopback every second, for as long as the block lasts."""
    programs = require_tool("prometheus"), require_tool("prometheus-alertmanager")
    prometheus_port, alertmanager_port = free_port(), free_port()
    heard = Monitoring(f"http://127.0.0.1:{prometheus_port}")
    with _webhook(heard) as webhook_port:
        (folder / "rules.yml").write_text(RULES)
        (folder / "prometheus.yml").write_text(PROMETHEUS.format(alertmanager=alertmanager_port, exporter=exporter_port))
        (folder / "alertmanager.yml").write_text(ALERTMANAGER.format(webhook=webhook_port))
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
        with Program(folder, *alertmanager) as first, Program(folder, *prometheus) as second:
            for program, url in ((first, f"http://127.0.0.1:{alertmanager_port}"), (second, heard.url)):
                wait_until(lambda program=program, url=url: not program.is_running or is_ready(url), 60, f"{program.process.args} is ready")
                assert program.is_running, program.said()
            yield heard


def is_ready(url: str) -> bool:
    """Whether a Prometheus or an Alertmanager answers and is ready."""
    try:
        return httpx.get(f"{url}/-/ready", trust_env=False).status_code == 200
    except httpx.TransportError:
        return False


@contextmanager
def _webhook(heard: Monitoring) -> Iterator[int]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            heard.hear(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(200)
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
