"""How often a server is asked: over a network each statement is a wait. docs/storage.md quotes these numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from sqlalchemy import Connection, event

from exporter.store import Store
from tests.store.facts import NOW, a_cap, a_grade, do_check, reserve, settle, start_run

CAPS = (a_cap("check", usd=50), a_cap("day", usd=100), a_cap("month", usd=1000), a_cap("day", usd=900, scope=None))


@pytest.fixture
def statements(store: Store) -> Iterator[Callable[[], int]]:
    """How many statements were made since this was asked before, BEGIN and COMMIT among them."""
    made: list[str] = []

    def note_statement(_connection: Connection, _cursor: object, statement: str, *_others: object) -> None:
        made.append(statement)

    def note_edge(_connection: Connection) -> None:
        made.append("BEGIN or COMMIT")

    engine = store._database.engine
    hooks = (("before_cursor_execute", note_statement), ("begin", note_edge), ("commit", note_edge))
    for name, hook in hooks:
        event.listen(engine, name, hook)

    def count() -> int:
        number = len(made)
        made.clear()
        return number

    yield count
    for name, hook in hooks:
        event.remove(engine, name, hook)


def test_an_answer_takes_fourteen_statements_and_twenty_together_a_fifth_of_that(store: Store, statements: Callable[[], int]) -> None:
    run = start_run(store)
    settle(store, reserve(store, run, caps=CAPS), grade=a_grade())
    with store.turn("bot"):
        statements()
        reservation = reserve(store, run, caps=CAPS)
        assert statements() == 6
        settle(store, reservation, grade=a_grade("q2"), now=NOW + 1)
        assert statements() == 8
        with store.batch():
            for number in range(20):
                settle(store, reserve(store, run, caps=CAPS), grade=a_grade(f"batched-{number}"), now=NOW + 2)
        assert statements() == 50


def test_what_happened_elsewhere_is_three_questions_however_many_targets(store: Store, statements: Callable[[], int]) -> None:
    for number in range(5):
        do_check(store, f"target-{number}")
        start_run(store, f"target-{number}", NOW + 1)
    statements()
    store.activity()
    assert statements() == 5
    with store.reading():
        store.activity()
        store.activity()
    assert statements() == 8
