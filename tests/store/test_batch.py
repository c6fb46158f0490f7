"""Writes that pile up share a transaction; each still succeeds or fails by itself."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from exporter.errors import StoreError
from exporter.records import Check, CheckKind, RunState
from exporter.store import Store, Writer, open_store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = open_store(f"sqlite:///{tmp_path / 'history.db'}")
    yield opened
    opened.close()


def claim_together(store: Store, due_times: list[float]) -> list[Check | None]:
    async def claim() -> list[Check | None]:
        writer = Writer(store.batch)
        claims = [writer.call(store.claim_check, "bot", CheckKind.SCHEDULED, due_at, 100.0) for due_at in due_times]
        claimed = await asyncio.gather(*claims)
        await writer.close()
        return claimed

    return asyncio.run(claim())


def test_many_writes_at_once_are_all_kept_and_a_twin_is_still_refused(store: Store) -> None:
    claimed = claim_together(store, [1.0, 2.0, 2.0, 3.0])
    assert [check is not None for check in claimed] == [True, True, False, True]
    assert [check.due_at for check in store.open_checks("bot")] == [1.0, 2.0, 3.0]


def test_a_write_that_is_refused_in_a_batch_undoes_itself_alone(store: Store) -> None:
    with store.batch():
        check = store.claim_check("bot", CheckKind.SCHEDULED, 1.0, 100.0)
        assert check is not None
        with pytest.raises(StoreError, match="run 99: is not known"):
            store.close_run(99, RunState.MEASURED, None, "", 100.0)
        run = store.open_run(check.id, 1, "p", 100.0, 200.0)
    assert [run.id for run in store.open_checks("bot")[0].runs] == [run.id]


def test_where_a_batch_fails_each_write_is_made_by_itself(store: Store) -> None:
    async def write() -> tuple[object, ...]:
        writer = Writer(store.batch)
        calls = (
            writer.call(store.claim_check, "bot", CheckKind.SCHEDULED, 1.0, 100.0),
            writer.call(store.claim_check, "bot", CheckKind.SCHEDULED, 2**70, 100.0),
            writer.call(store.open_run, 2**70, 1, "p", 100.0, 200.0),
            writer.call(store.claim_check, "bot", CheckKind.SCHEDULED, 3.0, 100.0),
        )
        outcomes = await asyncio.gather(*calls, return_exceptions=True)
        await writer.close()
        return tuple(outcomes)

    first, _, broken, last = asyncio.run(write())
    assert isinstance(first, Check)
    assert isinstance(broken, StoreError)
    assert isinstance(last, Check)
    assert [check.due_at for check in store.open_checks("bot")][-1] == 3.0
