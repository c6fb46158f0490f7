"""Locks by name: those of the store itself are none of a target's, whatever the target is called."""

from __future__ import annotations

from contextlib import closing

import pytest
from sqlalchemy import select

from exporter.errors import StoreLockedError
from exporter.records import BaselineEvent, EventKind
from exporter.store import Store
from exporter.store.locks import lock, locking
from tests.store.conftest import PostgresBackend
from tests.store.facts import NOW, a_cap, reserve, start_run

NUMBERS = {"bot": -6531443806681500973, "": -8949070381174129703, "events": 55850156101880103}
"""The locks of targets (of all of them: of no name), which programs of other versions have to take, too."""


@pytest.mark.parametrize("name", ["events", "renames", "migration"])
def test_a_target_that_is_called_like_a_lock_of_the_store_waits_for_nothing_but_its_own(
    store: Store, backend: PostgresBackend, name: str
) -> None:
    run = start_run(store, name)
    with closing(backend.open(busy_timeout_seconds=0.2)) as impatient, store._database.write("event") as connection:
        lock(connection, name)
        assert reserve(impatient, run, caps=(a_cap("day", usd=1.0, scope=name),)) > 0
        connection.execute(select(locking(name)))
        with pytest.raises(StoreLockedError):
            reserve(impatient, run, caps=(a_cap("day", usd=1.0, scope=name),))


def test_events_are_written_one_after_the_other(store: Store, backend: PostgresBackend) -> None:
    with closing(backend.open(busy_timeout_seconds=0.2)) as impatient, store._database.write("event") as connection:
        lock(connection, "events")
        with pytest.raises(StoreLockedError):
            impatient.add_event(BaselineEvent(0, "bot", EventKind.RESET, NOW))


@pytest.mark.parametrize(("target", "number"), NUMBERS.items())
def test_the_lock_of_a_target_is_the_same_for_every_version(store: Store, backend: PostgresBackend, target: str, number: int) -> None:
    with store._database.write("reserve") as connection, backend.server.connect("history") as elsewhere:
        connection.execute(select(locking(target)))
        (held,) = elsewhere.execute("SELECT (classid::bigint << 32) | objid::bigint FROM pg_locks WHERE locktype = 'advisory'").fetchall()
        assert held == (number,)
