"""How long the exact tests of one day take: 34 questions, a baseline of 15 runs, everything that decision.md tests.

Prints one line of JSON. Milliseconds are those of this machine at this moment; `ratio` is to a fixed loop of plain
Python timed in turn with each day, so that it can be compared between machines. Every repetition is the day of another
model, so little is found in the caches of `exporter.statistics`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import log
from random import Random
from statistics import median

from benchmarks.harness import loop, tell
from exporter.statistics import Stratum, exact_test, find_out_of_line, overdispersion_p_value

SCORES = (0, 1, 3, 6, 10, 15)
AREAS = (range(34), range(13), range(13, 23), range(23, 34))
BASELINE_RUNS = 15
WINDOWS = (7, 14, 28)
REPETITIONS = 25


@dataclass(frozen=True)
class Day:
    """Scores by question and run: the baseline, today's two runs, the last 28 first runs; tokens of baseline and today."""

    baseline: list[tuple[int, ...]]
    today: list[tuple[int, ...]]
    window: list[tuple[int, ...]]
    tokens: list[tuple[int, ...]]


def make_day(random: Random, lowest: float) -> Day:
    """A model whose questions are each right with a chance from `lowest` to 1, and where nothing changed."""

    def score(chance: float) -> int:
        return next((score for score in SCORES[:-1] if random.random() < chance), SCORES[-1])

    chances = [random.uniform(lowest, 1) for _ in AREAS[0]]
    baseline, today, window = (
        [tuple(score(chance) for _ in range(runs)) for chance in chances] for runs in (BASELINE_RUNS, 2, max(WINDOWS))
    )
    tokens = [
        [20 * log(random.lognormvariate(typical, 0.7)) for _ in range(BASELINE_RUNS + 2)]
        for typical in [random.uniform(3, 6) for _ in chances]
    ]
    return Day(baseline, today, window, [tuple(round(one) - round(min(row)) for one in row) for row in tokens])


def judge_day(day: Day) -> None:
    """The screen, the second run alone, both together, in the whole set and three areas; trend twice; tokens three times."""
    for runs in (slice(1), slice(1, 2), slice(2)):
        for area in AREAS:
            exact_test(Stratum(day.baseline[question], day.today[question][runs]) for question in area)
        exact_test(Stratum(row[:BASELINE_RUNS], row[BASELINE_RUNS:][runs]) for row in day.tokens)
    totals = add_up(day.baseline)
    for length in WINDOWS:
        window = [row[:length] for row in day.window]
        exact_test(map(Stratum, day.baseline, window))
        exact_test([Stratum(totals, add_up(window))])


def judge_baseline(day: Day) -> None:
    """What is asked of the baseline's own runs."""
    runs = list(zip(*day.baseline, strict=True))
    find_out_of_line(runs, 0.01)
    overdispersion_p_value(runs)


def add_up(rows: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    """The totals of the runs over all questions."""
    return tuple(map(sum, zip(*rows, strict=True)))


def time_it(work: Callable[[Day], None], day: Day) -> float:
    """Milliseconds that the work takes."""
    start = time.perf_counter()
    work(day)
    return 1000 * (time.perf_counter() - start)


def main() -> None:
    """Measure both profiles and print the line."""
    found: dict[str, object] = {"questions": len(AREAS[0]), "baseline_runs": BASELINE_RUNS}
    for profile, lowest in (("strong", 0.8), ("mixed", 0.5)):
        days, baselines, loops = [], [], []
        for seed in range(REPETITIONS):
            day = make_day(Random(seed), lowest)
            loops.append(time_it(lambda _: loop(), day))
            days.append(time_it(judge_day, day))
            baselines.append(time_it(judge_baseline, day))
        found[profile] = {
            "day_ms": round(median(days), 1),
            "day_worst_ms": round(max(days), 1),
            "baseline_ms": round(median(baselines), 1),
            "ratio": round(median(days) / median(loops), 2),
        }
    tell("exact_test", found)


if __name__ == "__main__":
    main()
