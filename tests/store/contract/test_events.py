from __future__ import annotations

from dataclasses import replace

from sqlalchemy import update

from exporter.records import BaselineEvent, EventKind, RunState
from exporter.store import Store
from exporter.store.tables import events
from tests.store.facts import NOW, a_verdict, do_check, start_run

RESET = BaselineEvent(0, "bot", EventKind.RESET, NOW, note="the prompt was changed")
PIN = BaselineEvent(0, "bot", EventKind.PIN, NOW + 1, protocol="p1", run_ids=(3, 1, 2), suite="core")
KEEP = BaselineEvent(0, "bot", EventKind.KEEP, NOW + 2, protocol="p2", from_protocol="p1")
ACCEPT = BaselineEvent(0, "bot", EventKind.ACCEPT, NOW + 3, identity="gpt-5.5-2028")
FREEZE = BaselineEvent(0, "bot", EventKind.FREEZE, NOW + 4, protocol="p2", run_ids=(1, 2), question_keys=("key-q1",))


def test_events_come_back_whole_and_in_order(store: Store) -> None:
    written = [store.add_event(event) for event in (RESET, PIN, KEEP, ACCEPT, FREEZE)]
    store.add_event(replace(RESET, target="cat"))
    assert store.events("bot") == written
    assert [replace(event, id=0) for event in written] == [RESET, PIN, KEEP, ACCEPT, FREEZE]
    assert [event.id for event in written] == sorted({event.id for event in written})


def test_a_decision_of_a_kind_that_only_a_newer_version_knows_is_passed_over(store: Store) -> None:
    for note in ("an old kind", "a new kind"):
        store.add_event(replace(RESET, note=note))
    with store._database.write("event") as connection:
        connection.execute(update(events).where(events.c.note == "a new kind").values(kind="forgive"))
    assert [event.note for event in store.events("bot")] == ["an old kind"]


def test_a_note_from_a_terminal_may_hold_bytes_that_are_no_text(store: Store) -> None:
    store.add_event(replace(RESET, note="caf\udce9" + "!" * 300))
    assert store.events("bot")[0].note == "caf\ufffd" + "!" * 300


def test_the_version_rises_with_each_event_and_tells_what_was_decided_since(store: Store) -> None:
    assert store.activity().events_version == 0
    store.add_event(RESET)
    first = store.activity().events_version
    store.add_event(replace(RESET, target="cat"))
    assert store.activity().events_version > first > 0
    assert (sorted(store.decided_since(0)), store.decided_since(first)) == (["bot", "cat"], ["cat"])


def test_another_program_sees_an_event_at_once(store: Store, backend: object) -> None:
    other = backend.open()  # type: ignore[attr-defined]  # any backend opens its store
    before = store.activity().events_version
    other.add_event(RESET)
    assert store.activity().events_version > before
    other.close()


def test_memberships_are_recorded_with_the_verdict_or_not_at_all(store: Store) -> None:
    run = start_run(store)
    store.close_run(run.id, RunState.MEASURED, None, "", NOW)
    assert store.close_check(run.check_id, a_verdict(), NOW, freezes=(FREEZE,))
    assert [event.kind for event in store.events("bot")] == [EventKind.FREEZE]
    assert not store.close_check(run.check_id, a_verdict(), NOW, freezes=(FREEZE,))
    assert len(store.events("bot")) == 1


def test_no_event_is_written_by_a_check_alone(store: Store) -> None:
    do_check(store)
    assert store.events("bot") == []
