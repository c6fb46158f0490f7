"""The shipped files in a real Prometheus and a real Alertmanager: who is paged for what, who gets a ticket, and of what nobody is told."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path

from exporter.demo.behaviour import Behaviour
from tests.acceptance.monitoring import Monitoring, monitoring
from tests.acceptance.pretended import Pretended, pretending
from tests.acceptance.programs import Daemon, run_check, wait_until
from tests.ports import free_port
from tests.tools import require_tool

LOST = [f"question-{number}" for number in range(1, 7)]
TARGETS = ("healthy", "drifted", "limited", "down", "unsure", "hunch", "wordy")
CONFIRMED, TOKENS, FAILED = "ModelDriftConfirmed", "ModelDriftTokenShift", "ModelDriftCannotMeasure"
TICKETS = {(CONFIRMED, "drifted"), (TOKENS, "wordy"), (FAILED, "limited"), (FAILED, "down")}
GENEROUS_SECONDS = 180

CONFIG = """\
storage: sqlite:///{folder}/history.db
schedule: {{cron: "*/15 * * * * *", spread: 0s}}
decision: {{baseline_runs: 3, baseline_min_gap: 0s, confirm_after: 0s, recheck_after: 2s, retry_failed_check: {{times: 0}}}}
budget: {{usd_per_check: null, tokens_per_check: null, usd_per_day: null, usd_per_month: null}}
targets:
"""

TARGET = """\
- name: {name}
  api: openai_chat
  model: {name}
  base_url: {base_url}
  provider: pretended
  suites: [questions.yml]
  price: {{input_usd_per_mtok: 1, output_usd_per_mtok: 2}}
"""

ONCE = """\
  schedule: {cron: "0 0 1 1 *"}
  decision: {confirm_after: 8s}
"""
"""Checked when the daemon starts and never again, with time to change the model before the second run."""

SLOWLY = """\
  decision: {page_checks: 3, recheck_after: 8s}
"""
"""Conclusive some seconds after it is confirmed, however soon a scheduled check follows the start: else there is a page and no ticket."""

SHORT = """\
  run_deadline: 6s
"""


def test_a_drift_pages_once_and_resolves_once_and_nothing_else_pages(tmp_path: Path) -> None:
    with ExitStack() as stack:
        tmp_path.joinpath("other").mkdir()
        gone = stack.enter_context(ExitStack())
        pretended = stack.enter_context(pretending(tmp_path, {name: Behaviour() for name in TARGETS}))
        down = gone.enter_context(pretending(tmp_path / "other", {"down": Behaviour()}))
        urls = dict.fromkeys(TARGETS, pretended.base_url) | {"down": down.base_url}
        config_file = tmp_path / "config.yml"
        config_file.write_text(_config(tmp_path, urls, {}))
        for _ in range(3):
            with run_check(config_file) as check:
                assert check.wait(GENEROUS_SECONDS) == 0, check.said()
        assert check.said().count("The baseline is ready") == len(TARGETS), check.said()

        more = {"healthy": ONCE, "unsure": ONCE, "hunch": ONCE, "drifted": SLOWLY, "limited": SHORT, "down": SHORT}
        config_file.write_text(_config(tmp_path, urls, more))
        for name in ("drifted", "unsure", "hunch"):
            pretended.behave(name, lost=LOST)
        pretended.behave("limited", faults={"rate_limited": 1})
        pretended.behave("wordy", length_factor=1.6)
        gone.close()
        ports = free_port(), free_port()
        heard = stack.enter_context(monitoring(tmp_path, *ports))
        daemon = stack.enter_context(Daemon(config_file, port=ports[0]))
        daemon.wait_until_ready()
        _between_the_runs(daemon, pretended, {"unsure": {"lost": []}, "hunch": {"lost": [], "faults": {"auth": 1}}})
        _wait(lambda: len(heard.desk.pages()) > 0, "the drift pages")
        for alert, name in TICKETS:
            _wait(lambda alert=alert, name=name: heard.desk.told(alert, name) == ["firing"], f"{alert} of {name} fires")
        _wait(lambda: {"suspect"} <= heard.verdicts_seen("hunch") and {"unconfirmed"} <= heard.verdicts_seen("unsure"), "second runs")
        _require_silence_of_promtool(daemon)

        assert daemon.kill()
        again = stack.enter_context(Daemon(config_file, port=ports[1]))
        again.wait_until_ready()
        _wait(lambda: _is_scraped(heard, ports[1]), "the other instance is scraped")
        for name in ("drifted", "limited", "wordy"):
            pretended.behave(name, lost=[], faults={}, length_factor=1.0)
        _wait(lambda: len(heard.desk.pages()) > 1, "the page resolves")
        for alert, name in TICKETS - {(FAILED, "down")}:
            _wait(lambda alert=alert, name=name: heard.desk.told(alert, name) == ["firing", "resolved"], f"{alert} of {name} is over")

        _require_one_page(heard)
        assert heard.desk.tickets() == TICKETS
        assert heard.ever_firing() == TICKETS | {("ModelDriftConclusive", "drifted")}
        assert len(heard.desk.chat()) >= len(TICKETS)
        seen = {name: heard.verdicts_seen(name) - {"collecting", "baseline_ready", "stable"} for name in TARGETS}
        assert seen == {
            "healthy": set(),
            "drifted": {"drift"},
            "limited": {"measurement_failed"},
            "down": {"measurement_failed"},
            "unsure": {"unconfirmed"},
            "hunch": {"suspect"},
            "wordy": {"token_shift"},
        }


def _require_one_page(heard: Monitoring) -> None:
    trigger, resolve = heard.desk.pages()
    assert (trigger["event_action"], resolve["event_action"]) == ("trigger", "resolve")
    assert trigger["dedup_key"] == resolve["dedup_key"]
    assert trigger["routing_key"] == "the-routing-key"
    payload = trigger["payload"]
    assert payload["summary"] == "pretended: drifted is worse than its baseline, beyond what a bad day explains (accuracy)"
    assert (payload["severity"], payload["class"], payload["group"]) == ("critical", "ModelDriftConclusive", "pretended")
    assert payload["custom_details"]["firing"].startswith("drifted at pretended: accuracy 50%, in the baseline 100%; most of it in ")
    assert [link["href"].rpartition("/")[2] for link in trigger["links"]] == ["ModelDriftConclusive.md"]


def _config(folder: Path, urls: Mapping[str, str], more: Mapping[str, str]) -> str:
    targets = (TARGET.format(name=name, base_url=url) + more.get(name, "") for name, url in urls.items())
    return CONFIG.format(folder=folder) + "".join(targets)


def _wait(condition: Callable[[], bool], what: str) -> None:
    wait_until(condition, GENEROUS_SECONDS, what, pause_seconds=0.2)


def _is_scraped(heard: Monitoring, port: int) -> bool:
    return heard.query(f'model_drift_target_info{{target="drifted",instance="127.0.0.1:{port}"}}') != []


def _between_the_runs(daemon: Daemon, pretended: Pretended, changes: dict[str, dict[str, object]]) -> None:
    """Change models while the second run of their check is waited for."""
    left = dict(changes)

    def change() -> bool:
        series = daemon.series()
        for name in list(left):
            if series[f'model_drift_confirmation_pending{{target="{name}"}}'] == "1.0":
                pretended.behave(name, **left.pop(name))
        return not left

    wait_until(change, GENEROUS_SECONDS, f"second runs are waited for: {', '.join(changes)}")


def _require_silence_of_promtool(daemon: Daemon) -> None:
    """Targets in five different states are on the page."""
    text = daemon.text("/metrics").encode()
    done = subprocess.run([require_tool("promtool"), "check", "metrics"], input=text, capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
