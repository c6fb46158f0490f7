"""A daemon whose config changes under it, and one that is stopped and started again: what stays, what goes, what is shown."""

from __future__ import annotations

import re
import signal
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from exporter.demo.behaviour import Behaviour
from tests.acceptance.books import read_books, require_agreement, require_one_verdict_a_check
from tests.acceptance.pretended import pretending
from tests.acceptance.programs import Daemon, run_check, wait_until
from tests.acceptance.scene import Scene

QUESTIONS = 12
LOST = [f"question-{number}" for number in range(1, 7)]
SUCCESSFUL = "model_drift_config_last_reload_successful"
OF_THE_MOMENT = ("model_drift_snapshot_timestamp_seconds", "model_drift_config_last_reload_success_timestamp_seconds", "process_")
"""Gauges that tell of this process and not of a target."""


@pytest.fixture
def scene(tmp_path: Path) -> Iterator[Scene]:
    names = ("bot", "stays", "gone", "old", "changed", "added", "lossy", "slow")
    with pretending(tmp_path, dict.fromkeys(names, Behaviour())) as pretended:
        yield Scene(tmp_path, pretended)


def test_a_bad_file_keeps_the_old_config_and_says_why(scene: Scene) -> None:
    with Daemon(scene.write({"name": "bot"}), "--web.enable-lifecycle") as daemon:
        daemon.wait_until_ready()
        before = daemon.text("/config")
        scene.write({"name": "bot", "modle": "m"}, {"name": "bot"})
        answer = daemon.reload()
        assert answer.status_code == 500
        assert "targets[0].modle: unknown key" in answer.text
        assert "targets[1].name" in answer.text
        assert daemon.series()[SUCCESSFUL] == "0.0"
        assert 'level=error msg="the config was not reloaded; the old one stays in use"' in daemon.said()
        assert daemon.text("/config") == before

        scene.write({"name": "bot"}, {"name": "added"})
        assert (daemon.reload().status_code, daemon.reload().text) == (200, "reloaded\n")
        assert daemon.series()[SUCCESSFUL] == "1.0"

        scene.config_file.write_text("targets: [")
        daemon.tell(signal.SIGHUP)
        wait_until(lambda: daemon.series()[SUCCESSFUL] == "0.0", 30, "the reload failed")
        scene.config_file.unlink()
        daemon.tell(signal.SIGHUP)
        wait_until(lambda: "config.yml: no such file" in daemon.said(), 30, "the reason is told")
        scene.write({"name": "bot"})
        daemon.tell(signal.SIGHUP)
        wait_until(lambda: daemon.series()[SUCCESSFUL] == "1.0", 30, "the reload succeeded")
        assert 'target="added"' not in "".join(daemon.series())


def test_targets_come_and_go_and_change_while_their_checks_run(scene: Scene) -> None:
    for model in ("stays", "gone", "old", "changed"):
        scene.pretended.behave(model, latency_seconds=0.3)
    old = {"name": "old", "model": "old"}
    with Daemon(scene.write({"name": "stays"}, {"name": "gone"}, old, {"name": "changed"})) as daemon:
        wait_until(lambda: all(scene.asked(model) >= 3 for model in ("stays", "gone", "old", "changed")), 60, "all are asked")
        scene.pretended.behave("gone", latency_seconds=3.0)  # so that it is not through before it goes
        new = {"name": "new", "formerly": "old", "model": "old"}
        scene.write({"name": "stays"}, new, {"name": "changed", "system": "Be brief."}, {"name": "added"})
        daemon.tell(signal.SIGHUP)
        wait_until(lambda: "config reloaded" in daemon.said(), 60, "the config is reloaded")
        text = "".join(daemon.series())
        assert [name for name in ("stays", "gone", "old", "new", "changed", "added") if f'target="{name}"' in text] == [
            "stays",
            "new",
            "changed",
            "added",
        ]
        wait_until(lambda: scene.closed() == ["added", "changed", "new", "stays"], 60, "all that are left are checked")
        assert 3 <= scene.asked("gone") < QUESTIONS
        assert read_books(scene.store).open_requests("gone") == 0
        scene.pretended.behave("gone", latency_seconds=0.3)

        scene.write({"name": "stays"}, {"name": "gone"}, new)
        daemon.tell(signal.SIGHUP)
        wait_until(lambda: scene.closed() == ["added", "changed", "gone", "new", "stays"], 60, "gone is back and goes on")
    assert {model: scene.asked(model) for model in ("stays", "gone", "old", "changed", "added")} == {
        "stays": QUESTIONS,
        "gone": QUESTIONS,
        "old": QUESTIONS,
        "changed": QUESTIONS,
        "added": QUESTIONS,
    }
    require_one_verdict_a_check(scene.store)
    models = {"stays": "stays", "gone": "gone", "new": "old", "changed": "changed", "added": "added"}
    require_agreement(scene.store, scene.pretended, models, never_sent=0)


def test_a_key_is_read_again_when_it_has_changed(scene: Scene) -> None:
    key_file = scene.folder / "key"
    key_file.write_text("first-key-1234\n")
    scene.pretended.behave("bot", api_key="first-key-1234")
    with Daemon(scene.write({"name": "bot", "api_key_file": "key"}, cron="*/3 * * * * *")) as daemon:
        daemon.wait_until_ready()
        wait_until(lambda: scene.closed() != [], 60, "a first check")
        scene.pretended.behave("bot", api_key="second-key-5678")
        wait_until(lambda: _verdict(scene) == "measurement_failed", 60, "the first key is refused")
        key_file.write_text("")
        wait_until(lambda: "the file is empty; write the key into it" in daemon.said(), 60, "an empty key file is told of")
        key_file.write_text("second-key-5678\n")
        wait_until(lambda: _verdict(scene) != "measurement_failed", 60, "the second key is used")
        shown = daemon.text("/config") + daemon.text("/targets/bot")
    assert re.findall("first-key|second-key", daemon.said() + shown) == []


def test_a_daemon_that_is_stopped_goes_on_where_it_was_and_shows_what_it_showed(scene: Scene) -> None:
    targets = ({"name": "bot"}, {"name": "lossy"}, {"name": "slow", "api": "anthropic"})
    config_file = scene.write(*targets, confirm_after="1h")
    for _ in range(3):
        with run_check(config_file) as check:
            assert check.wait() == 0, check.said()
    scene.pretended.behave("lossy", lost=LOST)
    scene.pretended.behave("slow", latency_seconds=0.5)
    asked = scene.asked("slow")
    with Daemon(config_file) as daemon:
        wait_until(lambda: scene.asked("slow") >= asked + 3 and _pending(daemon), 60, "bot rests, lossy waits, slow is asked")
        shown = _gauges(daemon)
        daemon.tell(signal.SIGTERM)
        assert daemon.wait() == 0, daemon.said()
    books = read_books(scene.store)
    assert books.open_requests("slow") == 0
    assert {check["target"] for check in books.checks if check["closed_at"] is None} == {"lossy", "slow"}
    with Daemon(config_file) as daemon:
        daemon.wait_until_ready()
        again = _gauges(daemon)
        assert _without_spend(again) == _without_spend(shown)
        scene.write(*targets, confirm_after="0s")
        daemon.tell(signal.SIGHUP)
        wait_until(lambda: _checks_shown(daemon, *(target["name"] for target in targets)) == [4, 4, 4], 60, "all is finished")
        assert daemon.series()['model_drift_confirmed{signal="accuracy",target="lossy"}'] == "1.0"
        at_rest = _gauges(daemon)
        daemon.tell(signal.SIGTERM)
        assert daemon.wait() == 0, daemon.said()
    with Daemon(config_file) as daemon:
        daemon.wait_until_ready()
        assert _gauges(daemon) == at_rest
    assert scene.asked("slow") == asked + QUESTIONS
    require_one_verdict_a_check(scene.store)
    require_agreement(scene.store, scene.pretended, {"bot": "bot", "lossy": "lossy", "slow": "slow"}, never_sent=0)


def _verdict(scene: Scene) -> str:
    return str(max(read_books(scene.store).verdicts, key=lambda verdict: verdict["check_id"])["kind"])


def _pending(daemon: Daemon) -> bool:
    if daemon.status("/-/ready") != 200:
        return False
    return _checks_shown(daemon, "bot") == [4] and daemon.series()['model_drift_confirmation_pending{target="lossy"}'] == "1.0"


def _checks_shown(daemon: Daemon, *targets: str) -> list[float]:
    """How many closed checks of each target the page tells of."""
    counts = [(series, float(value)) for series, value in daemon.series().items() if series.startswith("model_drift_checks_total{")]
    return [sum(count for series, count in counts if f'target="{target}"' in series) for target in targets]


def _gauges(daemon: Daemon) -> dict[str, str]:
    """All gauges that tell of targets."""
    text = daemon.text("/metrics")
    families = set(re.findall(r"^# TYPE (\S+) gauge$", text, re.MULTILINE))
    samples = dict(line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))
    return {name: value for name, value in samples.items() if name.split("{")[0] in families and not name.startswith(OF_THE_MOMENT)}


def _without_spend(gauges: Mapping[str, str]) -> dict[str, str]:
    """What a check under way moves only now and then, when it is read anew."""
    return {name: value for name, value in gauges.items() if not name.startswith("model_drift_budget_spent")}
