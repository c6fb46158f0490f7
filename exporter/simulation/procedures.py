"""The procedures that can be compared: the product's, and counting right answers as published monitors do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from exporter.config import Decision
from exporter.verdicts.measured import score_of


@dataclass(frozen=True, slots=True)
class Procedure:
    """`decision` holds the levels; `scores` are those of the marks 0 to `decision.tries`.

    Without `tokens` answer lengths are not looked at, without `trend` only single checks are.
    """

    name: str
    decision: Decision
    scores: tuple[int, ...]
    tokens: bool = True
    trend: bool = True


def product(decision: Decision, scores: Sequence[int] | None = None) -> Procedure:
    """The product's own; `scores` stand in for k(k+1)/2, to see what other weights would do."""
    return Procedure("ours", decision, tuple(scores or (score_of(mark) for mark in range(decision.tries + 1))))


def counting(decision: Decision) -> Procedure:
    """Right answers in two runs, each asked once, at a level of 1 %.

    Asked once, a mark is 0 or 1 and the score of a run is its number of wrong answers: the same exact test, screen, second run,
    areas and smallest drop are those of the published monitors. They look neither at lengths nor at trends.
    """
    once = decision.model_copy(update={"tries": 1, "alpha": 0.01})
    return Procedure("count", once, (0, 1), tokens=False, trend=False)
