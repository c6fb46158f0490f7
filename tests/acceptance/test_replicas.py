"""Four replicas, 200 targets due together, kill -9 of two of them at random moments, ten times over: nothing is asked, paid or said twice.

With MODEL_DRIFT_REQUIRE_TOOLS=1 (CI) ten rounds, else two.
"""

from __future__ import annotations

import os
import random
import signal
from contextlib import ExitStack
from pathlib import Path

import pytest

from exporter.demo.behaviour import Behaviour
from exporter.store import open_store
from tests.acceptance import fleet
from tests.acceptance.books import Books, read_books, require_agreement, require_one_verdict_a_check, require_progress
from tests.acceptance.pretended import pretending
from tests.acceptance.programs import Daemon, pause, wait_until
from tests.postgres import PostgresServer
from tests.tools import REQUIRE_TOOLS

ROUNDS = 10 if os.environ.get(REQUIRE_TOOLS) == "1" else 2
REPLICAS, CONCURRENCY = 4, 2
TARGETS = {f"target-{number:03}": f"model-{number:03}" for number in range(200)}
TOGETHER, HOLIDAY = "*/10 * * * * *", "0 0 1 1 *"


@pytest.fixture
def storage(postgres: PostgresServer) -> str:
    url = postgres.make_database("replicas")
    open_store(url).close()
    return url


def test_replicas_that_are_killed_again_and_again_keep_one_set_of_books(tmp_path: Path, storage: str) -> None:
    chance = random.Random(9)  # noqa: S311 - moments, not secrets
    fleet.write_suite(tmp_path)
    models = {model: Behaviour(latency_seconds=0.05) for model in TARGETS.values()}
    with pretending(tmp_path, models, suite=fleet.SUITE) as pretended, ExitStack() as stack:

        def start() -> Daemon:
            return stack.enter_context(fleet.start(config_file))

        config_file = fleet.write_config(tmp_path, storage, pretended.base_url, TARGETS, cron=TOGETHER)
        running = [start() for _ in range(REPLICAS)]
        for replica in running:
            replica.wait_until_ready()
        kept = read_books(storage)
        for _ in range(ROUNDS):
            pause(4 * chance.random())
            for number in chance.sample(range(REPLICAS), 2):
                assert running[number].kill(), running[number].said()
                running[number] = start()
                pause(chance.random())
            kept = require_progress(kept, read_books(storage), TARGETS, CONCURRENCY)
            for replica in running:
                replica.wait_until_ready()
        config_file = fleet.write_config(tmp_path, storage, pretended.base_url, TARGETS, cron=HOLIDAY)
        fleet.reload(running)
        wait_until(lambda: read_books(storage).is_at_rest, 180, "what was left open is finished", pause_seconds=0.5)
        wait_until(lambda: _count_replicas(running) == {"4.0"}, 60, "those that were killed count as gone")
        wait_until(lambda: len({frozenset(fleet.shared(replica).items()) for replica in running}) == 1, 60, "all show the same")
        for replica in running:
            replica.tell(signal.SIGTERM)
        assert [replica.wait() for replica in running] == [0] * REPLICAS
        require_progress(kept, read_books(storage), TARGETS, CONCURRENCY)
        require_one_verdict_a_check(storage)
        require_agreement(storage, pretended, TARGETS, never_sent=2 * ROUNDS * CONCURRENCY)
        _require_shared_work(read_books(storage))
    assert fleet.errors(tmp_path.glob("*.log")) == []


def _count_replicas(running: list[Daemon]) -> set[str]:
    return {fleet.shared(replica)["model_drift_replicas"] for replica in running}


def _require_shared_work(books: Books) -> None:
    """Every due time has one check, and every target was checked."""
    due = [(check["target"], check["due_at"]) for check in books.checks]
    assert len(due) == len(set(due))
    assert {target for target, _ in due} == TARGETS.keys()
