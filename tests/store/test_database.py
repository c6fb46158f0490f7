from __future__ import annotations

import pytest

from exporter.errors import StoreError
from exporter.records import BaselineEvent, CheckKind, EventKind, RunState
from exporter.store import Store
from exporter.store.database import BatchError
from tests.store.conftest import SqliteBackend
from tests.store.damage import locked
from tests.store.facts import NOW, a_grade, a_verdict, reserve, settle, start_run


@pytest.mark.parametrize(("pragma", "value"), [("journal_mode", "wal"), ("synchronous", 2), ("foreign_keys", 1), ("busy_timeout", 60_000)])
def test_every_connection_is_safe_against_kills_power_cuts_and_company(store: Store, pragma: str, value: str | int) -> None:
    with store._database.read() as first, store._database.engine.connect() as second:
        for connection in (first, second):
            assert connection.exec_driver_sql(f"PRAGMA {pragma}").scalar_one() == value


def test_a_read_sees_one_state_while_others_write(store: Store) -> None:
    with store._database.read() as reading:
        count = "SELECT count(*) FROM checks"
        assert reading.exec_driver_sql(count).scalar_one() == 0
        start_run(store)
        assert reading.exec_driver_sql(count).scalar_one() == 0
    assert store.targets() == ["bot"]


def test_a_read_in_a_batch_sees_what_the_batch_has_written(store: Store, backend: SqliteBackend) -> None:
    other = backend.open()
    with store.batch():
        run = start_run(store)
        settle(store, reserve(store, run), grade=a_grade())
        assert store.check(run.check_id).runs[0].grades == (a_grade(),)
        assert other.targets() == []
    assert other.targets() == ["bot"]
    other.close()


def test_a_batch_that_ends_badly_keeps_nothing(store: Store) -> None:
    def end_badly() -> None:
        with store.batch():
            start_run(store)
            raise KeyError

    with pytest.raises(KeyError):
        end_badly()
    assert store.targets() == []
    start_run(store)
    assert store.targets() == ["bot"]


def test_a_write_that_fails_half_way_in_a_batch_undoes_itself_alone(store: Store) -> None:
    unwritable = BaselineEvent(0, "bot", EventKind.FREEZE, NOW, run_ids=(object(),))  # type: ignore[arg-type]  # that is the point
    with store.batch():
        run = start_run(store)
        store.close_run(run.id, RunState.MEASURED, None, "", NOW)
        with pytest.raises(TypeError):
            store.close_check(run.check_id, a_verdict(), NOW, freezes=(unwritable,))
    assert store.last_verdict("bot") is None
    assert [check.runs[0].state for check in store.open_checks()] == [RunState.MEASURED]
    assert store.verify() == ()


def test_a_batch_that_cannot_begin_says_so_in_its_own_way(backend: SqliteBackend) -> None:
    store = backend.open(busy_timeout_seconds=0)
    with locked(backend.path), pytest.raises(BatchError), store.batch():
        pytest.fail("it has begun")
    aside = backend.path.rename(backend.path.parent / "aside.db")
    with pytest.raises(BatchError), store.batch():
        pytest.fail("it has begun")
    with pytest.raises(StoreError, match="was removed or replaced"):
        store.claim_check("bot", CheckKind.MANUAL, NOW, NOW)
    aside.rename(backend.path)
    store.close()
