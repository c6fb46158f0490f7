from __future__ import annotations

import random
import subprocess
import sys

import pytest

from exporter.records import Reason, RunState, SpendPeriod
from exporter.store import Store
from tests.store.conftest import AnyBackend, PostgresBackend, SqliteBackend
from tests.store.facts import NOW
from tests.store.victim import WORKERS

ROUNDS = {"sqlite": 10, "postgresql": 4}
FIRST_DUE_AT = 1_000_000.0


def kill_after(url: str, due_at: float, lines: int) -> list[list[str]]:
    """Let the victim work until it has said `lines` things, kill it, and return all that it said."""
    command = [sys.executable, "-m", "tests.store.victim", url, str(due_at)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as victim:
        assert victim.stdout is not None
        said = [victim.stdout.readline() for _ in range(lines)]
        victim.kill()
        said += victim.stdout.readlines()
    assert victim.returncode == -9
    return [line.split() for line in said if line.endswith("\n")]


@pytest.fixture(params=list(ROUNDS))
def backend(request: pytest.FixtureRequest) -> AnyBackend:
    backend: AnyBackend = request.getfixturevalue({"sqlite": "sqlite_backend", "postgresql": "postgres_backend"}[request.param])
    return backend


def wait_for_the_dead(backend: AnyBackend) -> None:
    """A server may still be at the last thing that a killed program asked of it."""
    if isinstance(backend, PostgresBackend):
        others = "SELECT count(*) FROM pg_stat_activity WHERE datname = 'history' AND pid <> pg_backend_pid()"
        with backend.server.connect("history") as connection:
            while connection.execute(others).fetchone() != (0,):
                continue


def test_a_kill_at_any_moment_loses_nothing_that_was_said_to_be_done(backend: AnyBackend) -> None:
    moments = random.Random(20_270_115)  # noqa: S311 - where to kill is no secret
    settled_in_all = orphans_in_all = 0
    for number in range(ROUNDS["sqlite" if isinstance(backend, SqliteBackend) else "postgresql"]):
        said = kill_after(backend.url, FIRST_DUE_AT * (number + 1), moments.randint(1, 60))
        wait_for_the_dead(backend)
        store = backend.open()
        assert store.verify() == ()
        reserved = {int(words[1]) for words in said if words[0] == "reserved"}
        settled = {words[2] for words in said if words[0] == "settled"}
        closed = {int(words[1]) for words in said if words[0] == "closed"}
        run = store.open_checks("bot")[-1].runs[0]
        graded = {grade.question_key.removeprefix("key-") for grade in run.grades}
        assert graded >= settled
        assert len(graded) <= len(settled) + WORKERS
        day = store.spend("bot", NOW)[SpendPeriod.DAY]
        requests = day.requests - settled_in_all - orphans_in_all
        assert len(reserved) <= requests <= len(reserved) + WORKERS
        assert {check.id for check in store.history("cat")} >= closed
        orphans = store.book_orphans(NOW)
        assert orphans == requests - len(graded)
        settled_in_all += len(graded)
        orphans_in_all += orphans
        require_books(store, settled_in_all, orphans_in_all)
        end(store)
        store.close()


def require_books(store: Store, settled: int, orphans: int) -> None:
    """0.4 cents for each settled request, 1 cent for each orphan, once."""
    counters = store.counters("bot")
    assert counters.requests == settled + orphans
    assert round(counters.spend_usd * 1000) == 4 * settled + 10 * orphans
    assert round(counters.spend_estimated_usd * 1000) == 10 * orphans
    assert store.book_orphans(NOW) == 0
    assert store.verify() == ()


def end(store: Store) -> None:
    """What a restart does with a run whose deadline is past."""
    for check in store.open_checks():
        for run in check.runs:
            store.close_run(run.id, RunState.FAILED, Reason.INTERRUPTED, "", NOW)
    assert all(run.state is not RunState.OPEN for check in store.open_checks() for run in check.runs)
