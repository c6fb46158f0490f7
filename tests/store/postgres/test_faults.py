"""What is said when a server is not there, does not let in, or cannot do what was asked: always in words, never with a password."""

from __future__ import annotations

import signal
import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest

from exporter.errors import (
    ConfigError,
    Problem,
    StoreCorruptError,
    StoreError,
    StoreFullError,
    StoreLockedError,
    StoreMissingError,
    StoreReadOnlyError,
    StoreUnreachableError,
    StoreVersionError,
)
from exporter.records import CheckKind
from exporter.store import Store, open_store
from exporter.store.database import BatchError
from exporter.store.faults import DeadlockError, explain_postgres
from tests.postgres import GUARDED_USER, PASSWORD, PostgresServer
from tests.store.conftest import PostgresBackend
from tests.store.facts import NOW, a_grade, do_check, reserve, settle, start_run

WHERE = "storage postgresql://u@h/d"
NO_ENTRY = "does not let this user in; check the user, its password in storage_password_file, and the server's pg_hba.conf"
STATES: list[tuple[str, type[StoreError], str]] = [
    ("25006", StoreReadOnlyError, "cannot be written, the server is read-only; name the primary server, or promote this standby"),
    ("42501", StoreReadOnlyError, "cannot be written, this user may not; let this user create and change tables in this database"),
    ("53100", StoreFullError, "has no room left to write; free some disk space; nothing was half written"),
    ("53300", StoreUnreachableError, "has no connection left; raise max_connections of the server, or run fewer replicas"),
    ("55P03", StoreLockedError, "is locked by another program; stop that program, or try again when it is done"),
    ("40P01", DeadlockError, "is locked by another program; stop that program, or try again when it is done"),
    ("57014", StoreUnreachableError, "did not answer in time; look at the load of the server"),
    ("57P01", StoreUnreachableError, "has cut the connection; look at the server's log; the connection is made again by itself"),
    ("57P03", StoreUnreachableError, "is not ready, the server starts or stops; wait, it is tried again"),
    ("28P01", StoreError, NO_ENTRY),
    ("3D000", StoreError, "there is no such database; create it, or name another one"),
    ("08006", StoreUnreachableError, "has cut the connection; look at the server's log; the connection is made again by itself"),
    ("XX001", StoreCorruptError, "is damaged; look at the server's log, and restore it from a backup"),
    ("42P01", StoreError, "its tables were removed while the program runs; restore them from a backup, or start the program again"),
]


@pytest.mark.parametrize(("state", "kind", "message"), STATES)
def test_each_state_has_its_words(state: str, kind: type[StoreError], message: str) -> None:
    error = psycopg.errors.lookup(state)("words of the driver")
    told = explain_postgres(WHERE, error)
    assert (type(told), str(told)) == (kind, f"{WHERE}: {message}")


def opening(url: str, password: str | None = None) -> str:
    with pytest.raises(StoreError) as refused:
        open_store(url, read_password=lambda: password).close()
    return str(refused.value)


def test_a_server_that_is_not_there_is_told_with_its_reason(postgres: PostgresServer) -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))  # bound, and nobody listens
        url = f"postgresql://drift@127.0.0.1:{silent.getsockname()[1]}/history"
        with pytest.raises(StoreUnreachableError) as refused:
            open_store(url)
    assert str(refused.value) == f"storage {url}: cannot be reached: Connection refused; check host, port and TLS, and that the server runs"


def test_whoever_is_not_let_in_is_told_so(postgres: PostgresServer, migrated_database: str) -> None:
    guarded = postgres.url("history", GUARDED_USER)
    assert opening(guarded) == f"storage {guarded}: {NO_ENTRY}"
    wrong = opening(guarded, "a-wrong-secret")
    assert wrong == f"storage {guarded}: {NO_ENTRY}"
    assert opening(postgres.url("history", "nobody")) == f"storage {postgres.url('history', 'nobody')}: {NO_ENTRY}"
    missing = postgres.url("nowhere")
    assert opening(missing) == f"storage {missing}: there is no such database; create it, or name another one"


def test_the_password_is_never_taken_from_the_environment(
    postgres: PostgresServer, migrated_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PGPASSWORD", PASSWORD)
    guarded = postgres.url("history", GUARDED_USER)
    assert opening(guarded) == f"storage {guarded}: {NO_ENTRY}"


def test_a_password_that_was_changed_is_used_from_the_next_connection_on(postgres: PostgresServer) -> None:
    postgres.make_database("guarded_history")
    with postgres.connect("guarded_history") as admin:
        admin.execute(f"ALTER DATABASE guarded_history OWNER TO {GUARDED_USER}")
        admin.execute(f"ALTER SCHEMA public OWNER TO {GUARDED_USER}")
        asked: list[str] = []
        current = [PASSWORD]

        def read_password() -> str:
            asked.append(current[0])
            return current[0]

        store = open_store(postgres.url("guarded_history", GUARDED_USER), read_password=read_password)
        admin.execute(f"ALTER ROLE {GUARDED_USER} PASSWORD 'another'")
        admin.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = %s", (GUARDED_USER,))
        current[0] = "another"
        with pytest.raises(StoreUnreachableError, match="has cut the connection"):
            store.targets()
        assert store.targets() == []
        assert asked[-1] == "another"
        admin.execute(f"ALTER ROLE {GUARDED_USER} PASSWORD '{PASSWORD}'")
        store.close()


def test_a_password_file_that_cannot_be_read_is_a_store_error_that_is_counted(backend: PostgresBackend) -> None:
    passwords: Iterator[Callable[[], str | None]] = iter([lambda: None])

    def read_password() -> str | None:
        for read in passwords:
            return read()
        raise ConfigError(Problem("config.yml:2: storage_password_file", "no such file", "make it"))

    store = open_store(backend.url, read_password=read_password)
    store.close()
    with pytest.raises(StoreError) as refused:
        store.targets()
    assert str(refused.value) == "config.yml:2: storage_password_file: no such file; make it"
    assert store.error_counts["read"] == 1


def test_a_database_that_restarts_is_one_failed_statement(backend: PostgresBackend, postgres: PostgresServer, store: Store) -> None:
    run = start_run(store)
    reservation = reserve(store, run)
    for how in (signal.SIGINT, signal.SIGQUIT):
        postgres.stop(how)
        try:
            with pytest.raises(StoreUnreachableError):
                settle(store, reservation, grade=a_grade())
        finally:
            postgres.start()
    assert settle(store, reservation, grade=a_grade())
    assert store.targets() == ["bot"]
    assert store.verify() == ()


def test_a_batch_whose_connection_is_cut_keeps_nothing_and_says_so(store: Store, postgres: PostgresServer) -> None:
    def write_while_it_is_cut() -> None:
        with store.batch():
            start_run(store)
            with postgres.connect() as admin:
                admin.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'history' AND state <> 'idle'")
            start_run(store, "cat")

    with pytest.raises(BatchError):
        write_while_it_is_cut()
    assert store.targets() == []


def test_a_transaction_that_failed_in_the_middle_is_never_told_as_kept(store: Store) -> None:
    """COMMIT of it is no error on this server: it would be a loss without a word."""

    def fail_unseen() -> None:
        with store.batch():
            store.claim_check("bot", CheckKind.MANUAL, NOW, NOW)
            connection = store._database._shared
            assert connection is not None
            with pytest.raises(Exception, match="nowhere"):
                connection.exec_driver_sql("SELECT 1 FROM nowhere")

    with pytest.raises(BatchError):
        fail_unseen()
    assert store.targets() == []


def test_a_row_that_another_program_holds_is_waited_for_and_then_told(backend: PostgresBackend, store: Store) -> None:
    run = start_run(store)
    hurried = backend.open(busy_timeout_seconds=0.05)
    with backend.server.connect("history") as admin, admin.transaction():
        admin.execute("SELECT * FROM checks FOR UPDATE")
        with pytest.raises(StoreLockedError, match="is locked by another program"):
            hurried.set_confirming(run.check_id, NOW + 60)
    hurried.set_confirming(run.check_id, NOW + 60)
    hurried.close()


def test_a_read_only_server_is_read_and_not_written(backend: PostgresBackend, store: Store) -> None:
    do_check(store)
    with backend.server.connect("history") as admin:
        admin.execute("ALTER DATABASE history SET default_transaction_read_only = on")
        try:
            with pytest.raises(StoreReadOnlyError, match="cannot be written, the server is read-only; name the primary server"):
                backend.open()
            reader = open_store(backend.url, read_only=True)
            assert reader.targets() == ["bot"]
            reader.close()
        finally:
            admin.execute("ALTER DATABASE history RESET default_transaction_read_only")


def test_a_server_that_takes_no_more_writes_and_cuts_nobody_off_is_left(store: Store) -> None:
    """Where another one has become the primary, a new connection leads there."""
    with store._database.engine.begin() as connection:
        connection.exec_driver_sql("SET default_transaction_read_only = on")
    with pytest.raises(StoreReadOnlyError, match="the server is read-only"):
        store.claim_check("bot", CheckKind.MANUAL, NOW, NOW)
    assert store.claim_check("bot", CheckKind.MANUAL, NOW, NOW) is not None


def test_a_reader_writes_nothing(backend: PostgresBackend) -> None:
    reader = open_store(backend.url, read_only=True)
    with pytest.raises(StoreReadOnlyError, match="cannot be written"):
        reader.claim_check("bot", CheckKind.MANUAL, NOW, NOW)
    assert reader.targets() == []
    reader.close()


def test_a_database_that_is_not_ours_or_of_another_version_is_left_as_it_is(postgres: PostgresServer) -> None:
    url = postgres.make_database("elsewhere")
    with pytest.raises(StoreMissingError, match="there is nothing in the database yet; run serve or check first, they fill it"):
        open_store(url, read_only=True)
    with postgres.connect("elsewhere") as admin:
        admin.execute("CREATE TABLE alembic_version (version_num TEXT)")
    with pytest.raises(StoreCorruptError, match="is the database of another program; name another"):
        open_store(url)
    with postgres.connect("elsewhere") as admin:
        admin.execute("DROP TABLE alembic_version")
        open_store(url).close()
        admin.execute("UPDATE model_drift_schema SET version_num = '0999'")
    with pytest.raises(StoreVersionError, match=r"was written by a newer version of this program \(schema 0999\)"):
        open_store(url)


PARAMETERS = (
    "has a parameter that is not supported; "
    "use only connect_timeout, host, sslcert, sslcrl, sslkey, sslmode, sslrootcert, target_session_attrs"
)
NO_URL = "is not the URL of a PostgreSQL database; write postgresql+psycopg://user@host:5432/database"
URLS = [
    (
        "postgresql://u:hunter2@h/d",
        "holds a password, which this file must not; write it into a file, and name that as storage_password_file",
    ),
    ("postgresql://u@h", NO_URL),
    ("postgresql+psycopg2://u@h/d", NO_URL),
    ("postgresql://u@h/d?password=hunter2", PARAMETERS),
    (
        "postgresql://u:hunter2@one:5432,two:5432/d",
        "holds a password, which this file must not; write it into a file, and name that as storage_password_file",
    ),
    ("mysql://u:hunter2@h:x/d", "is not a database URL; write sqlite:///data/history.db"),
]


@pytest.mark.parametrize(("url", "message"), URLS)
def test_a_url_that_cannot_be_used_is_refused_without_its_password(url: str, message: str) -> None:
    assert opening(url) == f"storage: {message}"


def test_several_hosts_are_tried_for_the_one_that_writes(backend: PostgresBackend, tmp_path: Path) -> None:
    port = backend.server.port
    url = f"postgresql://postgres@/history?host=127.0.0.1:1&host=127.0.0.1:{port}&target_session_attrs=read-write"
    store = open_store(url)
    assert store.targets() == []
    store.close()
