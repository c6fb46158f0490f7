"""How long a whole day's judging takes: history and runs in, verdict out, as the daemon does it.

Prints one line of JSON. Milliseconds are those of this machine at this moment; `ratio` is to a fixed loop of plain Python
timed in turn with each day.
"""

from __future__ import annotations

import time
from dataclasses import replace
from math import log
from random import Random
from statistics import median

from benchmarks.harness import loop, tell
from exporter.records import Question
from tests.verdicts.lives import Life, make_questions

SIZES = {
    34: {"reasoning": 13, "instruction": 10, "japanese": 11},
    100: {"reasoning": 40, "instruction": 30, "japanese": 30},
    500: {"reasoning": 200, "instruction": 150, "japanese": 150},
    1000: {"reasoning": 400, "instruction": 300, "japanese": 300},
}
PROFILES = {"strong": 0.8, "mixed": 0.5}
DAYS_UNTIL_FULL = 50
DAYS_TIMED = 12


def make_life(questions: int, lowest: float, seed: int) -> Life:
    """A target whose questions are each right with a chance from `lowest` to 1, with lengths that vary by a fifth."""
    random = Random(seed)
    life = Life(questions=make_questions(SIZES[questions]))
    chance = {question.id: random.uniform(lowest, 1) for question in life.questions}
    length = {question.id: random.randint(50, 600) for question in life.questions}

    def mark(question: Question, _run: int) -> int:
        wrong = 0
        while wrong < life.decision.tries and random.random() > chance[question.id]:
            wrong += 1
        return wrong

    life.marks = mark
    life.tokens = lambda question, _run: max(1, round(length[question.id] * random.lognormvariate(0, 0.2)))
    return life


def read_anew(life: Life) -> None:
    """Make every run a new object, as it is where a history has just been read: nothing is known of it from the day before."""
    life.runs = {run_id: replace(run) for run_id, run in life.runs.items()}
    life.checks = [replace(check, runs=tuple(life.runs[run.id] for run in check.runs)) for check in life.checks]


def time_reference() -> float:
    """Seconds of a fixed loop."""
    start = time.perf_counter()
    loop()
    return time.perf_counter() - start


def time_days(questions: int, lowest: float) -> dict[str, float]:
    """Milliseconds of a day with a frozen baseline and full trend windows: the median, the slowest, and the ratio."""
    life = make_life(questions, lowest, seed=1)
    life.live(DAYS_UNTIL_FULL)
    days, references = [], []
    for _ in range(DAYS_TIMED):
        read_anew(life)
        references.append(time_reference())
        start = time.perf_counter()
        life.check()
        days.append(time.perf_counter() - start)
    ratio = median(day / reference for day, reference in zip(days, references, strict=True))
    return {"day_ms": round(median(days) * 1000, 1), "slowest_ms": round(max(days) * 1000, 1), "ratio": round(ratio, 2)}


def main() -> None:
    """Print the figures of all sizes and both profiles, and how the time grows."""
    figures = {f"{questions}_{name}": time_days(questions, lowest) for questions in SIZES for name, lowest in PROFILES.items()}
    least, *_, most = SIZES
    growth = {name: log(figures[f"{most}_{name}"]["ratio"] / figures[f"{least}_{name}"]["ratio"], most / least) for name in PROFILES}
    tell("judging", {**figures, "exponent": {name: round(exponent, 2) for name, exponent in growth.items()}})


if __name__ == "__main__":
    main()
