"""Replicas whose PostgreSQL goes away, restarts, cuts them off, is read-only or slow; and what several of them do with the last dollar."""

from __future__ import annotations

import signal
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from exporter.demo.behaviour import Behaviour
from exporter.store import open_store
from tests.acceptance import fleet
from tests.acceptance.books import Books, read_books, require_agreement, require_one_verdict_a_check
from tests.acceptance.pretended import Pretended, pretending
from tests.acceptance.programs import Daemon, wait_until
from tests.acceptance.slow_wire import SlowWire
from tests.postgres import PostgresServer, postgres_server

TARGETS = {f"target-{number}": f"model-{number}" for number in range(6)}
OFTEN, HOLIDAY = "*/2 * * * * *", "0 0 1 1 *"
SECONDS = 120.0


@pytest.fixture(scope="module")
def server() -> Iterator[PostgresServer]:
    """A server of this module's own: it is stopped and started."""
    with postgres_server() as started:
        yield started


@pytest.fixture
def storage(server: PostgresServer) -> str:
    """Each commit waits for its record: a server that crashes must not lose what it said was kept."""
    url = server.make_database("outages")
    with server.connect() as boss:
        boss.execute("ALTER DATABASE outages SET synchronous_commit = on")
    return url


@pytest.fixture
def pretended(tmp_path: Path) -> Iterator[Pretended]:
    fleet.write_suite(tmp_path)
    models = {model: Behaviour(latency_seconds=0.2) for model in TARGETS.values()}
    with pretending(tmp_path, models, suite=fleet.SUITE) as made:
        yield made


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as opened:
        yield opened


def closed(books: Books) -> int:
    return sum(check["closed_at"] is not None for check in books.checks)


def require_more_checks(storage: str, replica: Daemon, number: int) -> None:
    """Return once so many more checks have been closed."""
    before = closed(read_books(storage))
    wait_until(lambda: closed(read_books(storage)) >= before + number or not replica.is_running, SECONDS, "checks go on", pause_seconds=0.2)
    assert replica.is_running, replica.said()


def finish(folder: Path, storage: str, pretended: Pretended, replicas: list[Daemon], *, never_sent: int = 20, total: str = "null") -> None:
    """Let them end what is open, stop them, and hold the books against the provider's."""
    fleet.write_config(folder, storage, pretended.base_url, TARGETS, cron=HOLIDAY, total=total)
    fleet.reload(replicas)
    wait_until(lambda: all(check["closed_at"] for check in read_books(storage).checks), SECONDS, "all is finished", pause_seconds=0.2)
    for replica in replicas:
        replica.tell(signal.SIGTERM)
    assert [replica.wait() for replica in replicas] == [0] * len(replicas)
    require_one_verdict_a_check(storage)
    require_agreement(storage, pretended, TARGETS, never_sent=never_sent)


def test_a_database_that_crashes_and_is_away_is_waited_for(
    tmp_path: Path, server: PostgresServer, storage: str, pretended: Pretended, stack: ExitStack
) -> None:
    config_file = fleet.write_config(tmp_path, storage, pretended.base_url, TARGETS, cron=OFTEN)
    replicas = [stack.enter_context(fleet.start(config_file)) for _ in range(2)]
    for replica in replicas:
        replica.wait_until_ready()
    require_more_checks(storage, replicas[0], 6)
    shown = {replica.port: fleet.shared(replica) for replica in replicas}
    server.stop(signal.SIGQUIT)
    try:
        for replica in replicas:
            wait_until(lambda replica=replica: "could not be read; older values are shown" in replica.said(), 60, "it is told")
            read_at = replica.series()["model_drift_snapshot_timestamp_seconds"]
            assert fleet.shared(replica).keys() >= shown[replica.port].keys()
            assert (replica.status("/-/ready"), replica.status("/-/healthy"), replica.status("/")) == (200, 200, 200)
            assert replica.series()["model_drift_snapshot_timestamp_seconds"] == read_at
    finally:
        server.start()
    for replica in replicas:
        wait_until(lambda replica=replica: "the store is read again" in replica.said(), 60, "it is back")
    require_more_checks(storage, replicas[0], 6)
    finish(tmp_path, storage, pretended, replicas)
    for replica in replicas:
        assert replica.said().count("could not be read; older values are shown") == 1
        assert "Traceback" not in replica.said()


def test_connections_that_are_cut_and_a_server_that_is_read_only_for_a_while_lose_nothing(
    tmp_path: Path, server: PostgresServer, storage: str, pretended: Pretended, stack: ExitStack
) -> None:
    """A failover: everybody is cut off, and the server that answers next takes no writes yet."""
    config_file = fleet.write_config(tmp_path, storage, pretended.base_url, TARGETS, cron=OFTEN)
    replica = stack.enter_context(fleet.start(config_file))
    replica.wait_until_ready()
    require_more_checks(storage, replica, 3)
    with server.connect() as boss:
        boss.execute("ALTER DATABASE outages SET default_transaction_read_only = on")
        boss.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'outages'")
        wait_until(lambda: "read-only" in replica.said(), 60, "it is told")
        assert replica.status("/metrics") == 200
        boss.execute("ALTER DATABASE outages RESET default_transaction_read_only")
        boss.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'outages'")
    require_more_checks(storage, replica, 6)
    finish(tmp_path, storage, pretended, [replica])
    assert "Traceback" not in replica.said()


def test_a_slow_database_slows_checks_and_keeps_no_scrape_waiting(
    tmp_path: Path, server: PostgresServer, storage: str, pretended: Pretended, stack: ExitStack
) -> None:
    wire = stack.enter_context(SlowWire(server.port))
    config_file = fleet.write_config(tmp_path, storage.replace(str(server.port), str(wire.port)), pretended.base_url, TARGETS, cron=OFTEN)
    replica = stack.enter_context(fleet.start(config_file))
    replica.wait_until_ready()
    require_more_checks(storage, replica, 3)
    wire.delay_seconds = 0.5
    wait_until(lambda: wire.delayed > 10, 60, "statements are slow")
    assert [replica.status(path) for path in ("/metrics", "/-/ready", "/")] == [200] * 3
    require_more_checks(storage, replica, 1)
    wire.delay_seconds = 0.0
    require_more_checks(storage, replica, 3)
    replica.tell(signal.SIGTERM)
    assert replica.wait() == 0
    with closing(open_store(storage, read_only=True)) as store:
        assert store.verify() == ()


def test_a_program_that_starts_before_its_database_waits_for_it(tmp_path: Path, server: PostgresServer, pretended: Pretended) -> None:
    storage = server.make_database("outages")
    config_file = fleet.write_config(tmp_path, storage, pretended.base_url, TARGETS, cron=HOLIDAY)
    server.stop()
    try:
        with fleet.start(config_file) as replica:
            wait_until(lambda: "the database is waited for" in replica.said(), 60, "it is told")
            assert (replica.status("/-/healthy"), replica.status("/-/ready"), replica.status("/metrics")) == (200, 503, 200)
            server.start()
            replica.wait_until_ready()
            replica.tell(signal.SIGTERM)
            assert replica.wait() == 0
            assert replica.said().count("the database is waited for") == 1
        server.stop()
        with fleet.start(config_file) as replica:
            wait_until(lambda: "the database is waited for" in replica.said(), 60, "it is told")
            replica.tell(signal.SIGTERM)
            assert replica.wait() == 0
    finally:
        server.start()


def test_a_database_that_is_not_there_or_lets_nobody_in_ends_the_program_with_a_word(
    tmp_path: Path, server: PostgresServer, pretended: Pretended
) -> None:
    for url, word in (
        (server.url("nobodys"), "there is no such database"),
        (server.url("postgres", user="guarded"), "does not let this user in"),
    ):
        config_file = fleet.write_config(tmp_path, url, pretended.base_url, TARGETS, cron=HOLIDAY)
        with fleet.start(config_file) as replica:
            assert replica.wait() == 2
            assert word in replica.said()
            assert "Traceback" not in replica.said()


def test_of_two_replicas_that_race_for_the_last_dollar_neither_spends_it_twice(
    tmp_path: Path, storage: str, pretended: Pretended, stack: ExitStack
) -> None:
    """A request is reserved at the most it may cost; six targets want far more than the cap over all of them allows."""
    cap = 0.001
    config_file = fleet.write_config(tmp_path, storage, pretended.base_url, TARGETS, cron=OFTEN, total=str(cap))
    replicas = [stack.enter_context(fleet.start(config_file)) for _ in range(2)]
    for replica in replicas:
        replica.wait_until_ready()
    wait_until(lambda: any(verdict["kind"] == "measurement_failed" for verdict in read_books(storage).verdicts), SECONDS, "the cap is met")
    finish(tmp_path, storage, pretended, replicas, total=str(cap))
    spent = Counter[int]()
    for row in read_books(storage).requests:
        spent[row["day"]] += row["usd_nanos"]
    assert 0 < max(spent.values()) <= cap * 1e9


def test_a_program_whose_event_loop_hangs_loses_its_checks_to_another(
    tmp_path: Path, storage: str, pretended: Pretended, stack: ExitStack
) -> None:
    for model in TARGETS.values():
        pretended.behave(model, latency_seconds=600)
    config_file = fleet.write_config(tmp_path, storage, pretended.base_url, TARGETS, cron=HOLIDAY)
    hung = stack.enter_context(fleet.start(config_file))
    wait_until(lambda: pretended.count() >= len(TARGETS), SECONDS, "every target is asked")
    hung.tell(signal.SIGUSR1)
    for model in TARGETS.values():
        pretended.behave(model, latency_seconds=0.2)
    stack.enter_context(fleet.start(config_file))
    wait_until(lambda: closed(read_books(storage)) == len(TARGETS), SECONDS, "its checks are made by the other", pause_seconds=0.2)
    assert hung.is_running
    require_one_verdict_a_check(storage)


def test_a_rolling_update_loses_no_check(tmp_path: Path, storage: str, pretended: Pretended, stack: ExitStack) -> None:
    config_file = fleet.write_config(tmp_path, storage, pretended.base_url, TARGETS, cron=OFTEN)
    running = [stack.enter_context(fleet.start(config_file)) for _ in range(2)]
    for replica in running:
        replica.wait_until_ready()
    for number in range(2):
        fresh = stack.enter_context(fleet.start(config_file))
        fresh.wait_until_ready()
        running[number].tell(signal.SIGTERM)
        assert running[number].wait() == 0
        running[number] = fresh
    require_more_checks(storage, running[0], 6)
    finish(tmp_path, storage, pretended, running, never_sent=4)  # reserved when the stop came, and given back
    assert {verdict["kind"] for verdict in read_books(storage).verdicts} <= {"collecting", "baseline_ready", "stable"}
