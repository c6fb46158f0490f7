"""A primary server is lost, or takes no more writes, and its standby is promoted: checks go on there, nothing is asked or said twice."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from exporter.demo.behaviour import Behaviour
from tests.acceptance import fleet
from tests.acceptance.books import Books, read_books, require_agreement, require_one_verdict_a_check
from tests.acceptance.pretended import Pretended, pretending
from tests.acceptance.programs import Daemon, wait_until
from tests.acceptance.slow_wire import SlowWire
from tests.postgres import PostgresServer, postgres_server

TARGETS = {f"target-{number}": f"model-{number}" for number in range(3)}
OFTEN, HOLIDAY = "*/2 * * * * *", "0 0 1 1 *"
SECONDS = 60.0
AWAY = "could not be read; older values are shown"


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as opened:
        yield opened


@pytest.fixture
def primary(stack: ExitStack) -> PostgresServer:
    server = stack.enter_context(postgres_server())
    server.make_database("history")
    _tell(server, "ALTER DATABASE history SET synchronous_commit = on")
    return server


@pytest.fixture
def standby(primary: PostgresServer, stack: ExitStack) -> PostgresServer:
    """Has each transaction before anybody is told that it was kept."""
    server = stack.enter_context(postgres_server(primary))
    _tell(primary, "ALTER SYSTEM SET synchronous_standby_names = '*'", "SELECT pg_reload_conf()")
    with primary.connect() as boss:
        follows = "SELECT sync_state FROM pg_stat_replication"
        wait_until(lambda: boss.execute(follows).fetchall() == [("sync",)], SECONDS, "the standby follows")
    return server


@pytest.fixture
def pretended(tmp_path: Path, stack: ExitStack) -> Pretended:
    fleet.write_suite(tmp_path)
    models = {model: Behaviour(latency_seconds=0.5) for model in TARGETS.values()}
    return stack.enter_context(pretending(tmp_path, models, suite=fleet.SUITE))


def test_a_primary_that_is_lost_is_followed_by_a_url_with_both_hosts(
    tmp_path: Path, primary: PostgresServer, standby: PostgresServer, pretended: Pretended, stack: ExitStack
) -> None:
    hosts = f"host=127.0.0.1:{primary.port}&host=127.0.0.1:{standby.port}"
    storage = f"postgresql+psycopg://postgres@/history?{hosts}&target_session_attrs=read-write"
    replica = stack.enter_context(fleet.start(_write_config(tmp_path, storage, pretended, OFTEN)))
    under_way = _wait_for_questions(replica, primary)
    shown = fleet.shared(replica)
    primary.stop(signal.SIGQUIT)
    wait_until(lambda: AWAY in replica.said(), SECONDS, "it is told")
    read_at = replica.series()["model_drift_snapshot_timestamp_seconds"]
    assert fleet.shared(replica).keys() >= shown.keys()
    assert [replica.status(path) for path in ("/-/ready", "/-/healthy", "/")] == [200] * 3
    assert replica.series()["model_drift_snapshot_timestamp_seconds"] == read_at
    _tell(standby, "SELECT pg_promote()")
    wait_until(lambda: "the store is read again" in replica.said(), SECONDS, "it is back")
    _require_all_finished(tmp_path, storage, standby, pretended, replica, under_way)
    assert replica.said().count(AWAY) == 1


def test_a_primary_that_only_takes_no_more_writes_is_left_for_where_its_address_leads_now(
    tmp_path: Path, primary: PostgresServer, standby: PostgresServer, pretended: Pretended, stack: ExitStack
) -> None:
    """It cuts nobody off: connections to it would be good for reading old values for ever."""
    wire = stack.enter_context(SlowWire(primary.port))
    storage = f"postgresql+psycopg://postgres@127.0.0.1:{wire.port}/history"
    replica = stack.enter_context(fleet.start(_write_config(tmp_path, storage, pretended, OFTEN)))
    under_way = _wait_for_questions(replica, primary)
    _tell(primary, "ALTER SYSTEM SET default_transaction_read_only = on", "SELECT pg_reload_conf()")
    wait_until(lambda: "the server is read-only" in replica.said(), SECONDS, "it is told")
    assert [replica.status(path) for path in ("/metrics", "/-/ready", "/-/healthy", "/")] == [200] * 4
    wire.to_port = standby.port
    _tell(standby, "SELECT pg_promote()")
    _require_all_finished(tmp_path, storage, standby, pretended, replica, under_way)


def _tell(server: PostgresServer, *statements: str) -> None:
    with server.connect() as boss:
        for statement in statements:
            boss.execute(statement.encode())


def _write_config(folder: Path, storage: str, pretended: Pretended, cron: str) -> Path:
    return fleet.write_config(folder, storage, pretended.base_url, TARGETS, cron=cron)


def _wait_for_questions(replica: Daemon, primary: PostgresServer) -> frozenset[int]:
    """The checks that are under way at a moment in which there is a verdict, and a request of which there is no answer yet."""
    seen: list[Books] = []

    def is_asking() -> bool:
        seen[:] = [read_books(primary.url("history"))]
        return bool(seen[0].verdicts) and any(seen[0].open_requests(target) for target in TARGETS)

    replica.wait_until_ready()
    wait_until(is_asking, SECONDS, "questions are asked", pause_seconds=0.1)
    return frozenset(check["id"] for check in seen[0].checks if check["closed_at"] is None)


def _require_all_finished(
    folder: Path, storage: str, standby: PostgresServer, pretended: Pretended, replica: Daemon, under_way: frozenset[int]
) -> None:
    """Checks that were under way are finished, others are begun, and what the new primary holds is what the provider was asked."""
    books = standby.url("history")

    def is_going_on() -> bool:
        said = read_books(books).said
        return said.keys() >= under_way and max(said) > max(under_way)

    wait_until(is_going_on, SECONDS, "checks go on", pause_seconds=0.1)
    _write_config(folder, storage, pretended, HOLIDAY)
    fleet.reload([replica])
    wait_until(lambda: read_books(books).is_at_rest, SECONDS, "all is finished", pause_seconds=0.1)
    replica.tell(signal.SIGTERM)
    assert replica.wait() == 0
    require_one_verdict_a_check(books)
    require_agreement(books, pretended, TARGETS, never_sent=2)
    assert {verdict["kind"] for verdict in read_books(books).verdicts} <= {"collecting", "baseline_ready", "stable"}
    assert "Traceback" not in replica.said()
