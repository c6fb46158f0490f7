"""Many users, each with one target that nothing happens to: how many tickets and pages they get."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from exporter.records import Question
from exporter.simulation.answers import Conditions
from exporter.simulation.figures import Row, largest, mean, mean_count, quantile
from exporter.simulation.lives import SIGNALS, Lives
from exporter.simulation.models import Floats, Source
from exporter.simulation.procedures import Procedure
from exporter.simulation.work import Report, blocks, generator, spread

BLOCK_USERS = 100

COUNTED = (*(f"tickets, {signal}" for signal in SIGNALS), "tickets, all", "pages", "asked a day")
"""What is counted of each user over all days."""


@dataclass(frozen=True, slots=True)
class QuietTask:
    """Some users of one source, from their first run on."""

    questions: tuple[Question, ...]
    procedure: Procedure
    conditions: Conditions
    source: Source
    users: int
    days: int
    seed: int
    block: int = 0


def simulate_quiet(template: QuietTask, sources: Sequence[Source], processes: int, report: Report) -> list[Row]:
    """A row for each source and each of `COUNTED`; `template.users` are those of each source."""
    tasks = [
        replace(template, source=source, users=users, block=block)
        for source in sources
        for block, users in enumerate(blocks(template.users, BLOCK_USERS))
    ]
    found: dict[str, list[Floats]] = {}
    for task, result in zip(tasks, spread(live_quietly, tasks, processes, report), strict=True):
        found.setdefault(task.source.name, []).append(result)
    rng = generator(template.seed, "bootstrap")
    rows = []
    for source, parts in found.items():
        for name, values in zip(COUNTED, np.concatenate(parts).T, strict=True):
            middle, high = (quantile(values, probability, rng) for probability in (0.5, 0.95))
            average = mean(values) if name == COUNTED[-1] else mean_count(values)
            figures = {"mean": average, "median": middle, "95 % of users": high, "worst user": largest(values)}
            rows.append(Row({"model": source, "counted": name}, figures))
    return rows


def live_quietly(task: QuietTask) -> Floats:
    """`COUNTED` of each user: users, columns."""
    place = ("quiet", task.source.name, task.block)
    models = task.source.draw(generator(task.seed, *place), task.users, len(task.questions))
    lives = Lives(task.users, task.questions, task.procedure, task.conditions)
    onsets, pages, asked = np.zeros((task.users, len(SIGNALS))), np.zeros(task.users), np.zeros(task.users)
    for day in range(task.days):
        for checked in lives.live_one_day(lives.everyone, day, models, task.seed, *place):
            onsets[checked.targets] += checked.onset
            pages[checked.targets] += checked.page
            asked[checked.targets] += checked.asked
    return np.column_stack([onsets, onsets.sum(axis=1), pages, asked / task.days])
