"""Many users whose model changes on some day after the freeze: how long until they are told."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, replace

import numpy as np

from exporter.records import Question
from exporter.simulation.answers import Conditions, Ints
from exporter.simulation.day import columns_by_area
from exporter.simulation.figures import Figure, Row, quantile, share
from exporter.simulation.lives import Lives
from exporter.simulation.models import Change, Floats, Models, Order, Source, changed, draw_order, switched
from exporter.simulation.procedures import Procedure
from exporter.simulation.work import Report, blocks, generator, spread

BLOCK_USERS = 100

SPREAD_DAYS = 30
"""The change comes on one of so many days after the freeze."""

WITHIN_DAYS = (1, 2, 3, 7, 14, 30)
PAGED_WITHIN_DAYS = (1, 7)
"""Within one day is at the extra check that follows the first one confirmed, or the first check itself."""


def told_within(days: int) -> str:
    """The column of users told within so many days."""
    return f"{days} d"


def paged_within(days: int) -> str:
    """The column of users paged within so many days."""
    return f"paged {days} d"


@dataclass(frozen=True, slots=True)
class DelayTask:
    """Some users of one source, for each change. `days` is how long they are watched after it."""

    questions: tuple[Question, ...]
    procedure: Procedure
    conditions: Conditions
    changes: tuple[Change, ...]
    source: Source
    users: int
    days: int
    seed: int
    block: int = 0


@dataclass(frozen=True, slots=True)
class Delays:
    """By change and user: checks until the first confirmed verdict, days until the page; beyond `days` where it never came.

    `bad_day_left_out`, by user: whether the very first run is no member of the baseline.
    """

    told: Floats
    paged: Floats
    bad_day_left_out: Floats


def simulate_delays(template: DelayTask, sources: Sequence[Source], processes: int, report: Report) -> list[Row]:
    """A row for each source and change; `template.users` are those of each."""
    tasks = [
        replace(template, source=source, users=users, block=block)
        for source in sources
        for block, users in enumerate(blocks(template.users, BLOCK_USERS))
    ]
    found: dict[str, list[Delays]] = {}
    for task, result in zip(tasks, spread(wait_for_word, tasks, processes, report), strict=True):
        found.setdefault(task.source.name, []).append(result)
    rng = generator(template.seed, "bootstrap")
    rows = []
    for source, parts in found.items():
        told, paged = (np.concatenate([getattr(part, name) for part in parts], axis=1) for name in ("told", "paged"))
        left_out = np.concatenate([part.bad_day_left_out for part in parts])
        for number, change in enumerate(template.changes):
            figures = _describe(told[number], paged[number], template.days, rng)
            if template.conditions.bad_first_day:
                figures["left out"] = share(left_out.sum(), len(left_out))
            rows.append(Row({"model": source, "change": change.name}, figures))
    return rows


def _describe(told: Floats, paged: Floats, days: int, rng: np.random.Generator) -> dict[str, Figure]:
    figures = {told_within(limit): share((told <= limit).sum(), len(told)) for limit in WITHIN_DAYS if limit <= days}
    middle = quantile(np.minimum(told, days + 1), 0.5, rng)
    figures["median"] = Figure(None, None) if middle.value == days + 1 else middle
    return figures | {paged_within(limit): share((paged <= limit).sum(), len(paged)) for limit in PAGED_WITHIN_DAYS if limit <= days}


def wait_for_word(task: DelayTask) -> Delays:
    """The delays of one task."""
    count, place = len(task.questions), ("delay", task.source.name, task.block)
    rng = generator(task.seed, *place)
    models = task.source.draw(rng, task.users, count)
    areas = columns_by_area(task.questions)
    order, bad_order = (draw_order(rng, task.users, areas, max(change.lost_together for change in task.changes)) for _ in range(2))
    change_days = rng.integers(SPREAD_DAYS, size=task.users)
    lives = Lives(task.users, task.questions, task.procedure, task.conditions)
    first_day = changed(models, Change("", lost=task.conditions.bad_first_day), bad_order)
    day = 0
    while not lives.frozen.all():
        lives.live_one_day(lives.everyone, day, models if day else first_day, task.seed, *place)
        day += 1
    delays = [_wait(deepcopy(lives), models, change, order, day + change_days, day, task) for change in task.changes]
    left_out = np.array([1 in runs for runs in lives.left_out()], dtype=np.float64)
    return Delays(np.array([told for told, _ in delays]), np.array([paged for _, paged in delays]), left_out)


def _wait(
    lives: Lives, models: Models, change: Change, order: Order, change_days: Ints, day: int, task: DelayTask
) -> tuple[Floats, Floats]:
    """Days until the first confirmed verdict and until the page, by user; `day` is the first to be lived."""
    after = changed(models, change, order)
    told, paged = np.full((2, task.users), np.inf)
    for today in range(day, int(change_days.max()) + task.days):
        since = today - change_days
        waiting = np.isinf(told) | (np.isinf(paged) & (since < max(PAGED_WITHIN_DAYS)))
        targets = lives.everyone[waiting & (since < task.days)]
        now = switched(models, after, since >= 0)
        for checked in lives.live_one_day(targets, today, now, task.seed, "delay", task.source.name, task.block):
            days = np.where(since >= 0, since + 1.0, np.inf)[checked.targets]
            told[checked.targets] = np.minimum(told[checked.targets], np.where(checked.confirmed.any(axis=1), days, np.inf))
            paged[checked.targets] = np.minimum(paged[checked.targets], np.where(checked.page, days, np.inf))
    return told, paged
