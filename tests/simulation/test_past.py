from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from exporter.simulation.models import make_questions
from exporter.simulation.past import Past, read_past
from exporter.simulation.runs import scored
from exporter.verdicts.baseline import Baseline

QUESTIONS = make_questions({"a": 2})
KEYS = [question.key for question in QUESTIONS]


def past_of(right: list[list[float]], log_tokens: list[list[float]], samples: int = 1) -> Past:
    """Of two questions, by run."""
    runs = tuple(
        replace(
            scored([0, 0], KEYS, run_id=number, started_at=0.0),
            right=dict(zip(KEYS, row, strict=True)),
            log_tokens={key: length for key, length in zip(KEYS, lengths, strict=True) if math.isfinite(length)},
        )
        for number, (row, lengths) in enumerate(zip(right, log_tokens, strict=True))
    )
    return read_past(
        "bot", Baseline(runs, (), dict.fromkeys(KEYS, runs), (), frozenset(), 1, frozen=False, pinned=False), QUESTIONS, samples
    )


def test_rates_are_those_of_first_answers_with_one_more_like_all_of_them() -> None:
    past = past_of([[1, 0], [1, 1], [1, 0], [1, 0]], [[5, 5]] * 4)
    assert (past.right.tolist(), past.asked.tolist()) == ([4, 1], [4, 4])
    drawn = past.draw(np.random.default_rng(1), 50_000, 2).right
    # 5 of 8 answers were right: 4 + 5/8 of 5, and 1 + 5/8 of 5
    assert drawn.mean(axis=0) == pytest.approx([4.625 / 5, 1.625 / 5], abs=0.005)


def test_a_model_that_never_missed_is_drawn_as_one_that_never_misses() -> None:
    past = past_of([[1, 1]] * 3, [[5, 5]] * 3)
    assert past.draw(np.random.default_rng(1), 1000, 2).right.min() == pytest.approx(1)


def test_samples_are_answers_each() -> None:
    past = past_of([[0.5, 1], [1, 1]], [[5, 5]] * 2, samples=4)
    assert (past.right.tolist(), past.asked.tolist()) == ([6, 8], [8, 8])


def test_lengths_that_swing_together_are_a_swing_and_those_that_do_not_a_spread() -> None:
    together = past_of([[1, 1]] * 3, [[4, 6], [5, 7], [6, 8]])
    assert together.log_tokens.tolist() == [5, 7]
    assert together.token_sigmas == pytest.approx([0, 0])
    assert together.token_swing == pytest.approx(1)
    apart = past_of([[1, 1]] * 3, [[4, 7], [5, 6], [6, 5]])
    assert apart.token_sigmas == pytest.approx([1, 1])
    assert apart.token_swing == 0
    # means of two such lengths differ this much by chance
    assert past_of([[1, 1]] * 3, [[4, 7], [5, 6], [7, 5]]).token_swing == 0
    assert past_of([[1, 1]] * 3, [[4, 7], [5, 6], [6, 5]], samples=4).token_sigmas == pytest.approx([2, 2])


def test_a_length_that_is_not_known_neither_spreads_nor_swings() -> None:
    past = past_of([[1, 1]] * 3, [[5, 6], [math.nan, 6], [5, math.nan]])
    assert past.log_tokens.tolist() == [5, 6]
    assert past.token_sigmas == pytest.approx([0, 0])
    assert past.token_swing == 0
