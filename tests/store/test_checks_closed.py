from __future__ import annotations

from exporter.records import CheckKind
from exporter.store import Store
from tests.store.facts import NOW, do_check


def test_closed_checks_are_counted_by_target_and_open_ones_are_not(store: Store) -> None:
    assert store.checks_closed() == {}
    do_check(store)
    store.claim_check("bot", CheckKind.SCHEDULED, NOW + 9, NOW + 9)
    assert store.checks_closed() == {"bot": 1}
