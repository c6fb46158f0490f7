from __future__ import annotations

import hashlib
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from exporter.errors import StoreCorruptError, StoreError, StoreLockedError, StoreMissingError, StoreVersionError
from exporter.store import Copied, Store, copy_history, open_store
from exporter.store.copies import HISTORY
from exporter.store.tables import metadata
from tests.store import damage
from tests.store.conftest import SqliteBackend
from tests.store.facts import DAY_SECONDS, NOW, do_check
from tests.store.test_migrations import write_first_version

KILLED = """
import sys
from exporter.store import copy_history
def kill(what, done, total):
    if what == sys.argv[3]:
        print(what, flush=True)
        sys.stdin.read()
copy_history(sys.argv[1], sys.argv[2], progress=kill)
"""


@pytest.fixture
def other(backend: SqliteBackend) -> str:
    """Where there is no store yet."""
    return f"sqlite:///{backend.path.parent}/other/history.db"


def is_empty(url: str) -> bool:
    with closing(open_store(url)) as store:
        return store.targets() == [] and store.verify() == ()


def sizes(copied: Copied) -> dict[str, int]:
    return {table.name: table.target.rows for table in copied.tables if table.target.rows}


def test_a_history_is_copied_whole_and_goes_on_in_the_copy(store: Store, backend: SqliteBackend, other: str) -> None:
    said = do_check(store)
    copied = copy_history(backend.url, other)
    assert sizes(copied) == {
        "checks": 1, "counters": 6, "identities": 1, "runs": 1, "spend_days": 2, "verdicts": 1, "grades": 2, "requests": 2
    }  # fmt: skip
    assert (copied.source, copied.target) == (f"storage {backend.url}", f"storage {other}")
    assert (copied.rows, copied.different, copied.replicas) == (16, (), 0)
    with closing(open_store(other)) as moved:
        assert moved.last_verdict("bot") == said
        do_check(moved, due_at=NOW + DAY_SECONDS)
        assert moved.verify() == ()


def test_what_tells_who_is_at_work_is_no_history() -> None:
    assert {table.name for table in metadata.sorted_tables} - {table.name for table in HISTORY} == {"turns", "replicas", "configs"}


def test_a_hash_can_be_made_by_hand(store: Store, backend: SqliteBackend, other: str) -> None:
    do_check(store, "zoë")
    tables = {table.name: table.source for table in copy_history(backend.url, other).tables}
    rows = b'["zo\\u00eb","gpt-5.5-2027","fp_1",1800000000.0,1800000000.0],'
    assert tables["identities"].sha256 == hashlib.sha256(rows).hexdigest()


def test_a_target_with_a_history_is_refused_and_left_as_it_is(store: Store, backend: SqliteBackend, other: str) -> None:
    do_check(store)
    copy_history(backend.url, other)
    before = Path(other.removeprefix("sqlite:///")).read_bytes()
    with pytest.raises(StoreError) as refused:
        copy_history(backend.url, other)
    fix = "name a new file or an empty database"
    assert str(refused.value) == f"storage {other}: has a history already, and nothing is merged or replaced; {fix}"
    assert Path(other.removeprefix("sqlite:///")).read_bytes() == before


def test_a_target_of_an_older_version_with_a_history_is_not_migrated(store: Store, backend: SqliteBackend, tmp_path: Path) -> None:
    old = tmp_path / "old.db"
    write_first_version(f"sqlite:///{old}")
    with pytest.raises(StoreError, match="has a history already"):
        copy_history(backend.url, f"sqlite:///{old}")
    with closing(sqlite3.connect(old)) as connection:
        assert connection.execute("SELECT version_num FROM model_drift_schema").fetchall() == [("0001",)]


def test_an_empty_store_of_the_newest_version_takes_a_history(store: Store, backend: SqliteBackend, other: str) -> None:
    do_check(store)
    open_store(other).close()
    assert copy_history(backend.url, other).rows == 16


def test_a_source_of_an_older_version_is_refused_and_no_target_is_made(backend: SqliteBackend, other: str) -> None:
    backend.path.unlink()
    write_first_version(backend.url)
    with pytest.raises(StoreVersionError, match="was written by an older version of this program; run serve or check once"):
        copy_history(backend.url, other)
    assert not Path(other.removeprefix("sqlite:///")).parent.exists()


def test_a_source_that_is_not_there_is_not_made_and_nor_is_the_target(backend: SqliteBackend, other: str) -> None:
    backend.path.unlink()
    with pytest.raises(StoreMissingError, match="there is no such file"):
        copy_history(backend.url, other)
    assert os.listdir(backend.path.parent) == []


def test_a_damaged_source_is_named_and_nothing_is_kept(store: Store, backend: SqliteBackend, other: str) -> None:
    do_check(store)
    store.close()
    with closing(sqlite3.connect(backend.path)) as tampering, tampering:
        tampering.execute("UPDATE requests SET question_key = CAST(x'ff' AS TEXT) WHERE id = 2")
    with pytest.raises(StoreCorruptError, match=f"^storage {backend.url}: is damaged"):
        copy_history(backend.url, other)
    assert is_empty(other)


def test_a_store_that_is_no_store_is_refused_on_either_side(store: Store, backend: SqliteBackend, tmp_path: Path) -> None:
    do_check(store)
    strange = tmp_path / "strange.db"
    strange.touch()
    damage.be_another_programs(strange)
    for source, target in ((f"sqlite:///{strange}", backend.url), (backend.url, f"sqlite:///{strange}")):
        with pytest.raises(StoreCorruptError, match=f"^storage sqlite:///{strange}: is the database of another program"):
            copy_history(source, target)


def test_a_target_under_check_is_named_and_nothing_is_copied(store: Store, backend: SqliteBackend, other: str) -> None:
    do_check(store)
    do_check(store, "cat")
    fix = "stop that program, copy, and start it with the copy as its storage"
    with store.turn("cat"), pytest.raises(StoreLockedError) as refused:
        copy_history(backend.url, other)
    assert str(refused.value) == f"storage {backend.url}: a target is being checked at this moment: cat; {fix}"
    with store.turn("cat"), store.turn("bot"), pytest.raises(StoreLockedError, match="2 targets are being checked at this moment: bot, …;"):
        copy_history(backend.url, other)
    assert copy_history(backend.url, other).different == ()


def test_a_turn_that_a_dead_program_left_behind_stops_nobody(store: Store, backend: SqliteBackend, other: str) -> None:
    do_check(store)
    name = hashlib.sha256(b"bot").hexdigest()[:12]
    Path(f"{backend.path}-{name}.turn").touch()
    assert copy_history(backend.url, other).different == ()


def test_a_program_with_the_source_is_counted_and_what_it_writes_later_is_not_copied(
    store: Store, backend: SqliteBackend, other: str
) -> None:
    store.announce("1.0", "h", {})
    do_check(store)
    days = iter(range(1, 100))

    def write(what: str, done: int, total: int) -> None:
        do_check(store, due_at=NOW + next(days) * DAY_SECONDS)

    copied = copy_history(backend.url, other, progress=write)
    assert (copied.replicas, copied.different, sizes(copied)["checks"]) == (1, (), 1)
    assert len(store.checks("bot", 100)) > 20
    with closing(open_store(other)) as moved:
        assert (len(moved.checks("bot", 100)), moved.replicas(), moved.verify()) == (1, [], ())


def test_a_target_that_a_program_works_with_is_refused(store: Store, backend: SqliteBackend, other: str) -> None:
    do_check(store)
    with closing(open_store(other)) as waiting:
        waiting.announce("1.0", "h", {})
        with pytest.raises(StoreLockedError, match="a program works with it; stop it, and try again 35 seconds later"):
            copy_history(backend.url, other)
        waiting.leave()
        assert copy_history(backend.url, other).rows == 16


def test_nobody_writes_in_the_target_before_it_is_whole(store: Store, backend: SqliteBackend, other: str) -> None:
    do_check(store)
    refusals = []

    def intrude(what: str, done: int, total: int) -> None:
        with pytest.raises(StoreLockedError) as refused:
            open_store(other, busy_timeout_seconds=0.01)
        refusals.append(refused.value)

    assert copy_history(backend.url, other, progress=intrude).different == ()
    assert len(refusals) == 24


@pytest.mark.parametrize("moment", ["copied", "compared"])
def test_whoever_is_interrupted_leaves_an_empty_store_for_the_next_attempt(
    store: Store, backend: SqliteBackend, other: str, moment: str
) -> None:
    do_check(store)

    def interrupt(what: str, done: int, total: int) -> None:
        if what == moment:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        copy_history(backend.url, other, progress=interrupt)
    assert is_empty(other)
    assert copy_history(backend.url, other).rows == 16


@pytest.mark.parametrize("moment", ["copied", "compared"])
def test_whoever_is_killed_leaves_an_empty_store_for_the_next_attempt(
    store: Store, backend: SqliteBackend, other: str, moment: str
) -> None:
    do_check(store)
    kill_while(moment, backend.url, other)
    assert is_empty(other)
    assert copy_history(backend.url, other).rows == 16


def kill_while(moment: str, source: str, target: str) -> None:
    """Let another program copy, and kill it in the middle."""
    command = [sys.executable, "-c", KILLED, source, target, moment]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as victim:
        assert victim.stdout is not None
        assert victim.stdout.readline() == f"{moment}\n"
        victim.kill()
    assert victim.returncode == -9


def test_a_row_that_came_out_different_is_found_and_nothing_is_kept(store: Store, backend: SqliteBackend, other: str) -> None:
    do_check(store)
    open_store(other).close()
    with closing(sqlite3.connect(other.removeprefix("sqlite:///"))) as tampering, tampering:
        tampering.execute(
            "CREATE TRIGGER t AFTER INSERT ON requests WHEN new.id = 2 BEGIN UPDATE requests SET tokens = 141 WHERE id = 2; END"
        )
    copied = copy_history(backend.url, other)
    assert [(table.name, table.source.rows, table.target.rows) for table in copied.different] == [("requests", 2, 2)]
    assert is_empty(other)
