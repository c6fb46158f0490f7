"""Days that are judged twice, once by all that there is and once by what is read of it: what is said is the same."""

from __future__ import annotations

from collections.abc import Mapping

from hypothesis import given, settings
from hypothesis import strategies as st

from exporter.daemon.memory import read_history
from exporter.records import VerdictKind
from tests.daemon.short_life import ACTS, a_life

ENOUGH = 5 + 4
"""Checks of the longest window that such a life is judged by, and the spare ones."""


def live_twice(acts: Mapping[int, str], days: int) -> tuple[set[VerdictKind], list[int]]:
    """The same life judged by the whole and by the recent history: what was said, and how many checks the latter had each day."""
    said, read = set(), []
    with a_life() as whole, a_life() as recent:
        whole.read = read_history
        for day in range(days):
            if day in acts:
                assert whole.act(acts[day]) == recent.act(acts[day])
            read.append(len(recent.read(recent.store, recent.live.subject).checks))
            verdict = whole.check()
            said.add(verdict.kind)
            assert recent.check() == verdict
            assert recent.store.events("bot") == whole.store.events("bot")
    return said, read


def test_beside_a_frozen_baseline_a_window_of_checks_is_read() -> None:
    said, read = live_twice({20: "lose", 24: "recover", 25: "fail", 27: "mend"}, 40)
    assert said >= {VerdictKind.DRIFT, VerdictKind.MEASUREMENT_FAILED, VerdictKind.BASELINE_READY, VerdictKind.STABLE}
    assert read == [*range(ENOUGH + 1), *[ENOUGH] * 30]


def test_a_question_that_came_later_and_a_window_of_another_models_days_are_read_of_as_far_as_ever() -> None:
    said, read = live_twice({20: "new_question", 26: "other_model", 34: "first_model"}, 40)
    assert VerdictKind.MODEL_CHANGED in said
    assert (max(read[20:23]), read[25], max(read[31:36]), read[39]) == (22, ENOUGH, 35, ENOUGH)


@given(acts=st.dictionaries(st.integers(3, 30), st.sampled_from(ACTS), min_size=4, max_size=12))
@settings(max_examples=2, deadline=None)
def test_any_life_is_told_the_same(acts: dict[int, str]) -> None:
    live_twice(acts, 34)
