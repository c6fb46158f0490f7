"""Batches of made-up targets for the tests, and one of them as the product has it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from exporter.config import Decision
from exporter.records import Question
from exporter.simulation.answers import Conditions, answer, draw_luck
from exporter.simulation.models import Models
from exporter.simulation.runs import Norms, Runs, as_measured, reduce_answers
from exporter.verdicts.baseline import Baseline
from exporter.verdicts.measured import MeasuredRun, score_of


def draw_batch(seed: int, targets: int, members: int, questions: int, decision: Decision, conditions: Conditions) -> tuple[Norms, Runs]:
    """Baselines of up to `members` runs, and two runs of a day on which about half of the targets have lost something."""
    rng = np.random.default_rng(seed)
    right = rng.uniform(0.3, 1, (targets, questions)) ** rng.uniform(0.1, 1, (targets, 1))
    models = Models(right, rng.uniform(3, 6, (targets, questions)), np.full((targets, questions), 0.2))
    before = answer(models, draw_luck(rng, targets, members, questions, decision.samples), conditions, unusable=conditions.unusable)
    lost = rng.random((targets, questions)) < rng.choice([0, 0.2, 0.5], (targets, 1))
    longer = rng.choice([0, 0.15, -0.3], (targets, 1))
    worse = Models(np.where(lost, 0.0, right), models.log_tokens + longer, models.token_sigmas)
    after = answer(worse, draw_luck(rng, targets, 2, questions, decision.samples, one_day=True), conditions)
    present = np.arange(members) < rng.integers(decision.baseline_runs, members + 1, targets)[:, None]
    scores = [score_of(mark) for mark in range(decision.tries + 1)]
    return Norms(reduce_answers(before, scores), present), reduce_answers(after, scores)


def as_baseline(norms: Norms, target: int, questions: Sequence[Question]) -> Baseline:
    """One baseline as the product has it."""
    keys = [question.key for question in questions]
    members = tuple(
        as_measured(norms.runs, target, run, keys, run_id=run, started_at=float(run))
        for run in np.flatnonzero(norms.present[target]).tolist()
    )
    return Baseline(members, (), dict.fromkeys(keys, members), (), frozenset(), 1, frozen=False, pinned=False)


def as_today(runs: Runs, target: int, questions: Sequence[Question]) -> tuple[MeasuredRun, MeasuredRun]:
    """Both runs of one check as the product has them."""
    keys = [question.key for question in questions]
    first, second = (as_measured(runs, target, run, keys, run_id=100 + run, started_at=100.0) for run in (0, 1))
    return first, second
