from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from exporter.errors import StoreCorruptError, StoreError, StoreFullError, StoreMissingError, StoreReadOnlyError
from exporter.store import Store, back_up, backup, open_store
from tests.store import damage
from tests.store.conftest import SqliteBackend
from tests.store.facts import DAY_SECONDS, NOW, do_check
from tests.store.test_migrations import write_first_version


@pytest.fixture
def copy(backend: SqliteBackend) -> Path:
    return backend.path.parent / "copy.db"


def names(backend: SqliteBackend) -> set[str]:
    return {path.name for path in backend.path.parent.iterdir()} - {"history.db", "history.db-wal", "history.db-shm"}


def test_a_backup_is_a_store_with_everything_and_nothing_lies_beside_it(store: Store, backend: SqliteBackend, copy: Path) -> None:
    said = do_check(store)
    assert back_up(backend.url, copy) == backup.Backup(copy.stat().st_size)
    assert names(backend) == {"copy.db"}
    restored = open_store(f"sqlite:///{copy}")
    assert restored.last_verdict("bot") == said
    do_check(restored, due_at=NOW + DAY_SECONDS)
    assert restored.verify() == ()
    restored.close()


def test_a_restored_backup_is_read_and_written_at_once_as_the_store_was(store: Store, backend: SqliteBackend, copy: Path) -> None:
    do_check(store)
    back_up(backend.url, copy)
    with closing(sqlite3.connect(copy)) as restored:
        assert restored.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_a_backup_is_of_one_moment_while_another_goes_on_writing(
    store: Store, backend: SqliteBackend, copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backup, "_PAGES_A_STEP", 1)
    do_check(store)
    days = iter(range(1, 40))

    def write(done: int, total: int) -> None:
        do_check(store, due_at=NOW + next(days) * DAY_SECONDS)

    assert back_up(backend.url, copy, progress=write).problems == ()
    with closing(open_store(f"sqlite:///{copy}", read_only=True)) as copied:
        assert len(copied.checks("bot", 100)) == 1
    assert len(store.checks("bot", 100)) > 20


def test_a_file_that_is_there_is_not_replaced(store: Store, backend: SqliteBackend, copy: Path) -> None:
    copy.write_text("a letter")
    with pytest.raises(StoreError) as refused:
        back_up(backend.url, copy)
    assert str(refused.value) == f"backup {copy}: is there already, and is not replaced; name a new file"
    assert copy.read_text() == "a letter"


def test_a_file_that_comes_meanwhile_is_not_replaced_either(store: Store, backend: SqliteBackend, copy: Path) -> None:
    def write(done: int, total: int) -> None:
        copy.write_text("a letter")

    with pytest.raises(StoreError, match="is there already, and is not replaced"):
        back_up(backend.url, copy, progress=write)
    assert copy.read_text() == "a letter"
    assert names(backend) == {"copy.db"}


def test_an_interrupted_backup_leaves_nothing(store: Store, backend: SqliteBackend, copy: Path) -> None:
    def interrupt(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        back_up(backend.url, copy, progress=interrupt)
    assert names(backend) == set()
    do_check(store)


def test_a_damaged_store_has_no_backup(store: Store, backend: SqliteBackend, copy: Path) -> None:
    do_check(store)
    store.close()
    damage.be_without_an_index(backend.path)
    with pytest.raises(StoreCorruptError) as refused:
        back_up(backend.url, copy)
    fix = "no backup was written; restore an older one, or rescue what can be read, as docs/storage.md shows"
    assert (
        str(refused.value.problems[0]) == f"storage {backend.url}: the file is damaged: row 1 missing from index ix_checks_target_id; {fix}"
    )
    assert names(backend) == set()


def test_a_store_that_does_not_add_up_is_copied_and_told(store: Store, backend: SqliteBackend, copy: Path) -> None:
    do_check(store)
    with closing(sqlite3.connect(backend.path)) as tampering, tampering:
        tampering.execute("UPDATE counters SET value = 3 WHERE family = 'requests'")
    (problem,) = back_up(backend.url, copy).problems
    assert problem.what == "counter requests{} of bot: (3,) is written down, (2,) is what its requests add up to"
    assert copy.exists()


def test_a_store_of_an_older_version_is_copied_as_it_is(backend: SqliteBackend, copy: Path) -> None:
    backend.path.unlink()
    write_first_version(backend.url)
    assert back_up(backend.url, copy).problems == ()
    with closing(sqlite3.connect(copy)) as old:
        assert old.execute("SELECT version_num FROM model_drift_schema").fetchone() == ("0001",)
    upgraded = open_store(f"sqlite:///{copy}")
    assert upgraded.check(1).runs[0].grades[0].question_id == "q1"
    upgraded.close()


def test_a_store_without_anything_in_it_has_no_backup(backend: SqliteBackend, copy: Path) -> None:
    damage.be_empty(backend.path)
    with pytest.raises(StoreMissingError, match="there is nothing in the file yet"):
        back_up(backend.url, copy)
    assert names(backend) == set()


def test_a_folder_that_is_not_there_or_may_not_be_written_is_named(store: Store, backend: SqliteBackend) -> None:
    nowhere = backend.path.parent / "no" / "copy.db"
    with pytest.raises(StoreReadOnlyError) as refused:
        back_up(backend.url, nowhere)
    fix = "name a new file in a folder that can be written"
    assert str(refused.value) == f"backup {nowhere}: cannot be written: No such file or directory; {fix}"


def test_a_disk_without_room_is_told_of_the_backup_and_not_of_the_store(
    store: Store, backend: SqliteBackend, copy: Path, small_copies: None
) -> None:
    do_check(store)
    with pytest.raises(StoreFullError) as refused:
        back_up(backend.url, copy)
    assert str(refused.value) == f"backup {copy}: has no room left to write; free some disk space; nothing was half written"
    assert names(backend) == set()


@pytest.fixture
def small_copies(monkeypatch: pytest.MonkeyPatch) -> None:
    """No copy may grow beyond three pages, as on a disk that is full then."""
    connect = sqlite3.connect

    def connect_to_little(path: object, **options: object) -> sqlite3.Connection:
        connection = connect(path, **options)  # type: ignore[call-overload]  # passed on as they came
        if str(path).endswith(".part"):
            connection.execute("PRAGMA max_page_count = 3")
        return connection  # type: ignore[no-any-return]  # of the overload that is not known here

    monkeypatch.setattr(sqlite3, "connect", connect_to_little)


def test_a_server_keeps_its_own_backups(tmp_path: Path) -> None:
    with pytest.raises(StoreError) as refused:
        back_up("postgresql://drift@127.0.0.1:1/history", tmp_path / "copy.db")
    what = "is on a server, which keeps its own backups; use pg_dump, or store copy to have its history in a file"
    assert str(refused.value) == f"storage postgresql://drift@127.0.0.1:1/history: {what}"
