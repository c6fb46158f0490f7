"""What a real Prometheus and a real Alertmanager make of a real daemon: who is alerted, of what, and of what never."""

from __future__ import annotations

import signal
import subprocess
from contextlib import ExitStack
from pathlib import Path

import httpx

from exporter.demo.behaviour import Behaviour
from tests.acceptance.monitoring import Monitoring, monitoring
from tests.acceptance.pretended import Pretended, pretending
from tests.acceptance.programs import EXPORTER, PYTHON_PATH, Daemon, Program, free_port, wait_until
from tests.tools import require_tool

LOST = [f"question-{number}" for number in range(1, 7)]
TARGETS = ("healthy", "drifted", "limited", "down", "unsure", "hunch")
CONFIRMED, CONCLUSIVE = "ModelDriftConfirmed", "ModelDriftConclusive"

CONFIG = """\
storage: sqlite:///{folder}/history.db
schedule: {{cron: "*/15 * * * * *", spread: 0s}}
decision: {{baseline_runs: 3, baseline_min_gap: 0s, confirm_after: 1s, recheck_after: 2s, retry_failed_check: {{times: 0}}}}
budget: {{usd_per_check: null, tokens_per_check: null, usd_per_day: null, usd_per_month: null}}
targets:
"""

TARGET = """\
- name: {name}
  api: openai_chat
  model: {name}
  base_url: {base_url}
  suites: [questions.yml]
  price: {{input_usd_per_mtok: 1, output_usd_per_mtok: 2}}
  run_deadline: 6s
  decision: {{confirm_after: {confirm_after}s}}
"""


def test_a_drift_alerts_and_resolves_and_what_is_no_drift_never_alerts(tmp_path: Path) -> None:
    with ExitStack() as stack:
        tmp_path.joinpath("other").mkdir()
        gone = stack.enter_context(ExitStack())
        pretended = stack.enter_context(pretending(tmp_path, {name: Behaviour() for name in TARGETS}))
        down = gone.enter_context(pretending(tmp_path / "other", {"down": Behaviour()}))
        config_file = tmp_path / "config.yml"
        config_file.write_text(CONFIG.format(folder=tmp_path) + "".join(_target(name, pretended, down) for name in TARGETS))
        daemon = stack.enter_context(Daemon(config_file))
        heard = stack.enter_context(monitoring(tmp_path, daemon.port))
        daemon.wait_until_ready()
        wait_until(lambda: all(_verdict(daemon, name) in ("baseline_ready", "stable") for name in TARGETS), 120, "all are judged")

        for name in ("drifted", "unsure", "hunch"):
            pretended.behave(name, lost=LOST)
        pretended.behave("limited", faults={"rate_limited": 1})
        gone.close()
        _between_the_runs(daemon, pretended, {"unsure": {"lost": []}, "hunch": {"lost": [], "faults": {"auth": 1}}})
        _wait_for(heard, "drifted", ["firing"])
        for name, verdict in {"limited": "measurement_failed", "down": "measurement_failed", "hunch": "suspect"}.items():
            wait_until(lambda name=name, verdict=verdict: _verdict(daemon, name) == verdict, 60, f"{name}: {verdict}")
        _require_silence_of_promtool(daemon)
        for name in ("drifted", "limited", "hunch"):
            pretended.behave(name, lost=[], faults={})
        _wait_for(heard, "drifted", ["firing", "resolved"])

        assert heard.alerts() == heard.ever_alerting() == {(CONFIRMED, "drifted"), (CONCLUSIVE, "drifted")}
        seen = {name: heard.verdicts_seen(name) - {"collecting", "baseline_ready", "stable"} for name in TARGETS}
        assert seen == {
            "healthy": set(),
            "drifted": {"drift"},
            "limited": {"measurement_failed"},
            "down": {"measurement_failed"},
            "unsure": {"unconfirmed"},
            "hunch": {"suspect"},
        }


def test_the_demo_alerts_of_the_models_that_change_and_of_no_other(tmp_path: Path) -> None:
    port, environment = free_port(), {**PYTHON_PATH, "TMPDIR": str(tmp_path)}
    with (
        Program(tmp_path, *EXPORTER, "demo", "--web.listen-address", f"127.0.0.1:{port}", environment=environment) as demo,
        monitoring(tmp_path, port) as heard,
    ):
        _wait_for(heard, "support-bot", ["firing", "resolved"], demo)
        wait_until(lambda: heard.told(CONFIRMED, "summariser") == ["firing", "resolved"], 120, "summariser's old model is back")
        assert heard.alerts() == {(CONFIRMED, "support-bot"), (CONCLUSIVE, "support-bot"), (CONFIRMED, "summariser")}
        assert "measurement_failed" in heard.verdicts_seen("translator")
        assert "model_changed" in heard.verdicts_seen("summariser")
        demo.tell(signal.SIGINT)
        assert demo.wait() == 0, demo.said()
    assert list(tmp_path.glob("model-drift-demo-*")) == []


def _target(name: str, pretended: Pretended, down: Pretended) -> str:
    base_url = (down if name == "down" else pretended).base_url
    return TARGET.format(name=name, base_url=base_url, confirm_after=4 if name in ("unsure", "hunch") else 1)


def _verdict(daemon: Daemon, target: str) -> str | None:
    series = daemon.series()
    start = f'model_drift_verdict{{target="{target}",verdict="'
    return next((line.removeprefix(start).removesuffix('"}') for line in series if line.startswith(start) and series[line] == "1.0"), None)


def _between_the_runs(daemon: Daemon, pretended: Pretended, changes: dict[str, dict[str, object]]) -> None:
    """Change models while the second run of their check is waited for."""
    left = dict(changes)

    def change() -> bool:
        series = daemon.series()
        for name in list(left):
            if series[f'model_drift_confirmation_pending{{target="{name}"}}'] == "1.0":
                pretended.behave(name, **left.pop(name))
        return not left

    wait_until(change, 90, f"second runs are waited for: {', '.join(changes)}")


def _wait_for(heard: Monitoring, target: str, statuses: list[str], program: Program | None = None) -> None:
    for alert in (CONFIRMED, CONCLUSIVE):
        wait_until(
            lambda alert=alert: heard.told(alert, target) == statuses or (program is not None and not program.is_running),
            180,
            f"{alert} of {target} is {statuses[-1]}",
        )
    assert program is None or program.is_running, program.said()


def _require_silence_of_promtool(daemon: Daemon) -> None:
    """Targets in five different states are on the page."""
    text = httpx.get(f"{daemon.url}/metrics", trust_env=False).content
    done = subprocess.run([require_tool("promtool"), "check", "metrics"], input=text, capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
