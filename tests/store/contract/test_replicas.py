from __future__ import annotations

from exporter.records import BaselineEvent, CheckKind, EventKind
from exporter.store import Store, UnderWay
from tests.store.conftest import AnyBackend
from tests.store.facts import NOW, a_grade, do_check, finish_check, reserve, settle


def test_a_replica_that_was_announced_is_known_to_the_others(store: Store, backend: AnyBackend) -> None:
    other = backend.open()
    assert store.replicas() == []
    store.announce("1.2", "abc", {"bot": "h1"})
    other.announce("1.3", "def", {"bot": "h1", "cat": "h2"})
    assert [(each.version, each.config_hash, each.is_self) for each in store.replicas()] == [("1.2", "abc", True), ("1.3", "def", False)]
    assert [each.is_self for each in other.replicas()] == [False, True]
    other.leave()
    assert [each.version for each in store.replicas()] == ["1.2"]
    other.close()


def test_a_replica_is_seen_when_it_beats_and_has_started_once(store: Store) -> None:
    store.announce("1.2", "abc", {})
    (before,) = store.replicas()
    assert before.started_at == before.seen_at == before.config_loaded_at
    assert store.beat()
    store.announce("1.2", "def", {})
    (after,) = store.replicas()
    assert after.started_at == before.started_at
    assert after.seen_at >= before.seen_at
    assert after.config_loaded_at == after.seen_at


def test_a_replica_that_nobody_announced_has_no_heart(store: Store) -> None:
    assert not store.beat()
    store.announce("1.2", "abc", {})
    store.leave()
    assert not store.beat()


def test_the_newest_config_is_the_one_that_was_loaded_last(store: Store, backend: AnyBackend) -> None:
    other = backend.open()
    assert store.newest_config() is None
    store.announce("1.2", "abc", {"bot": "h1"})
    other.announce("1.2", "def", {"bot": "h1", "cat": "h2"})
    newest = store.newest_config()
    assert newest is not None
    assert (newest.hash, dict(newest.targets)) == ("def", {"bot": "h1", "cat": "h2"})
    store.announce("1.2", "abc", {"bot": "h1"})  # rolled back
    newest = other.newest_config()
    assert newest is not None
    assert newest.hash == "abc"
    other.close()


def test_activity_changes_with_every_step_of_a_check_made_elsewhere(store: Store, backend: AnyBackend) -> None:
    other = backend.open()
    seen = [store.activity()]
    check = other.claim_check("bot", CheckKind.SCHEDULED, NOW, NOW)
    assert check is not None
    seen.append(store.activity())
    run = other.open_run(check.id, 1, "p1", NOW, NOW + 600)
    settle(other, reserve(other, run), grade=a_grade())
    seen.append(store.activity())
    finish_check(other, run)
    seen.append(store.activity())
    other.add_event(BaselineEvent(0, "bot", EventKind.RESET, NOW))
    seen.append(store.activity())
    assert [activity.under_way for activity in seen] == [
        {},
        {"bot": (UnderWay(1, "running", 0),)},
        {"bot": (UnderWay(1, "running", 1),)},
        {},
        {},
    ]
    assert [activity.closed for activity in seen] == [{}, {}, {}, {"bot": 1}, {"bot": 1}]
    assert [activity.events_version for activity in seen] == [0, 0, 0, 0, 1]
    other.close()


def test_all_that_is_read_together_is_of_one_moment(store: Store, backend: AnyBackend) -> None:
    other = backend.open()
    do_check(other)
    with store.reading():
        assert store.activity().closed == {"bot": 1}
        do_check(other, due_at=NOW + 1)
        with store.reading():
            assert store.activity().closed == {"bot": 1}
        assert len(store.checks("bot", 10)) == 1
    assert store.activity().closed == {"bot": 2}
    other.close()


def test_a_turn_that_is_held_is_nobody_elses(store: Store, backend: AnyBackend) -> None:
    other = backend.open()
    with store.turn("bot"):
        assert store.renew_turns() == frozenset()
        with other.turn("cat"):
            pass
    with other.turn("bot"):
        pass
    other.close()
