"""The shipped routing: every promise of docs/alerts.md, by amtool's word and by that of a real Alertmanager."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.acceptance.monitoring import is_ready
from tests.acceptance.programs import Program, wait_until
from tests.deploy.routing import ROUTING_FILE, local_routing
from tests.deploy.rules import ALERTMANAGER, alert_names, alerting, load
from tests.ports import free_port
from tests.tools import require_tool

TICKETS, PAGE, NOBODY = "tickets-and-chat", "pagerduty", "nobody"
BOT = {"target": "support-bot", "provider": "openai"}
OTHER = {"target": "other", "provider": "openai"}
JOB = {"job": "model-drift"}

ROUTES = [
    (PAGE, {"alertname": "ModelDriftConclusive", "severity": "critical", "signal": "accuracy"} | BOT),
    (PAGE, {"alertname": "ModelDriftConclusive", "severity": "critical", "signal": "trend"} | BOT),
    (PAGE, {"alertname": "ModelDriftTokenShift", "severity": "critical", "signal": "tokens"} | BOT),
    (PAGE, {"alertname": "ModelDriftServedModelChanged", "severity": "critical", "signal": "identity"} | BOT),
    (TICKETS, {"alertname": "ModelDriftConfirmed", "severity": "warning", "signal": "accuracy"} | BOT),
    (TICKETS, {"alertname": "ModelDriftConfirmed", "severity": "warning", "signal": "trend"} | BOT),
    (TICKETS, {"alertname": "ModelDriftTokenShift", "severity": "warning", "signal": "tokens"} | BOT),
    (TICKETS, {"alertname": "ModelDriftServedModelChanged", "severity": "warning", "signal": "identity"} | BOT),
    (TICKETS, {"alertname": "ModelDriftCannotMeasure", "severity": "warning"} | BOT),
    (TICKETS, {"alertname": "ModelDriftBudgetExhausted", "severity": "warning"} | BOT),
    (TICKETS, {"alertname": "ModelDriftCheckStale", "severity": "warning"} | BOT | JOB),
    (TICKETS, {"alertname": "ModelDriftConfigReloadFailed", "severity": "warning"} | JOB),
    (TICKETS, {"alertname": "ModelDriftWebConfigReloadFailed", "severity": "warning"} | JOB),
    (TICKETS, {"alertname": "ModelDriftConfigOutdated", "severity": "warning"} | JOB),
    (TICKETS, {"alertname": "ModelDriftReplicaBehind", "severity": "warning"} | JOB),
    (TICKETS, {"alertname": "ModelDriftExporterDown", "severity": "warning"} | JOB),
    (TICKETS, {"alertname": "ModelDriftExporterDown", "severity": "warning"}),
    (TICKETS, {"alertname": "ModelDriftNewOne"} | BOT),
    (TICKETS, {"alertname": "SomethingElse", "severity": "critical"}),
    (NOBODY, {"alertname": "ModelDriftLooksBad", "severity": "critical", "verdict": "suspect"} | BOT),
    (NOBODY, {"alertname": "ModelDriftLooksBad", "severity": "warning", "verdict": "unconfirmed"} | BOT),
]

MUTED = [
    ("a page silences the ticket of the same target, whatever the signal", "ModelDriftConclusive", BOT, "ModelDriftConfirmed", BOT, True),
    ("it does not silence another target's ticket", "ModelDriftConclusive", BOT, "ModelDriftConfirmed", OTHER, False),
    ("a ticket silences no page", "ModelDriftConfirmed", BOT, "ModelDriftConclusive", BOT, False),
    ("another served model does not silence a drop", "ModelDriftServedModelChanged", BOT, "ModelDriftConfirmed", BOT, False),
    ("a drop does not silence another length", "ModelDriftConclusive", BOT, "ModelDriftTokenShift", BOT, False),
    ("an exporter that is down silences what it is late with", "ModelDriftExporterDown", JOB, "ModelDriftCheckStale", BOT | JOB, True),
    ("and what it has not loaded", "ModelDriftExporterDown", JOB, "ModelDriftConfigReloadFailed", JOB, True),
    ("and which certificate", "ModelDriftExporterDown", JOB, "ModelDriftWebConfigReloadFailed", JOB, True),
    ("and which of its replicas are behind", "ModelDriftExporterDown", JOB, "ModelDriftReplicaBehind", JOB, True),
    ("and which of them have another config", "ModelDriftExporterDown", JOB, "ModelDriftConfigOutdated", JOB, True),
    ("a config that could not be loaded is why it is old", "ModelDriftConfigReloadFailed", JOB, "ModelDriftConfigOutdated", JOB, True),
    ("a web config that could not be loaded is not", "ModelDriftWebConfigReloadFailed", JOB, "ModelDriftConfigOutdated", JOB, False),
    ("not what another one is late with", "ModelDriftExporterDown", {"job": "other"}, "ModelDriftCheckStale", BOT | JOB, False),
    ("and never a page", "ModelDriftExporterDown", JOB, "ModelDriftConclusive", BOT, False),
    ("a cap is why it cannot be measured", "ModelDriftBudgetExhausted", BOT, "ModelDriftCannotMeasure", BOT, True),
    ("one target's cap is not another's reason", "ModelDriftBudgetExhausted", BOT, "ModelDriftCannotMeasure", OTHER, False),
]

SEVERITIES = {rule["alert"]: rule["labels"]["severity"] for rule in reversed(alerting())}


def amtool(*arguments: str | Path) -> tuple[int, str]:
    command = [require_tool("amtool"), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    return done.returncode, done.stdout + done.stderr


def test_alertmanager_takes_the_file() -> None:
    code, said = amtool("check-config", ROUTING_FILE)
    assert (code, "SUCCESS" in said, f"{len(load(ROUTING_FILE)['receivers'])} receivers" in said) == (0, True, True), said


def test_prometheus_takes_its_file_with_the_rules_beside_it() -> None:
    command = [require_tool("promtool"), "check", "config", "prometheus.yml"]
    done = subprocess.run(command, cwd=ALERTMANAGER, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, "1 rule files found" in done.stdout) == (0, True), done.stdout + done.stderr


@pytest.mark.parametrize(("receiver", "labels"), ROUTES, ids=lambda value: value if isinstance(value, str) else " ".join(value.values()))
def test_it_goes_to(receiver: str, labels: dict[str, str]) -> None:
    named = [f"{name}={value}" for name, value in labels.items()]
    code, said = amtool("config", "routes", "test", f"--config.file={ROUTING_FILE}", f"--verify.receivers={receiver}", *named)
    assert (code, said.splitlines()[0]) == (0, receiver)


def test_every_shipped_alert_is_in_the_table_with_its_severity() -> None:
    shipped = {(rule["alert"], rule["labels"]["severity"]) for rule in alerting()}
    assert shipped <= {(labels["alertname"], labels.get("severity", "")) for _, labels in ROUTES}
    assert [labels["alertname"] for receiver, labels in ROUTES if receiver == PAGE and labels["severity"] != "critical"] == []


def test_no_secret_is_in_the_file_and_nobody_is_reminded_at_night() -> None:
    config = load(ROUTING_FILE)
    (page,) = (receiver for receiver in config["receivers"] if receiver["name"] == PAGE)
    (pagerduty,) = page["pagerduty_configs"]
    assert not {"routing_key", "service_key"} & set(pagerduty)
    assert pagerduty["routing_key_file"].startswith("/")
    assert pagerduty.get("send_resolved", True)
    assert config["route"]["repeat_interval"] == "4d"


@pytest.fixture(scope="module")
def alertmanager(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of an Alertmanager with the shipped file, which nobody listens to."""
    folder, port = tmp_path_factory.mktemp("alertmanager"), free_port()
    file = local_routing(folder, free_port())
    command = (f"--config.file={file}", f"--web.listen-address=127.0.0.1:{port}", "--storage.path=data", "--cluster.listen-address=")
    url = f"http://127.0.0.1:{port}"
    with Program(folder, require_tool("prometheus-alertmanager"), *command) as program:
        wait_until(lambda: not program.is_running or is_ready(url), 60, "the Alertmanager is ready")
        assert program.is_running, program.said()
        yield url


def _put(url: str, *alerts: dict[str, str]) -> None:
    document = [{"labels": labels, "annotations": {"summary": "made up"}} for labels in alerts]
    httpx.post(f"{url}/api/v2/alerts", json=document, trust_env=False, timeout=30).raise_for_status()


def _get(url: str, path: str, case: str) -> list[Any]:
    answer = httpx.get(f"{url}/api/v2/{path}", params={"filter": f'case="{case}"'}, trust_env=False, timeout=30).json()
    assert isinstance(answer, list), answer
    return answer


def _wait(condition: Callable[[], bool], what: str) -> None:
    """It is known a moment after an alert was put: other threads of the Alertmanager see to it."""
    wait_until(condition, 60, what)


@pytest.mark.parametrize(("case", "source", "source_labels", "name", "labels", "muted"), MUTED, ids=[row[0] for row in MUTED])
def test_of_two_alerts_at_once(
    alertmanager: str, case: str, source: str, source_labels: dict[str, str], name: str, labels: dict[str, str], muted: bool
) -> None:
    def of_this_case(alert: str, values: dict[str, str]) -> dict[str, str]:
        # targets and jobs of its own, or one case would silence another's
        return {"alertname": alert, "severity": SEVERITIES[alert], "case": case} | {
            key: f"{value}, {case}" for key, value in values.items()
        }

    _put(alertmanager, of_this_case(source, source_labels), of_this_case(name, labels))

    def inhibited() -> list[bool]:
        alerts = _get(alertmanager, "alerts", case)
        return [len(alert["status"]["inhibitedBy"]) > 0 for alert in alerts if alert["labels"]["alertname"] == name]

    _wait(lambda: inhibited() == [muted], f"{name} is {'' if muted else 'not '}muted")


@pytest.mark.parametrize("alert", ["ModelDriftTokenShift", "ModelDriftServedModelChanged"])
def test_where_another_signal_pages_the_page_silences_its_ticket(alertmanager: str, alert: str) -> None:
    labels = {"alertname": alert, "case": f"{alert} pages", "target": f"bot {alert}"}
    _put(alertmanager, labels | {"severity": "critical"}, labels | {"severity": "warning"})

    def inhibiting() -> dict[str, int]:
        return {each["labels"]["severity"]: len(each["status"]["inhibitedBy"]) for each in _get(alertmanager, "alerts", labels["case"])}

    _wait(lambda: inhibiting() == {"critical": 0, "warning": 1}, "the ticket is silenced")


def test_a_provider_is_one_incident_however_many_of_its_targets_are_hit(alertmanager: str) -> None:
    labels = {"alertname": "ModelDriftConclusive", "severity": "critical", "signal": "accuracy", "case": "groups"}
    _put(alertmanager, *(labels | {"target": f"target-{number}", "provider": "a" if number < 3 else "b"} for number in range(4)))

    def groups() -> set[tuple[str, str, int]]:
        found = _get(alertmanager, "alerts/groups", "groups")
        return {(group["labels"]["provider"], group["receiver"]["name"], len(group["alerts"])) for group in found}

    _wait(lambda: groups() == {("a", PAGE, 3), ("b", PAGE, 1)}, "a group for each provider")


def test_the_names_in_the_routing_are_those_of_alerts() -> None:
    named = {
        word
        for line in ROUTING_FILE.read_text().splitlines()
        for word in line.replace('"', " ").replace("|", " ").split()
        if word.startswith("ModelDrift")
    }
    assert named - {"ModelDrift.+"} <= set(alert_names())
