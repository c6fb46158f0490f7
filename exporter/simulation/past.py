"""Models like a target's own, as far as the runs of its baseline tell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from exporter.records import Question
from exporter.simulation.models import Floats, Models
from exporter.verdicts.baseline import Baseline
from exporter.verdicts.measured import MeasuredRun

LEAST = 1e-9
"""Of an answer, in a prior; a beta distribution has no room for none at all."""


@dataclass(frozen=True, slots=True)
class Past:
    """What a baseline tells of each question: first answers `right` of those `asked`, mean and spread of log lengths.

    `token_swing` is the standard deviation of whole runs' mean log length beyond what single answers explain.
    """

    name: str
    right: Floats
    asked: Floats
    log_tokens: Floats
    token_sigmas: Floats
    token_swing: float

    def draw(self, rng: np.random.Generator, count: int, questions: int) -> Models:
        """Models that could have given this baseline.

        A question's probability of a right answer comes from a beta distribution: its own first answers, and one more that is
        as often right as all of them together.
        """
        overall = self.right.sum() / self.asked.sum()
        right = np.maximum(self.right + overall, LEAST)
        wrong = np.maximum(self.asked - self.right + 1 - overall, LEAST)
        shape = (count, questions)
        return Models(rng.beta(right, wrong, shape), np.tile(self.log_tokens, (count, 1)), np.tile(self.token_sigmas, (count, 1)))


def read_past(name: str, baseline: Baseline, questions: Sequence[Question], samples: int) -> Past:
    """The past of `questions`, each of which the baseline tests."""
    right, asked = [], []
    for question in questions:
        first_tries = [run.right[question.key] for run in baseline.by_question[question.key] if question.key in run.right]
        right.append(samples * sum(first_tries))
        asked.append(float(samples * len(first_tries)))
    lengths = _log_lengths(baseline.runs, questions)
    typical = lengths.mean(axis=0)
    days = (lengths - typical).mean(axis=1)
    freedom = max(1, len(days) - 1)
    variances = ((lengths - typical - days[:, None]) ** 2).sum(axis=0) / freedom
    swing = max(0.0, float((days**2).sum()) / freedom - float(variances.mean()) / len(questions))
    # a run's length is a mean over its samples, so a single answer spreads more
    return Past(name, np.array(right), np.array(asked), typical, np.sqrt(samples * variances), float(np.sqrt(swing)))


def _log_lengths(runs: Sequence[MeasuredRun], questions: Sequence[Question]) -> Floats:
    """Log lengths: runs, questions. An unknown one is the mean of the question's others, so that it neither spreads nor swings."""
    table = np.array([[run.log_tokens.get(question.key, np.nan) for question in questions] for run in runs], dtype=np.float64)
    known = np.isfinite(table)
    means = np.where(known, table, 0.0).sum(axis=0) / np.maximum(1, known.sum(axis=0))
    return np.where(known, table, means)
