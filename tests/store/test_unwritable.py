from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event

from exporter.errors import StoreError, StoreFullError, StoreLockedError, StoreReadOnlyError
from exporter.records import CheckKind, SpendPeriod
from exporter.store import Store, open_store
from tests.store.conftest import SqliteBackend
from tests.store.damage import locked, unprivileged
from tests.store.facts import NOW, a_grade, do_check, reserve, settle, start_run

LOCKED = "is locked by another program; stop that program, or try again when it is done"


@pytest.fixture
def shut(backend: SqliteBackend) -> Iterator[Path]:
    """The store's folder, closed to whoever is not its owner while it is used."""
    backend.path.parent.parent.chmod(0o755)
    backend.path.parent.chmod(0o555)
    backend.path.chmod(0o444)
    yield backend.path.parent
    backend.path.parent.chmod(0o755)


def test_a_locked_store_is_not_opened(backend: SqliteBackend) -> None:
    with locked(backend.path), pytest.raises(StoreLockedError) as refused:
        backend.open(busy_timeout_seconds=0)
    assert str(refused.value) == f"storage {backend.url}: {LOCKED}"


def test_a_store_that_is_locked_for_a_while_goes_on_afterwards(backend: SqliteBackend) -> None:
    store = backend.open(busy_timeout_seconds=0)
    run = start_run(store)
    reservation = reserve(store, run)
    with locked(backend.path):
        with pytest.raises(StoreLockedError, match=LOCKED):
            settle(store, reservation, grade=a_grade())
        with pytest.raises(StoreLockedError, match=LOCKED):
            store.claim_check("bot", CheckKind.SCHEDULED, NOW + 9, NOW + 9)
        assert store.check(run.check_id).runs[0].grades == ()
        assert store.spend("bot", NOW)[SpendPeriod.DAY].reserved_usd == 0.10
    assert settle(store, reservation, grade=a_grade())
    assert {operation: n for operation, n in store.error_counts.items() if n} == {"settle": 1, "claim": 1}
    assert store.verify() == ()
    store.close()


def test_errors_are_counted_by_operation_from_zero(store: Store) -> None:
    operations = ("open", "claim", "reserve", "settle", "close", "event", "rename", "prune", "read", "verify")
    assert dict(store.error_counts) == dict.fromkeys(operations, 0)


def test_a_file_that_may_not_be_written_is_not_opened(backend: SqliteBackend, shut: Path) -> None:
    with unprivileged(), pytest.raises(StoreReadOnlyError) as refused:
        backend.open()
    assert str(refused.value) == f"storage {backend.url}: cannot be written; let this user write the file and its folder"


def test_a_folder_that_may_not_be_written_takes_no_new_store(shut: Path) -> None:
    with unprivileged(), pytest.raises(StoreReadOnlyError) as refused:
        open_store(f"sqlite:///{shut}/new.db")
    what = f"cannot be created: Permission denied; let this user create new.db in {shut}, or name another place"
    assert str(refused.value) == f"storage sqlite:///{shut}/new.db: {what}"


def test_a_folder_that_cannot_be_made_is_named(backend: SqliteBackend) -> None:
    with pytest.raises(StoreReadOnlyError) as refused:
        open_store(f"{backend.url}/history.db")
    what = f"cannot be created: File exists; let this user create history.db in {backend.path}, or name another place"
    assert str(refused.value) == f"storage {backend.url}/history.db: {what}"


def test_a_store_at_rest_that_may_only_be_read_is_read(backend: SqliteBackend) -> None:
    store = backend.open()
    do_check(store)
    store.close()
    backend.path.parent.parent.chmod(0o755)
    backend.path.parent.chmod(0o555)
    with unprivileged():
        reader = open_store(backend.url, read_only=True)
        assert reader.targets() == ["bot"]
        reader.close()
    backend.path.parent.chmod(0o755)


def test_a_store_in_use_is_read_beside_its_writer(backend: SqliteBackend, store: Store) -> None:
    reader = open_store(backend.url, read_only=True)
    do_check(store)
    assert reader.last_verdict("bot") == store.last_verdict("bot")
    with locked(backend.path):
        assert reader.targets() == ["bot"]
    reader.close()


def test_a_reader_writes_nothing(backend: SqliteBackend) -> None:
    reader = open_store(backend.url, read_only=True)
    with pytest.raises(StoreReadOnlyError, match="cannot be written"):
        reader.claim_check("bot", CheckKind.MANUAL, NOW, NOW)
    assert reader.targets() == []
    reader.close()


def test_a_full_disk_loses_nothing_and_is_left_behind(backend: SqliteBackend) -> None:
    store = backend.open()
    run = start_run(store)
    reservations = [reserve(store, run) for _ in range(100)]
    before = store.spend("bot", NOW)[SpendPeriod.DAY]
    fill_up(store)
    settled, refused = 0, None
    while refused is None:
        try:
            settle(store, reservations[settled], usd=0.10, tokens=1000, grade=a_grade(f"q{settled}", message="x" * 250))
            settled += 1
        except StoreFullError as error:
            refused = error
    assert str(refused) == f"storage {backend.url}: has no room left to write; free some disk space; nothing was half written"
    assert len(store.check(run.check_id).runs[0].grades) == settled
    assert store.counters("bot").requests == settled
    assert store.spend("bot", NOW)[SpendPeriod.DAY].usd == before.usd
    make_room(store)
    assert settle(store, reservations[settled], grade=a_grade("after"))
    assert store.verify() == ()
    store.close()


@pytest.mark.parametrize("replaced", [False, True])
def test_a_store_that_was_taken_away_is_written_no_more(backend: SqliteBackend, store: Store, fresh_file: Path, replaced: bool) -> None:
    start_run(store)
    aside = backend.path.rename(backend.path.parent / "aside.db")
    if replaced:
        shutil.copy(fresh_file, backend.path)
    with pytest.raises(StoreError) as refused:
        store.claim_check("bot", CheckKind.MANUAL, NOW + 1, NOW + 1)
    what = "was removed or replaced while the program runs; put it back, or start the program again"
    assert str(refused.value) == f"storage {backend.url}: {what}"
    aside.rename(backend.path)
    assert store.claim_check("bot", CheckKind.MANUAL, NOW + 1, NOW + 1) is not None


def fill_up(store: Store) -> None:
    """From now on the file may not grow, as on a disk that is full."""
    store.close()
    event.listen(store._database.engine, "connect", _forbid_growth)


def make_room(store: Store) -> None:
    event.remove(store._database.engine, "connect", _forbid_growth)
    store.close()


def _forbid_growth(connection: Any, _record: Any) -> None:
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    connection.execute(f"PRAGMA max_page_count = {pages}")
