"""Runs of many targets at once, reduced to what the tests look at, as `exporter.verdicts.measured` reduces one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from exporter.records import Run, RunState
from exporter.simulation.answers import Answers, Ints
from exporter.simulation.models import Floats
from exporter.verdicts.measured import TOKEN_SCALE, MeasuredRun

Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Runs:
    """Arrays of targets, runs, questions.

    Scores, shares of samples right at the first try and at any (`solved`), mean logarithm and score of the answer length.
    """

    scores: Ints
    right: Floats
    solved: Floats
    log_tokens: Floats
    token_scores: Ints

    def at(self, index: Any) -> Runs:
        """A part: `index` is numpy's, for targets and runs."""
        return Runs(self.scores[index], self.right[index], self.solved[index], self.log_tokens[index], self.token_scores[index])

    def put(self, index: Any, run: MeasuredRun) -> None:
        """Write one run, as the product has it, over a place."""
        self.scores[index] = list(run.scores.values())
        self.right[index] = list(run.right.values())
        self.solved[index] = list(run.solved.values())
        self.log_tokens[index] = list(run.log_tokens.values())
        self.token_scores[index] = list(run.token_scores.values())


@dataclass(frozen=True, slots=True)
class Norms:
    """The baselines of a batch: `present` (targets, runs) says which of `runs` are members."""

    runs: Runs
    present: Bools

    def at(self, targets: Any) -> Norms:
        """Those of some targets; `targets` is numpy's index."""
        return Norms(self.runs.at(targets), self.present[targets])


def reduce_answers(answers: Answers, scores_by_mark: Sequence[int]) -> Runs:
    """Cut marks at the last of `scores_by_mark`, score them, round lengths to whole tokens, and add up the samples."""
    marks = np.minimum(answers.wrong, len(scores_by_mark) - 1)
    log_tokens = np.log(np.maximum(1.0, np.rint(np.exp(answers.log_tokens))))
    return Runs(
        scores=np.asarray(scores_by_mark, dtype=np.int64)[marks].sum(axis=-1),
        right=(marks == 0).mean(axis=-1),
        solved=(marks < len(scores_by_mark) - 1).mean(axis=-1),
        log_tokens=log_tokens.mean(axis=-1),
        token_scores=np.rint(TOKEN_SCALE * log_tokens).astype(np.int64).sum(axis=-1),
    )


def count_asked(answers: Answers, tries: int, seconded: Bools) -> Ints:
    """Answers asked for in a check of each target: in its first run, and in its second where it has one."""
    asked = np.minimum(answers.wrong + 1, tries).sum(axis=(2, 3))
    return np.asarray(asked[:, 0] + asked[:, 1] * seconded)


def empty_runs(targets: int, runs: int, questions: int) -> Runs:
    """Room for so many runs."""
    shape = (targets, runs, questions)
    return Runs(np.zeros(shape, np.int64), np.zeros(shape), np.zeros(shape), np.zeros(shape), np.zeros(shape, np.int64))


def as_measured(runs: Runs, target: int, run: int, keys: Sequence[str], *, run_id: int, started_at: float) -> MeasuredRun:
    """One run as the product has it."""
    one = runs.at((target, run))
    right, solved, log_tokens = (dict(zip(keys, array.tolist(), strict=True)) for array in (one.right, one.solved, one.log_tokens))
    token_scores = dict(zip(keys, one.token_scores.tolist(), strict=True))
    measured = scored(one.scores.tolist(), keys, run_id=run_id, started_at=started_at)
    return replace(measured, right=right, solved=solved, log_tokens=log_tokens, token_scores=token_scores)


def scored(scores: Sequence[int], keys: Sequence[str], *, run_id: int, started_at: float) -> MeasuredRun:
    """A run as the product has it, of which nothing but the scores is known."""
    return MeasuredRun(
        id=run_id,
        started_at=started_at,
        protocol="",
        scores=dict(zip(keys, scores, strict=True)),
        right={},
        solved={},
        log_tokens={},
        token_scores={},
        log_input_tokens={},
        errors={},
        identities={},
        fingerprints={},
        answers=len(keys),
        refused={},
        truncated={},
        reasoning_in_content={},
        answer_line_missing=0,
    )


def source_of(run: MeasuredRun) -> Run:
    """A stored run for one that never was stored: what growth asks for and, without identities, never reads."""
    return Run(run.id, 0, "", 1, run.protocol, run.started_at, run.started_at, RunState.MEASURED)
