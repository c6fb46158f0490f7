"""Turns on a server are leases: whoever is not heard of loses them, and cannot write of the target any more."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import ExitStack

import pytest

from exporter.errors import StoreLockedError, StoreTakenError
from exporter.records import RunState
from exporter.store import LEASE_SECONDS, Store
from exporter.store.leases import LeaseTurns
from tests.store.conftest import PostgresBackend
from tests.store.facts import NOW, a_grade, a_verdict, reserve, settle, start_run

TAKEN = "target bot: another replica has taken it over; nothing is lost: what is missing is asked there"
WRITES: list[Callable[[Store], object]] = [
    lambda store: store.reserve(1, "key-q2", 0, 1, 10, 0.01, NOW, ()),
    lambda store: store.open_run(1, 2, "p1", NOW, NOW + 600),
    lambda store: store.set_confirming(1, NOW + 60),
    lambda store: store.close_run(1, RunState.MEASURED, None, "", NOW),
    lambda store: store.book_orphans(NOW, (1,)),
]


def let_run_out(backend: PostgresBackend) -> None:
    with backend.server.connect("history") as connection:
        connection.execute("UPDATE turns SET until = 0")


def turns_in(backend: PostgresBackend) -> list[tuple[str, bool]]:
    with backend.server.connect("history") as connection:
        return connection.execute("SELECT target, until > extract(epoch from now()) FROM turns ORDER BY target").fetchall()


def test_a_target_is_one_replicas_at_a_time_and_its_own_programs_too(store: Store, other: Store) -> None:
    for second in (other, store):
        with store.turn("bot"):
            with pytest.raises(StoreLockedError) as caught, second.turn("bot"):
                pytest.fail("two at once")
            assert str(caught.value).startswith("target bot: another program is checking it at this moment")
            with second.turn("cat"):
                pass
    with other.turn("bot"):
        pass


def test_a_turn_is_given_back_at_the_end(store: Store, backend: PostgresBackend) -> None:
    with store.turn("bot"):
        assert turns_in(backend) == [("bot", True)]
    assert turns_in(backend) == []


def test_a_turn_that_ran_out_is_taken_over_and_its_holder_writes_no_more(store: Store, other: Store, backend: PostgresBackend) -> None:
    with store.turn("bot"):
        run = start_run(store)
        paid = reserve(store, run)
        let_run_out(backend)
        with other.turn("bot"):
            assert store.renew_turns() == {"bot"}
            for write in WRITES:
                with pytest.raises(StoreTakenError) as caught:
                    write(store)
                assert str(caught.value) == TAKEN
            assert other.book_orphans(NOW, (run.id,)) == 1
            before = other.spend("bot", NOW), other.counters("bot")
            assert not settle(store, paid, grade=a_grade())  # it comes late: no figure moves, its grade is kept
            assert (other.spend("bot", NOW), other.counters("bot")) == before
            assert other.check(run.check_id).runs[0].grades == (a_grade(),)
            other.close_run(run.id, RunState.MEASURED, None, "", NOW)
            with pytest.raises(StoreTakenError):
                store.close_check(run.check_id, a_verdict(), NOW)
            assert other.close_check(run.check_id, a_verdict(), NOW)
            assert turns_in(backend) == [("bot", True)]
        assert turns_in(backend) == []
    assert other.verify() == ()


def test_a_turn_that_ran_out_and_that_nobody_took_is_still_had(store: Store, other: Store, backend: PostgresBackend) -> None:
    with store.turn("bot"):
        run = start_run(store)
        let_run_out(backend)
        reserve(store, run)
        assert store.renew_turns() == frozenset()
        assert turns_in(backend) == [("bot", True)]
        with pytest.raises(StoreLockedError), other.turn("bot"):
            pytest.fail("two at once")


def test_a_turn_whose_holder_is_not_alive_runs_out_and_is_renewed_once_it_is(store: Store, other: Store, backend: PostgresBackend) -> None:
    alive = {"bot": False, "cat": True}
    with store.turn("bot", lambda: alive["bot"]), store.turn("cat", lambda: alive["cat"]):
        let_run_out(backend)
        assert store.renew_turns() == frozenset()
        assert turns_in(backend) == [("bot", False), ("cat", True)]
        alive["bot"] = True
        store.renew_turns()
        assert turns_in(backend) == [("bot", True), ("cat", True)]
        alive["bot"] = False
        let_run_out(backend)
        store.renew_turns()
        with other.turn("bot"):
            alive["bot"] = True
            assert store.renew_turns() == {"bot"}


def test_in_a_batch_only_the_write_of_the_lost_target_fails(store: Store, other: Store, backend: PostgresBackend) -> None:
    run, another = start_run(store), start_run(store, "cat")
    with store.turn("bot"), store.turn("cat"):
        let_run_out(backend)
        store.renew_turns()
        with backend.server.connect("history") as connection:
            connection.execute("UPDATE turns SET holder = 'somebody' WHERE target = 'bot'")
        assert isinstance(batch_of(store, lambda: reserve(store, run), lambda: reserve(store, another)), Exception)
        assert reserve(store, another) > 0
    assert store.spend("bot", NOW)[next(iter(store.spend("bot", NOW)))].requests == 0


def batch_of(store: Store, *writes: Callable[[], object]) -> object:
    try:
        with store.batch():
            for write in writes:
                write()
    except Exception as error:  # what a batch ends with is looked at by who asked for it
        return error
    return None


@pytest.mark.parametrize("replicas", [1, 2])
def test_of_two_that_take_a_turn_that_ran_out_one_has_it(store: Store, other: Store, backend: PostgresBackend, replicas: int) -> None:
    for _ in range(10):
        with backend.server.connect("history") as connection:
            connection.execute("INSERT INTO turns VALUES ('bot', 'a dead one', 0) ON CONFLICT (target) DO UPDATE SET until = 0")
        gate, results, done = threading.Barrier(2), [], threading.Barrier(2)

        def take(mine: Store, gate: threading.Barrier = gate, results: list[bool] = results, done: threading.Barrier = done) -> None:
            with ExitStack() as stack:
                gate.wait()
                try:
                    stack.enter_context(mine.turn("bot"))
                    results.append(True)
                except StoreLockedError:
                    results.append(False)
                done.wait()

        threads = [threading.Thread(target=take, args=(each,)) for each in (store, other if replicas == 2 else store)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(results) == [False, True]


def test_a_turn_is_renewed_by_itself_while_it_is_held(store: Store, backend: PostgresBackend) -> None:
    turns = LeaseTurns(store._database, "me", lease_seconds=0.03)
    renewed = threading.Event()
    renew = turns.renew

    def renew_and_tell() -> frozenset[str]:
        lost = renew()
        renewed.set()
        return lost

    turns.renew = renew_and_tell  # type: ignore[method-assign]  # to be told, not to change what it does
    with turns.hold("bot", lambda: True) as mine:
        assert mine
        assert renewed.wait(30)
    assert turns_in(backend) == []


def test_the_lease_outlives_a_few_missed_renewals() -> None:
    assert LEASE_SECONDS == 30
