"""From a model to its marks and answer lengths, under good conditions and bad ones."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from exporter.simulation.models import Floats, Models, swing

Ints = NDArray[np.int64]

NEVER = 1_000
"""Wrong answers of a question that is never right; more than any setting of `tries`."""


@dataclass(frozen=True, slots=True)
class Conditions:
    """What else happens to answers. The defaults are what the exact test takes for granted.

    `swing` is the standard deviation, from check to check, of a number added to the log odds of all questions; `sticky` is
    the probability that a question asked again in a run is answered as at first; with `cached` a check's second run copies its
    first. `unusable` is the share of re-asked answers that stay unusable while the baseline grows, and never later.
    `token_swing` is the standard deviation, from check to check, of the logarithm of all lengths. `bad_first_day` questions
    are lost in a target's very first run, and in no other.
    """

    swing: float = 0.0
    sticky: float = 0.0
    cached: bool = False
    unusable: float = 0.0
    token_swing: float = 0.0
    bad_first_day: int = 0


@dataclass(frozen=True, slots=True)
class Luck:
    """The chance in some runs of a batch, apart from the models, so that changes and procedures can share it.

    `first` and `again`, evenly between 0 and 1: models, runs, questions, samples. `lengths`, standard normal: the same shape.
    `days` and `token_days`, standard normal: models, runs.
    """

    first: Floats
    again: Floats
    lengths: Floats
    days: Floats
    token_days: Floats

    def at(self, models: Ints) -> Luck:
        """That of some models."""
        return Luck(self.first[models], self.again[models], self.lengths[models], self.days[models], self.token_days[models])


@dataclass(frozen=True, slots=True)
class Answers:
    """Wrong answers before the first right one (`wrong`, not yet cut at `tries`) and log lengths of first answers.

    Shape: models, runs, questions, samples.
    """

    wrong: Ints
    log_tokens: Floats


def draw_luck(rng: np.random.Generator, models: int, runs: int, questions: int, samples: int, *, one_day: bool = False) -> Luck:
    """Chance for so many runs of so many models, each of another day, or (`one_day`) all of the same."""
    shape = (models, runs, questions, samples)
    days = rng.standard_normal((2, models, 1 if one_day else runs))
    days = np.broadcast_to(days, (2, models, runs))
    return Luck(rng.random(shape), rng.random(shape), rng.standard_normal(shape), days[0], days[1])


def answer(models: Models, luck: Luck, conditions: Conditions, *, unusable: Floats | float = 0.0, copied: bool = False) -> Answers:
    """What the models answer.

    `unusable` is the share of re-asked answers that stay unusable, one or by model. They end a question's tries: a mark is the
    wrong answers so far whether the try that ends it is right or unusable. `copied`: all runs answer as the first.
    """
    right = models.right[:, None, :]
    if conditions.swing:
        right = swing(right, conditions.swing * luck.days[:, :, None])
    right = right[..., None]
    ending = np.reshape(unusable, (-1, 1, 1, 1))
    stops = ending + (1 - ending) * (1 - conditions.sticky) * right
    with np.errstate(divide="ignore", invalid="ignore"):
        more = np.floor(np.log1p(-luck.again) / np.log1p(-stops))
    # where nothing ever stops the count the quotient is infinite, or not a number
    more = np.nan_to_num(np.minimum(more, NEVER), nan=NEVER)
    wrong = np.where(luck.first < right, 0, 1 + more).astype(np.int64)
    if copied:
        wrong[:, 1:] = wrong[:, :1]
    spread = models.token_sigmas[:, None, :, None] * luck.lengths
    log_tokens = models.log_tokens[:, None, :, None] + spread + conditions.token_swing * luck.token_days[:, :, None, None]
    return Answers(wrong, log_tokens)
