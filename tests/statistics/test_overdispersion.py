from __future__ import annotations

from itertools import permutations, product

import pytest

from exporter.statistics import overdispersion_p_value


@pytest.mark.parametrize("runs", [[], [[0, 1, 3]]])
def test_fewer_than_two_runs_have_no_answer(runs: list[list[int | None]]) -> None:
    assert overdispersion_p_value(runs) is None


def test_runs_that_are_alike_give_one() -> None:
    assert overdispersion_p_value([[0, 1, 3, None]] * 5) == 1.0


@pytest.mark.parametrize(
    "columns",
    [
        [(0, 1, 3), (0, 0, 6), (1, 3, 15)],
        [(0, 0, 1, 3), (0, 6, 6, 15)],
        [(0, None, 1), (0, 0, 3), (0, 1, 6), (0, 3, 15)],
    ],
)
def test_over_all_permutations_p_is_at_most_a_with_no_more_than_probability_a(columns: list[tuple[int | None, ...]]) -> None:
    p_values = []
    for permuted in product(*(permutations(column) for column in columns)):
        p_value = overdispersion_p_value(list(zip(*permuted, strict=True)))
        assert p_value is not None
        p_values.append(p_value)
    assert min(p_values) < 1
    for level in set(p_values):
        assert sum(p_value <= level + 1e-12 for p_value in p_values) / len(p_values) <= level + 1e-12


def test_one_odd_run_among_many_is_seen() -> None:
    # eight questions at once: (1/6)^8 for that run, twice for two sides, 6 for six runs, 2 for two tests
    runs = [[0] * 8, [0] * 8, [0] * 8, [15] * 8, [0] * 8, [0] * 8]
    assert overdispersion_p_value(runs) == pytest.approx(2 * 6 * 2 * 6**-8, rel=1e-9)


def test_days_that_swing_together_are_seen() -> None:
    good, bad = [0, 0, 0, 1, 0, 0, 3, 0], [1, 3, 0, 1, 1, 0, 3, 6]
    p_value = overdispersion_p_value([good, bad, good, good, bad, good, bad, bad, good, bad])
    assert p_value is not None
    assert p_value == pytest.approx(0.047, abs=5e-4)


def test_one_question_that_swings_alone_is_not_seen() -> None:
    p_value = overdispersion_p_value([[0, 0], [15, 0], [0, 1], [15, 0], [0, 0], [15, 0]])
    assert p_value == 1.0
