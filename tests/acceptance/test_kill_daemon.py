"""kill -9 of the daemon, at random moments of its days. With MODEL_DRIFT_REQUIRE_TOOLS=1 (CI) 50 times, else 5: each takes a start."""

from __future__ import annotations

import os
import random
import signal
from pathlib import Path

from exporter.demo.behaviour import Behaviour
from tests.acceptance.books import Books, read_books, require_agreement, require_one_verdict_a_check, require_progress
from tests.acceptance.pretended import Pretended, pretending
from tests.acceptance.programs import Daemon, pause, wait_until
from tests.tools import REQUIRE_TOOLS

KILLS = 50 if os.environ.get(REQUIRE_TOOLS) == "1" else 5
CONCURRENCY = 3
TARGETS = {f"target-{number}": f"model-{number}" for number in range(10)}
LOST = [f"question-{number}" for number in range(1, 5)]
DAY, HOLIDAY = "*/6 * * * * *", "0 0 1 1 *"

CONFIG = """\
storage: sqlite:///{folder}/history.db
schedule: {{cron: "{cron}", spread: 3s}}
decision:
  {{baseline_runs: 3, baseline_min_gap: 0s, confirm_after: 2s, recheck_after: {extra}s, retry_failed_check: {{after: 1s, times: {extra}}}}}
budget: {{usd_per_check: null, tokens_per_check: null, usd_per_day: null, usd_per_month: null}}
targets:
"""

TARGET = """\
- name: {name}
  api: {api}
  model: {model}
  base_url: {base_url}
  suites: [questions.yml]
  price: {{input_usd_per_mtok: 1, output_usd_per_mtok: 2}}
  concurrency: 3
"""


def test_a_daemon_that_is_killed_again_and_again_keeps_its_books(tmp_path: Path) -> None:
    chance = random.Random(50)  # noqa: S311 - moments, not secrets
    store = tmp_path / "history.db"
    models = {model: Behaviour(latency_seconds=0.05) for model in TARGETS.values()}
    with pretending(tmp_path, models) as pretended:
        with Daemon(_write(tmp_path, pretended, DAY)) as daemon:
            daemon.wait_until_ready()
            wait_until(lambda: _judged(read_books(store)) == TARGETS.keys(), 120, "every baseline is ready")
            daemon.kill()
        _make_life_hard(pretended)
        kept = read_books(store)
        for _ in range(KILLS):
            _kill_somewhere(tmp_path / "config.yml", chance)
            kept = require_progress(kept, read_books(store), TARGETS, CONCURRENCY)
        with Daemon(_write(tmp_path, pretended, HOLIDAY)) as daemon:
            daemon.wait_until_ready()
            wait_until(lambda: read_books(store).is_at_rest, 120, "what was left open is finished")
            daemon.tell(signal.SIGTERM)
            assert daemon.wait() == 0
        require_progress(kept, read_books(store), TARGETS, CONCURRENCY)
        require_one_verdict_a_check(store)
        require_agreement(store, pretended, TARGETS, never_sent=(KILLS + 1) * CONCURRENCY)
    said = "".join(log.read_text() for log in tmp_path.glob("*.log"))
    assert [line for line in said.splitlines() if "level=error" in line or "Traceback" in line] == []


def _write(folder: Path, pretended: Pretended, cron: str) -> Path:
    targets = (
        TARGET.format(name=name, api=("openai_chat", "anthropic")[number % 2], model=model, base_url=pretended.base_url)
        for number, (name, model) in enumerate(TARGETS.items())
    )
    config_file = folder / "config.yml"
    config_file.write_text(CONFIG.format(folder=folder, cron=cron, extra=int(cron == DAY)) + "".join(targets))
    return config_file


def _make_life_hard(pretended: Pretended) -> None:
    """Losses ask for second runs and extra checks, faults for retries, and failed checks are tried again."""
    for number in range(4):
        pretended.behave(f"model-{number}", lost=LOST)
    pretended.behave("model-4", faults={"server_error": 0.1, "reset": 0.1})
    pretended.behave("model-5", faults={"auth": 1})
    pretended.behave("model-6", profile="mixed")


def _kill_somewhere(config_file: Path, chance: random.Random) -> None:
    """Kill a daemon in its work, or (one of five) as soon as it answers."""
    early, share = chance.random() < 0.2, chance.random()
    with Daemon(config_file) as daemon:
        if early:
            wait_until(lambda: daemon.status("/-/healthy") == 200 or not daemon.is_running, 60, "it answers", pause_seconds=0.005)
        else:
            daemon.wait_until_ready()
            pause(4 * share)
        assert daemon.kill(), daemon.said()


def _judged(books: Books) -> set[str]:
    """Targets with a ready baseline."""
    return {verdict["target"] for verdict in books.verdicts if verdict["kind"] != "collecting"}
