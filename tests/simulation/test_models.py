from __future__ import annotations

import numpy as np
import pytest

from exporter.simulation.answers import Conditions, answer, draw_luck
from exporter.simulation.models import NOTHING, PROFILES, Change, Models, changed, changes_for, draw_order, swing

RIGHT = [0.0, 0.4, 0.9, 1.0]
MANY = 40_000


def models(right: list[float], count: int = MANY) -> Models:
    shape = (count, len(right))
    return Models(np.tile(right, (count, 1)), np.full(shape, 5.0), np.full(shape, 0.2))


def shares(conditions: Conditions, *, unusable: float = 0.0, tries: int = 3) -> list[list[float]]:
    """For each question the shares of the marks 0, 1, ... `tries`."""
    given = models(RIGHT)
    answers = answer(given, draw_luck(np.random.default_rng(3), MANY, 1, len(RIGHT), 1), conditions, unusable=unusable)
    marks = np.minimum(answers.wrong, tries)[:, 0, :, 0]
    return [[float((marks[:, question] == mark).mean()) for mark in range(tries + 1)] for question in range(len(RIGHT))]


@pytest.mark.parametrize(
    ("conditions", "unusable", "expected"),
    [
        (Conditions(), 0.0, [[0, 0, 0, 1], [0.4, 0.24, 0.144, 0.216], [0.9, 0.09, 0.009, 0.001], [1, 0, 0, 0]]),
        # a re-asked answer repeats the first half of the time: right with half of 0.4
        (Conditions(sticky=0.5), 0.0, [[0, 0, 0, 1], [0.4, 0.12, 0.096, 0.384], [0.9, 0.045, 0.02475, 0.03025], [1, 0, 0, 0]]),
        (Conditions(sticky=1), 0.0, [[0, 0, 0, 1], [0.4, 0, 0, 0.6], [0.9, 0, 0, 0.1], [1, 0, 0, 0]]),
        # half of the re-asked answers end the tries unusable: the mark is the wrong ones so far
        (Conditions(), 0.5, [[0, 0.5, 0.25, 0.25], [0.4, 0.42, 0.126, 0.054], [0.9, 0.095, 0.00475, 0.00025], [1, 0, 0, 0]]),
        (Conditions(), 1.0, [[0, 1, 0, 0], [0.4, 0.6, 0, 0], [0.9, 0.1, 0, 0], [1, 0, 0, 0]]),
    ],
)
def test_marks_come_as_often_as_the_chances_say(conditions: Conditions, unusable: float, expected: list[list[float]]) -> None:
    found = shares(conditions, unusable=unusable)
    for question, row in enumerate(expected):
        # four standard errors of the largest share
        assert found[question] == pytest.approx(row, abs=4 * 0.5 / MANY**0.5)


def test_what_always_or_never_stops_leaves_no_room_for_chance() -> None:
    assert [shares(Conditions())[question] for question in (0, 3)] == [[0, 0, 0, 1], [1, 0, 0, 0]]


def test_a_cached_second_run_copies_the_first_and_baseline_runs_are_their_own() -> None:
    given, luck = models([0.5], 200), draw_luck(np.random.default_rng(1), 200, 2, 1, 2)
    copied = answer(given, luck, Conditions(), copied=True).wrong
    own = answer(given, luck, Conditions()).wrong
    assert (copied[:, 0] == copied[:, 1]).all()
    assert not (own[:, 0] == own[:, 1]).all()


def test_runs_of_one_day_swing_together_and_those_of_several_apart() -> None:
    one, several = (draw_luck(np.random.default_rng(1), 5, 2, 3, 1, one_day=one_day) for one_day in (True, False))
    assert (one.days[:, 0] == one.days[:, 1]).all()
    assert (one.token_days[:, 0] == one.token_days[:, 1]).all()
    assert not (several.days[:, 0] == several.days[:, 1]).any()
    assert not (one.days == one.token_days).any()


def test_a_swing_moves_a_whole_run_and_a_swing_of_lengths_all_its_lengths() -> None:
    given, luck = models([0.5] * 200, 50), draw_luck(np.random.default_rng(1), 50, 2, 200, 1)
    swung = answer(given, luck, Conditions(swing=2.0, token_swing=1.0))
    right = (swung.wrong == 0).mean(axis=(2, 3))
    assert np.corrcoef(right.ravel(), luck.days.ravel())[0, 1] > 0.95
    assert np.abs(swung.log_tokens.mean(axis=(2, 3)) - 5 - luck.token_days).max() < 0.1


def test_log_odds_are_added_to_and_certainty_stays() -> None:
    assert swing(np.array([0.0, 0.5, 0.8, 1.0]), np.float64(np.log(2))) == pytest.approx([0, 2 / 3, 8 / 9, 1])


def test_the_changes_of_34_questions() -> None:
    assert [(change.name, change.lost, change.lost_together) for change in changes_for(34, 13)] == [
        ("nothing", 0, 0),
        ("2 lost (5 %)", 2, 0),
        ("3 lost (10 %)", 3, 0),
        ("7 lost (20 %)", 7, 0),
        ("logit -0.5", 0, 0),
        ("logit -1", 0, 0),
        ("4 of one area lost", 0, 4),
        ("15 % shorter", 0, 0),
    ]


def test_of_a_few_questions_fewer_are_lost() -> None:
    assert [change.name for change in changes_for(6, 3)][1:3] == ["1 lost (10 %)", "1 lost (20 %)"]


def test_a_larger_loss_holds_the_smaller_and_a_loss_together_stays_in_one_area() -> None:
    areas = [range(3), range(3, 8), range(8, 12)]
    given = models([0.9] * 12, 100)
    order = draw_order(np.random.default_rng(5), 100, areas, 4)
    small, large, together = (
        changed(given, change, order).right == 0 for change in (Change("", lost=2), Change("", lost=5), Change("", lost_together=4))
    )
    assert (small.sum(axis=1) == 2).all()
    assert (large.sum(axis=1) == 5).all()
    assert (large >= small).all()
    hit = np.stack([together[:, list(columns)].sum(axis=1) for columns in areas], axis=1)
    # never in the area of three, and not always in the same one
    assert sorted({tuple(row) for row in hit.tolist()}) == [(0, 0, 4), (0, 4, 0)]


def test_nothing_changed_is_the_same_models() -> None:
    given = models(RIGHT, 3)
    after = changed(given, NOTHING, draw_order(np.random.default_rng(5), 3, [range(4)], 4))
    assert after.right.tolist() == given.right.tolist()
    assert after.log_tokens.tolist() == given.log_tokens.tolist()


@pytest.mark.parametrize(
    ("name", "ends"), [("strong", (0.8, 1)), ("mixed", (0.5, 1)), ("saturated", (0.98, 1)), ("calibrated", (0.3, 0.7))]
)
def test_profiles_are_drawn_evenly_between_their_ends(name: str, ends: tuple[float, float]) -> None:
    drawn = PROFILES[name].draw(np.random.default_rng(2), 2000, 10)
    low, high = ends
    assert (drawn.right.min(), drawn.right.max()) == pytest.approx(ends, abs=(high - low) / 100)
    assert drawn.right.mean() == pytest.approx((low + high) / 2, abs=(high - low) / 100)
