"""The exact test of `exporter.statistics` for many targets at once, one or two new runs of each against its baseline.

The distribution of a total is the product of the questions' characteristic functions, turned back by a Fourier transform
(M. Pagano and D. Tritchler 1983, "On obtaining permutation distributions in polynomial time"). That of one score picked from
N pooled ones is S(w) / N with S(w) = sum of exp(i w s); of two it is (S(w)² - S(2w)) / (N (N - 1)), all ordered pairs but those
of a score with itself. Exact but for rounding: the absolute error is below 1e-12.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from exporter.records import OVERALL
from exporter.simulation.answers import Ints
from exporter.simulation.models import Floats

Bools = NDArray[np.bool_]
Complexes = NDArray[np.complex128]

BLOCK_NUMBERS = 1 << 17
"""Complex numbers worked on at once, so that they stay in the processor's cache."""


def count_scores(scores: Ints, size: int, present: Bools | None = None) -> Floats:
    """How often each score from 0 to `size` - 1 comes in each question. Scores: targets, runs, questions.

    `present` (targets, runs) leaves the others out. The result: targets, questions, scores.
    """
    targets, runs, questions = scores.shape
    counts = np.zeros((targets, questions, size))
    rows, columns = np.ogrid[:targets, :questions]
    for run in range(runs):
        counts[rows, columns, scores[:, run]] += 1.0 if present is None else present[:, run, None]
    return counts


def exact_tails(baseline: Floats, new: Ints, areas: Mapping[str, Sequence[int]]) -> dict[str, tuple[Floats, Floats]]:
    """Upper and lower tails, by target, for the whole set (OVERALL) and for each area.

    `baseline` is what `count_scores` gives; `new` has one or two runs: targets, runs, questions. `areas` are the columns
    of each area that is tested by itself.
    """
    targets, drawn, questions = new.shape
    pooled = baseline + count_scores(new, baseline.shape[2])
    highest = (pooled > 0) * np.arange(pooled.shape[2])
    length = 4 << int(drawn * highest.max(axis=2).sum(axis=1).max() // 4).bit_length()
    rest = sorted(set(range(questions)) - {column for columns in areas.values() for column in columns})
    totals = new.sum(axis=1)
    groups = {**areas, OVERALL: rest}
    found = {name: (np.empty(targets), np.empty(targets)) for name in groups}
    step = max(1, BLOCK_NUMBERS // length)
    for start in range(0, targets, step):
        block = slice(start, start + step)
        parts = {name: _multiply(pooled[block][:, list(columns)], drawn, length) for name, columns in groups.items()}
        for name, part in parts.items():
            if name != OVERALL:
                parts[OVERALL] = parts[OVERALL] * part
        for name, part in parts.items():
            columns = list(areas.get(name, range(questions)))
            upper, lower = _sum_tails(part, totals[block][:, columns].sum(axis=1), length)
            found[name][0][block], found[name][1][block] = upper, lower
    return found


def _multiply(pooled: Floats, drawn: int, length: int) -> Complexes:
    """The characteristic function of the total over some questions: targets, frequencies."""
    product = np.ones((len(pooled), length // 2 + 1), dtype=np.complex128)
    number = pooled.sum(axis=2)
    # dividing the few counts is cheaper than dividing their transforms
    share = 1 / number if drawn == 1 else 1 / np.sqrt(number * (number - 1))
    shared = pooled * share[:, :, None]
    for question in range(pooled.shape[1]):
        sums = np.fft.rfft(shared[:, question], length, axis=1)
        if drawn == 1:
            product *= sums
        else:
            # the counts are real, so the second half of their transform is the first, conjugate and in reverse
            twice = np.concatenate([sums[:, ::2], sums[:, -3::-2].conj()], axis=1)
            twice *= share[:, question, None]
            sums *= sums
            sums -= twice
            product *= sums
    return product


def _sum_tails(spectrum: Complexes, observed: Ints, length: int) -> tuple[Floats, Floats]:
    probabilities = np.fft.irfft(spectrum, length, axis=1)
    sums = np.arange(length)
    upper = np.where(sums >= observed[:, None], probabilities, 0.0).sum(axis=1)
    lower = np.where(sums <= observed[:, None], probabilities, 0.0).sum(axis=1)
    return np.clip(upper, 0.0, 1.0), np.clip(lower, 0.0, 1.0)
