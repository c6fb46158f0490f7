from __future__ import annotations

from contextlib import closing
from pathlib import Path

from exporter.records import BaselineEvent, EventKind
from exporter.store import Store, open_store
from tests.store.facts import DAY_SECONDS, NOW, do_check, reserve, start_run


def test_a_copy_in_a_file_has_everything_and_is_a_store_of_its_own(store: Store, tmp_path: Path) -> None:
    for day in range(3):
        do_check(store, due_at=NOW + day * DAY_SECONDS)
    store.add_event(BaselineEvent(0, "bot", EventKind.FREEZE, NOW, "p1", run_ids=(1, 2)))
    store.prune_grades("bot", [3], NOW)
    store.condense_requests([1])
    reserve(store, start_run(store, due_at=NOW + 4 * DAY_SECONDS))
    store.copy_to(tmp_path / "copy.db")
    with closing(open_store(f"sqlite:///{tmp_path}/copy.db")) as copy:
        assert copy.verify() == ()
        assert copy.history("bot") == store.history("bot")
        assert copy.open_checks() == store.open_checks()
        assert (copy.events("bot"), copy.counters("bot"), copy.served("bot")) == (
            store.events("bot"),
            store.counters("bot"),
            store.served("bot"),
        )
        do_check(copy, due_at=NOW + 9 * DAY_SECONDS)
        assert len(copy.history("bot")) == len(store.history("bot")) + 1
