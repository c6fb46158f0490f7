"""Several `serve` programs with one PostgreSQL: their config, and what all of them have to show alike."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path

from tests.acceptance.programs import Daemon, wait_until

LEASE_SECONDS = 3.0
PROGRAM = (sys.executable, "-m", "tests.acceptance.replica", str(LEASE_SECONDS))

OWN = ("request_duration", "log_messages", "store_errors", "snapshot_timestamp", "last_reload", "python_", "process_", "build_info")
"""What belongs to a process, and not to all of them."""

_RELOADED = "config reloaded"
SUITE = "three.yml"
_SUITE = "suite: three\nquestions:\n" + "".join(
    f'  - {{id: question-{number}, area: one, prompt: "Which number does question {number} bear?", extract: full,'
    f" grader: {{kind: exact, answers: ['{number}']}}, reference: '{number}', max_tokens: 64}}\n"
    for number in range(1, 4)
)

_CONFIG = """\
storage: {storage}
schedule: {{cron: "{cron}", spread: 0s}}
concurrency: 16
decision: {{baseline_runs: 3, baseline_min_gap: 0s, confirm_after: 1s, recheck_after: 0s, retry_failed_check: {{times: 0}}}}
budget: {{usd_per_check: null, tokens_per_check: null, usd_per_day: null, usd_per_month: null, total: {{usd_per_day: {total}}}}}
targets:
"""
_TARGET = """\
- name: {name}
  api: openai_chat
  model: {model}
  base_url: {base_url}
  suites: [{suite}]
  price: {{input_usd_per_mtok: 1, output_usd_per_mtok: 2}}
  concurrency: {concurrency}
"""


def write_suite(folder: Path) -> None:
    """Three questions, the mock's own."""
    (folder / SUITE).write_text(_SUITE)


def write_config(
    folder: Path,
    storage: str,
    base_url: str,
    models: dict[str, str],
    *,
    cron: str,
    concurrency: int = 2,
    total: str = "null",
    name: str = "config",
) -> Path:
    """A config of these targets (target to model)."""
    targets = (
        _TARGET.format(name=target, model=model, base_url=base_url, suite=SUITE, concurrency=concurrency)
        for target, model in models.items()
    )
    config_file = folder / f"{name}.yml"
    config_file.write_text(_CONFIG.format(storage=storage, cron=cron, total=total) + "".join(targets))
    return config_file


def start(config_file: Path, *flags: str) -> Daemon:
    """A replica."""
    return Daemon(config_file, *flags, program=PROGRAM)


def reload(replicas: Sequence[Daemon]) -> None:
    """Have them read their config again, and return once all have."""
    before = [replica.said().count(_RELOADED) for replica in replicas]
    for replica in replicas:
        replica.tell(signal.SIGHUP)
    for replica, count in zip(replicas, before, strict=True):
        wait_until(partial(_has_reloaded, replica, count), 180, "the config is reloaded")
        assert replica.is_running, replica.said()


def _has_reloaded(replica: Daemon, before: int) -> bool:
    return replica.said().count(_RELOADED) > before or not replica.is_running


def shared(replica: Daemon) -> dict[str, str]:
    """What it shows that every replica has to show alike."""
    return {series: value for series, value in replica.series().items() if not any(word in series for word in OWN)}


def errors(logs: Iterable[Path]) -> list[str]:
    """Lines that tell of an error."""
    said = "".join(log.read_text() for log in logs)
    return [line for line in said.splitlines() if "level=error" in line or "Traceback" in line]
