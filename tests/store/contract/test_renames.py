from __future__ import annotations

from dataclasses import replace

import pytest

from exporter.errors import StoreError
from exporter.records import BaselineEvent, CheckKind, Counters, EventKind, Reason
from exporter.store import Store
from tests.store.facts import NOW, a_failed_answer, do_check, reserve, settle, start_run


def a_rich_history(store: Store) -> None:
    do_check(store)
    store.add_event(BaselineEvent(0, "bot", EventKind.RESET, NOW))
    run = start_run(store, due_at=NOW + 1)
    settle(store, reserve(store, run), answer=a_failed_answer(Reason.TIMEOUT, "no answer in 90s"), identity=None, question_id="q1")
    reserve(store, run)


def test_everything_goes_with_the_new_name(store: Store) -> None:
    a_rich_history(store)
    said = store.last_verdict("bot")
    assert said is not None
    before = (store.counters("bot"), store.spend("bot", NOW))
    everyone = store.spend(None, NOW)
    assert store.rename_target("bot", "support")
    assert store.last_verdict("support") == replace(said, target="support")
    assert (store.counters("support"), store.spend("support", NOW)) == before
    assert [run.target for check in (*store.history("support"), *store.open_checks()) for run in check.runs] == ["support"] * 2
    assert [event.kind for event in store.events("support")] == [EventKind.RESET]
    assert [error.message for error in store.errors("support", 5)] == ["no answer in 90s"]
    assert [served.identity for served in store.served("support")] == ["gpt-5.5-2027"]
    assert store.spend(None, NOW) == everyone
    assert store.verify() == ()


def test_nothing_is_left_under_the_old_name(store: Store) -> None:
    a_rich_history(store)
    store.rename_target("bot", "support")
    assert store.counters("bot") == Counters()
    assert (store.checks("bot", 5), store.events("bot"), store.errors("bot", 5), store.served("bot")) == ([], [], [], [])
    assert store.targets() == ["support"]


def test_a_due_time_stays_claimed_under_the_new_name(store: Store) -> None:
    a_rich_history(store)
    store.rename_target("bot", "support")
    assert store.claim_check("support", CheckKind.SCHEDULED, NOW, NOW) is None


def test_a_rename_done_before_is_no_rename(store: Store) -> None:
    a_rich_history(store)
    store.rename_target("bot", "support")
    assert not store.rename_target("bot", "support")
    assert not store.rename_target("support", "support")


def test_two_histories_do_not_become_one(store: Store) -> None:
    a_rich_history(store)
    store.add_event(BaselineEvent(0, "support", EventKind.RESET, NOW))
    message = (
        "^target support: both bot and support have a history, they cannot become one; "
        "take formerly out of the config, or give the target a name that is new$"
    )
    with pytest.raises(StoreError, match=message):
        store.rename_target("bot", "support")
    assert store.targets() == ["bot"]
