from __future__ import annotations

import pytest

from exporter.records import VerdictKind
from exporter.store import Store
from exporter.store.nouns import Standing
from tests.store.facts import NOW, do_check

STABLE, DRIFT, FAILED = VerdictKind.STABLE, VerdictKind.DRIFT, VerdictKind.MEASUREMENT_FAILED


@pytest.fixture
def told(store: Store) -> Store:
    """Six checks, 100 seconds apart; each says its verdict after 60. Between them another target's say something else."""
    stood = [STABLE, STABLE, DRIFT, DRIFT, STABLE, FAILED]
    for number, kind in enumerate(stood):
        do_check(store, due_at=NOW + 100 * number, kind=FAILED, standing=kind)
        do_check(store, "cat", NOW + 100 * number, kind=DRIFT)
    return store


FIRST = Standing(STABLE, 1, NOW + 60, NOW + 260)
SECOND = Standing(DRIFT, 5, NOW + 260, NOW + 460)
THIRD = Standing(STABLE, 9, NOW + 460, NOW + 560)
LAST = Standing(FAILED, 11, NOW + 560, None)


def test_a_verdict_stands_until_another_one_does(told: Store) -> None:
    assert told.standings("bot", 10) == [LAST, THIRD, SECOND, FIRST]
    assert told.standings("cat", 10) == [Standing(DRIFT, 2, NOW + 60, None)]
    assert told.standings("nobody", 10) == []


def test_they_are_told_page_by_page(told: Store) -> None:
    assert told.standings("bot", 2) == [LAST, THIRD]
    assert told.standings("bot", 2, before=9) == [SECOND, FIRST]


def test_of_a_span_of_time_those_are_told_that_stood_in_it(told: Store) -> None:
    assert told.standings("bot", 10, since=NOW + 300) == [LAST, THIRD, SECOND]
    assert told.standings("bot", 10, since=NOW + 1_000_000) == [LAST]
    assert told.standings("bot", 10, until=NOW + 259) == [FIRST]
    assert told.standings("bot", 10, since=NOW + 260, until=NOW + 500) == [THIRD, SECOND]
    assert told.standings("bot", 10, until=NOW) == []
