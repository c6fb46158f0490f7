from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import insert

from exporter.errors import StoreError, StoreLockedError, StoreUnreachableError
from exporter.records import CheckKind
from exporter.store import Copied, Store, copy_history, open_store
from exporter.store.database import connect
from exporter.store.tables import errors
from tests.postgres import GUARDED_USER, PASSWORD, PostgresServer
from tests.store.conftest import PostgresBackend, SqliteBackend, empty
from tests.store.facts import DAY_SECONDS, NOW, do_check, reserve, start_run
from tests.store.hostile import be_hostile
from tests.store.test_transfer import kill_while


def hashes(copied: Copied) -> list[tuple[str, int, str]]:
    return [(table.name, table.target.rows, table.target.sha256) for table in copied.tables]


def test_a_history_goes_to_a_server_and_back_and_is_the_same(sqlite_backend: SqliteBackend, backend: PostgresBackend) -> None:
    be_hostile(sqlite_backend.url)
    there = copy_history(sqlite_backend.url, backend.url)
    back = f"sqlite:///{sqlite_backend.path.parent}/back.db"
    returned = copy_history(backend.url, back)
    assert (there.different, returned.different) == ((), ())
    assert {table.name for table in there.tables if not table.source.rows} == {"request_sums", "spend_days"}
    assert hashes(there) == hashes(returned)
    with closing(sqlite3.connect(sqlite_backend.path)) as first, closing(sqlite3.connect(back.removeprefix("sqlite:///"))) as last:
        first.executescript("DELETE FROM replicas; DELETE FROM configs")
        assert list(last.iterdump()) == list(first.iterdump())


def test_a_server_takes_the_history_of_another_one(
    backend: PostgresBackend, postgres: PostgresServer, sqlite_backend: SqliteBackend
) -> None:
    be_hostile(backend.url)
    copied = copy_history(backend.url, postgres.make_database("other"))
    in_file = copy_history(backend.url, sqlite_backend.url)
    assert (copied.different, in_file.different) == ((), ())
    assert hashes(copied) == hashes(in_file)


def test_a_server_that_sorts_as_a_language_does_is_read_in_the_same_order(
    sqlite_backend: SqliteBackend, postgres: PostgresServer, tmp_path: Path
) -> None:
    with postgres.connect() as connection:
        connection.execute("CREATE DATABASE sorted TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'de'")
    with postgres.connect("sorted") as connection:
        assert connection.execute("SELECT 'a' < 'B'").fetchone() == (True,)
    be_hostile(sqlite_backend.url)
    assert copy_history(sqlite_backend.url, postgres.url("sorted")).different == ()
    assert copy_history(postgres.url("sorted"), f"sqlite:///{tmp_path}/back.db").different == ()


WRITABLE = st.text(st.characters(codec="utf-8", exclude_characters="\0"))


@settings(max_examples=10, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.integers(1, 2**63 - 1), WRITABLE, WRITABLE, st.floats(allow_nan=False)), unique_by=lambda row: row[0]))
def test_any_text_and_any_number_come_back(
    backend: PostgresBackend, fresh_file: Path, tmp_path: Path, rows: list[tuple[int, str, str, float]]
) -> None:
    source, back = tmp_path / "source.db", tmp_path / "back.db"
    source.write_bytes(fresh_file.read_bytes())
    back.write_bytes(fresh_file.read_bytes())
    empty(backend.server)
    database = connect(f"sqlite:///{source}", read_only=False, busy_timeout_seconds=5.0)
    with database.write("event") as connection:
        for key, target, message, moment in rows:
            row = {"id": key, "target": target, "happened_at": moment, "reason": "", "message": message, "question_id": None}
            connection.execute(insert(errors), [row])
    database.engine.dispose()
    there = copy_history(f"sqlite:///{source}", backend.url)
    assert (there.rows, hashes(there)) == (len(rows), hashes(copy_history(backend.url, f"sqlite:///{back}")))
    back.unlink()


def test_what_comes_after_the_copy_has_numbers_of_its_own(store: Store, backend: PostgresBackend, sqlite_backend: SqliteBackend) -> None:
    store.claim_check("early", CheckKind.MANUAL, NOW, NOW)
    empty(backend.server)
    with closing(sqlite_backend.open()) as source:
        for day in range(3):
            do_check(source, due_at=NOW + day * DAY_SECONDS)
    copy_history(sqlite_backend.url, backend.url)
    do_check(store, due_at=NOW + 3 * DAY_SECONDS)
    assert [check.id for check in store.checks("bot", 2)] == [4, 3]
    assert store.verify() == ()


def test_an_empty_history_leaves_numbers_that_begin_at_1(store: Store, backend: PostgresBackend, sqlite_backend: SqliteBackend) -> None:
    assert copy_history(sqlite_backend.url, backend.url).rows == 0
    check = store.claim_check("bot", CheckKind.MANUAL, NOW, NOW)
    assert check is not None
    assert check.id == 1


def test_a_check_under_way_is_copied_and_taken_up_in_the_copy(
    store: Store, backend: PostgresBackend, sqlite_backend: SqliteBackend
) -> None:
    with closing(sqlite_backend.open()) as source:
        reserve(source, start_run(source))
    copy_history(sqlite_backend.url, backend.url)
    (check,) = store.open_checks("bot")
    assert store.book_orphans(NOW) == 1
    assert check.runs[0].grades == ()


def test_a_database_without_tables_is_given_them(sqlite_backend: SqliteBackend, postgres: PostgresServer) -> None:
    with closing(sqlite_backend.open()) as source:
        do_check(source)
    url = postgres.make_database("blank")
    assert copy_history(sqlite_backend.url, url).rows == 16
    with closing(open_store(url, read_only=True)) as moved:
        assert moved.verify() == ()


def test_a_server_with_a_history_is_refused(store: Store, backend: PostgresBackend, sqlite_backend: SqliteBackend) -> None:
    do_check(store)
    with pytest.raises(StoreError, match="has a history already, and nothing is merged or replaced"):
        copy_history(sqlite_backend.url, backend.url)


def test_a_target_under_check_on_a_server_is_named(store: Store, backend: PostgresBackend, sqlite_backend: SqliteBackend) -> None:
    do_check(store)
    with store.turn("bot"), pytest.raises(StoreLockedError, match="a target is being checked at this moment: bot;"):
        copy_history(backend.url, sqlite_backend.url)
    assert copy_history(backend.url, sqlite_backend.url).different == ()


def test_nobody_writes_on_the_server_before_it_is_whole(backend: PostgresBackend, sqlite_backend: SqliteBackend) -> None:
    with closing(sqlite_backend.open()) as source:
        do_check(source)
    seen = []

    def intrude(what: str, done: int, total: int) -> None:
        if done < total:
            return
        with closing(backend.open(busy_timeout_seconds=0.01)) as early:
            seen.append(early.targets())
            with pytest.raises(StoreLockedError):
                early.claim_check("cat", CheckKind.SCHEDULED, NOW, NOW)

    assert copy_history(sqlite_backend.url, backend.url, progress=intrude).different == ()
    assert seen != []
    assert all(targets == [] for targets in seen)


@pytest.mark.parametrize("moment", ["copied", "compared"])
def test_a_server_is_empty_after_a_kill_and_takes_the_next_attempt(
    store: Store, backend: PostgresBackend, sqlite_backend: SqliteBackend, moment: str
) -> None:
    with closing(sqlite_backend.open()) as source:
        do_check(source)
    kill_while(moment, sqlite_backend.url, backend.url)
    assert store.targets() == []
    assert copy_history(sqlite_backend.url, backend.url).rows == 16


def test_a_server_that_goes_away_in_the_middle_is_named(sqlite_backend: SqliteBackend, postgres: PostgresServer) -> None:
    with closing(sqlite_backend.open()) as source:
        do_check(source)
    url = postgres.make_database("leaving")

    def cut(what: str, done: int, total: int) -> None:
        with postgres.connect() as connection:
            connection.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'leaving'")

    with pytest.raises(StoreUnreachableError, match=rf"^storage {re.escape(url)}: cannot be reached"):
        copy_history(sqlite_backend.url, url, progress=cut)
    assert copy_history(sqlite_backend.url, url).rows == 16


def test_a_value_that_the_server_changes_is_found_and_nothing_is_kept(
    store: Store, backend: PostgresBackend, sqlite_backend: SqliteBackend
) -> None:
    with closing(sqlite_backend.open()) as source:
        do_check(source)
    change = (
        "CREATE FUNCTION change() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN new.latency_seconds := 1.2500000000000002; RETURN new; END'"
    )
    with backend.server.connect("history") as connection:
        connection.execute(change)
        connection.execute("CREATE TRIGGER change BEFORE INSERT ON grades FOR EACH ROW EXECUTE FUNCTION change()")
        try:
            copied = copy_history(sqlite_backend.url, backend.url)
        finally:
            connection.execute("DROP FUNCTION change CASCADE")
    assert [table.name for table in copied.different] == ["grades"]
    assert store.targets() == []


def test_a_text_that_postgresql_cannot_hold_is_named(backend: PostgresBackend, sqlite_backend: SqliteBackend) -> None:
    with closing(sqlite_backend.open()) as source:
        do_check(source)
    with closing(sqlite3.connect(sqlite_backend.path)) as tampering, tampering:
        tampering.execute("UPDATE grades SET answer_hash = 'a' || char(0) WHERE question_id = 'q2'")
    with pytest.raises(StoreError) as refused:
        copy_history(sqlite_backend.url, backend.url)
    what = "answer_hash of a row of grades holds a NUL character, which PostgreSQL cannot"
    assert str(refused.value) == f"storage {sqlite_backend.url}: {what}; write another character in its place; nothing was copied"


def test_passwords_are_read_for_either_side(sqlite_backend: SqliteBackend, postgres: PostgresServer) -> None:
    with closing(sqlite_backend.open()) as source:
        do_check(source)
    postgres.make_database("guarded")
    with postgres.connect() as connection:
        connection.execute(f"ALTER DATABASE guarded OWNER TO {GUARDED_USER}")
    url = postgres.url("guarded", GUARDED_USER)
    with pytest.raises(StoreError, match="does not let this user in"):
        copy_history(sqlite_backend.url, url)
    assert copy_history(sqlite_backend.url, url, read_target_password=lambda: PASSWORD).rows == 16
    back = f"sqlite:///{sqlite_backend.path.parent}/back.db"
    assert copy_history(url, back, read_source_password=lambda: PASSWORD).rows == 16
