from __future__ import annotations

import numpy as np
import pytest

from exporter.records import OVERALL
from exporter.simulation.exact import count_scores, exact_tails
from exporter.statistics import Stratum, exact_test

AREAS = {"small": (0, 1, 2), "large": (3, 5, 6, 7)}
QUESTIONS = 9
CASES = 2000


def single(scores: np.ndarray, present: np.ndarray, new: int, columns: range | tuple[int, ...]) -> tuple[float, float]:
    """Both tails of one case by the product's own test."""
    split = len(scores) - new
    strata = [
        Stratum(
            tuple(int(score) for score, there in zip(scores[:split, column], present, strict=True) if there),
            tuple(int(score) for score in scores[split:, column]),
        )
        for column in columns
    ]
    tails = exact_test(strata)
    return tails.upper, tails.lower


@pytest.mark.parametrize("new", [1, 2])
@pytest.mark.parametrize("size", [2, 16, 40])
def test_the_batch_has_the_figures_of_the_single_test(new: int, size: int) -> None:
    random = np.random.default_rng(size + new)
    # rare high scores, as marks have them, and in some targets a baseline that is not full yet
    scores = np.floor(size * random.random((CASES, 6 + new, QUESTIONS)) ** random.integers(1, 6, (CASES, 1, QUESTIONS))).astype(np.int64)
    present = random.random((CASES, 6)) < 0.7
    present[:, 0] = True
    found = exact_tails(count_scores(scores[:, :6], size, present), scores[:, 6:], AREAS)
    for name, columns in {**AREAS, OVERALL: range(QUESTIONS)}.items():
        expected = np.array([single(scores[case], present[case], new, columns) for case in range(CASES)])
        assert np.abs(np.stack(found[name], axis=1) - expected).max() < 1e-12


def test_the_worst_of_six_in_two_questions_is_one_in_36() -> None:
    baseline = np.zeros((1, 5, 2), dtype=np.int64)
    new = np.full((1, 1, 2), 3)
    found = exact_tails(count_scores(baseline, 4), new, {})
    assert found[OVERALL][0] == pytest.approx([1 / 36], abs=1e-15)
    assert found[OVERALL][1] == pytest.approx([1.0], abs=1e-15)


def test_scores_that_never_differ_say_nothing() -> None:
    same = np.full((1, 5, 3), 2)
    found = exact_tails(count_scores(same, 4), np.full((1, 2, 3), 2), {"area": (0, 1, 2)})
    assert [figure for pair in found.values() for figure in np.concatenate(pair)] == pytest.approx([1.0] * 4, abs=1e-12)


def test_each_score_is_counted_where_it_is_and_absent_runs_are_not() -> None:
    scores = np.array([[[0, 2], [0, 1], [2, 2]]])
    assert count_scores(scores, 3).tolist() == [[[2, 0, 1], [0, 1, 2]]]
    assert count_scores(scores, 3, np.array([[True, True, False]])).tolist() == [[[2, 0, 0], [0, 1, 1]]]
