"""Figures with their Monte-Carlo error, and tables of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from exporter.simulation.models import Floats

RESAMPLES = 400


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure and its standard error from the number of trials; None: no figure, or none that can be told."""

    value: float | None
    error: float | None


@dataclass(frozen=True, slots=True)
class Row:
    """One line: what was simulated, and what came of it by column."""

    labels: Mapping[str, str]
    figures: Mapping[str, Figure]


@dataclass(frozen=True, slots=True)
class Table:
    """`title` says what was counted over how many trials, `notes` what one has to know to read it."""

    name: str
    title: str
    rows: tuple[Row, ...]
    notes: tuple[str, ...] = ()


def share(hits: float, trials: int) -> Figure:
    """A share in %. Its error is that of one hit and one miss more, so that none in many trials is not called certain."""
    likely = (hits + 1) / (trials + 2)
    return Figure(100 * hits / trials, 100 * sqrt(likely * (1 - likely) / trials))


def mean(values: Floats) -> Figure:
    """The mean of independent values."""
    count = len(values)
    return Figure(float(values.mean()), float(values.std(ddof=1)) / sqrt(count) if count > 1 else None)


def mean_count(counts: Floats) -> Figure:
    """The mean of independent counts of rare events. Its error is that with one more, which counts 1: none is not certain."""
    return Figure(float(counts.mean()), float(np.append(counts, 1.0).std(ddof=1)) / sqrt(len(counts)))


def quantile(values: Floats, probability: float, rng: np.random.Generator) -> Figure:
    """A quantile, one of the values; its error by the bootstrap (B. Efron 1979, "Bootstrap methods: another look at the jackknife")."""
    resampled = rng.choice(values, (RESAMPLES, len(values)))
    found = np.quantile(resampled, probability, axis=1, method="inverted_cdf")
    return Figure(float(np.quantile(values, probability, method="inverted_cdf")), float(found.std(ddof=1)))


def largest(values: Sequence[float] | Floats) -> Figure:
    """The largest value, of which no error can be told."""
    return Figure(float(max(values)), None)
