"""Made-up models: how often each question is answered right, how long the answers are, and what changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from exporter.records import Extract, Question

Floats = NDArray[np.float64]

TYPICAL_LOG_TOKENS = (3.0, 6.0)
"""Answers of made-up models have 20 to 400 tokens, by question."""

TOKEN_SIGMA = 0.2
"""Standard deviation of the logarithm of one question's answer length."""


@dataclass(frozen=True, slots=True)
class Models:
    """A batch of models over the same questions; every array has a row for each model and a column for each question.

    `right` is the probability of a right answer at one try, `log_tokens` the mean of the logarithm of an answer's length
    and `token_sigmas` its standard deviation from answer to answer.
    """

    right: Floats
    log_tokens: Floats
    token_sigmas: Floats

    def at(self, models: Any) -> Models:
        """Some of them; `models` is numpy's index."""
        return Models(self.right[models], self.log_tokens[models], self.token_sigmas[models])


class Source(Protocol):
    """Where models come from. `name` is what tables call it."""

    @property
    def name(self) -> str:
        """What tables call it."""

    def draw(self, rng: np.random.Generator, count: int, questions: int) -> Models:
        """So many models over so many questions."""


@dataclass(frozen=True, slots=True)
class Profile:
    """Models whose questions are each right with a probability drawn evenly between two ends."""

    name: str
    lowest: float
    highest: float

    def draw(self, rng: np.random.Generator, count: int, questions: int) -> Models:
        """So many models over so many questions."""
        shape = (count, questions)
        right = rng.uniform(self.lowest, self.highest, shape)
        return Models(right, rng.uniform(*TYPICAL_LOG_TOKENS, shape), np.full(shape, TOKEN_SIGMA))


PROFILES = {
    profile.name: profile
    for profile in (
        Profile("strong", 0.8, 1.0),
        Profile("mixed", 0.5, 1.0),
        Profile("saturated", 0.98, 1.0),
        Profile("calibrated", 0.3, 0.7),
    )
}


@dataclass(frozen=True, slots=True)
class Change:
    """What becomes of a model. `lost` questions, and `lost_together` of one area, are never right again.

    `logit` is added to the log odds of every question; `log_tokens` to the logarithm of every answer's length.
    """

    name: str
    lost: int = 0
    lost_together: int = 0
    logit: float = 0.0
    log_tokens: float = 0.0


NOTHING = Change("nothing")


def changes_for(questions: int, largest_area: int) -> tuple[Change, ...]:
    """The changes of the tables: nothing, 5, 10 and 20 % of the questions lost, weaker everywhere, part of an area, shorter."""
    shares = [(percent, round(questions * percent / 100)) for percent in (5, 10, 20)]
    together = min(4, largest_area)
    return (
        NOTHING,
        *(Change(f"{lost} lost ({percent} %)", lost=lost) for percent, lost in shares if lost),
        Change("logit -0.5", logit=-0.5),
        Change("logit -1", logit=-1.0),
        Change(f"{together} of one area lost", lost_together=together),
        Change("15 % shorter", log_tokens=float(np.log(0.85))),
    )


@dataclass(frozen=True, slots=True)
class Order:
    """Whom a loss hits, by model: `anywhere` ranks all questions, `together` those of one area first. Shape: models, questions.

    Drawn once for all changes, so that of two losses the larger one holds the smaller.
    """

    anywhere: NDArray[np.intp]
    together: NDArray[np.intp]


def draw_order(rng: np.random.Generator, count: int, areas: Sequence[Sequence[int]], size: int) -> Order:
    """Ranks for `count` models. `areas` are the columns of each area; one of at least `size` questions is taken by chance."""
    questions = sum(map(len, areas))
    luck = rng.random((count, questions))
    large = [columns for columns in areas if len(columns) >= size]
    bonus = np.zeros((len(large), questions))
    for row, columns in enumerate(large):
        bonus[row, list(columns)] = 1.0
    chosen = rng.integers(len(large), size=count)
    return Order(_ranks(luck), _ranks(luck - bonus[chosen]))


def _ranks(luck: Floats) -> NDArray[np.intp]:
    return luck.argsort(axis=1).argsort(axis=1)


def changed(models: Models, change: Change, order: Order) -> Models:
    """The models after the change."""
    right = swing(models.right, np.float64(change.logit)) if change.logit else models.right
    lost = (order.anywhere < change.lost) | (order.together < change.lost_together)
    return replace(models, right=np.where(lost, 0.0, right), log_tokens=models.log_tokens + change.log_tokens)


def switched(before: Models, after: Models, switch: NDArray[np.bool_]) -> Models:
    """The models of `after` where `switch` says so, by model, else those of `before`."""
    which = switch[:, None]
    return replace(
        before, right=np.where(which, after.right, before.right), log_tokens=np.where(which, after.log_tokens, before.log_tokens)
    )


def swing(right: Floats, logit: Floats | np.float64) -> Floats:
    """Probabilities with `logit` added to their log odds; what is 0 or 1 stays so."""
    odds = np.exp(logit)
    return np.asarray(right * odds / (1 - right + right * odds))


def make_questions(areas: Mapping[str, int]) -> tuple[Question, ...]:
    """So many questions of each area, to be judged and never asked."""
    return tuple(
        Question(
            key=f"{area}-{number}",
            id=f"{area}-{number}",
            suite="simulated",
            area=area,
            prompt="",
            extract=Extract.FULL,
            grader={},
            reference="",
            wrong_reference=None,
            max_tokens=1,
        )
        for area, size in areas.items()
        for number in range(1, size + 1)
    )
