from __future__ import annotations

import pytest

from exporter.statistics import find_out_of_line

GOOD: list[int | None] = [0, 0, 0, 1, 0, 3, 0, 0]
BAD: list[int | None] = [15, 15, 6, 15, 1, 15, 0, 10]
WORSE: list[int | None] = [15, 15, 15, 15, 15, 15, 15, 15]


def test_runs_that_are_alike_all_stay() -> None:
    assert find_out_of_line([GOOD] * 5, 0.01) == ()


def test_a_bad_first_day_is_left_out() -> None:
    assert find_out_of_line([BAD, GOOD, GOOD, GOOD, GOOD], 0.01) == (0,)


def test_the_worst_goes_first_and_the_rest_is_tested_again() -> None:
    assert find_out_of_line([GOOD, BAD, GOOD, WORSE, GOOD, GOOD, GOOD], 0.01) == (3, 1)


def test_a_run_better_than_the_others_stays() -> None:
    assert find_out_of_line([BAD, BAD, GOOD, BAD, BAD], 0.01) == ()


def test_a_p_value_equal_to_the_level_stays() -> None:
    # one question: the worst of five has p = 0.2, five times that is 1
    runs: list[list[int | None]] = [[0], [0], [15], [0], [0]]
    assert find_out_of_line(runs, 1.0) == ()


def test_holm_multiplies_by_the_number_of_runs() -> None:
    # two questions at once have p = 1/25, over five runs 0.2
    runs: list[list[int | None]] = [[0, 0], [0, 0], [15, 15], [0, 0], [0, 0]]
    assert find_out_of_line(runs, 0.19) == ()
    assert find_out_of_line(runs, 0.21) == (2,)


@pytest.mark.parametrize("runs", [[], [WORSE], [GOOD, WORSE]])
def test_fewer_than_three_runs_are_not_tested(runs: list[list[int | None]]) -> None:
    assert find_out_of_line(runs, 0.5) == ()


def test_questions_without_a_mark_say_nothing() -> None:
    missing: list[int | None] = [None] * 8
    assert find_out_of_line([missing, GOOD, GOOD, GOOD, BAD], 0.05) == (4,)
    assert find_out_of_line([missing] * 5, 0.5) == ()
