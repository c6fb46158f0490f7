"""One day: how often a check finds what, with a baseline of so many runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from exporter.records import Question
from exporter.simulation.answers import Conditions, answer, draw_luck
from exporter.simulation.figures import Row, mean, share
from exporter.simulation.judging import Bench, CheckFound
from exporter.simulation.models import Change, Floats, Source, changed, draw_order
from exporter.simulation.procedures import Procedure
from exporter.simulation.runs import Norms, count_asked, reduce_answers
from exporter.simulation.work import Report, blocks, generator, spread
from exporter.verdicts.holds import Outcome

BLOCK_TRIALS = 500

COLUMNS = ("one run", "screen", "drift", "token_shift")
"""What a trial is, in this order: does the first run alone pass `alpha`, is there a second one, is either signal confirmed."""


@dataclass(frozen=True, slots=True)
class DayTask:
    """Some trials of one source and one size of the baseline."""

    questions: tuple[Question, ...]
    procedure: Procedure
    conditions: Conditions
    changes: tuple[Change, ...]
    source: Source
    baseline_runs: int
    trials: int
    seed: int
    block: int = 0


def simulate_days(template: DayTask, sources: Sequence[Source], sizes: Sequence[int], processes: int, report: Report) -> list[Row]:
    """A row for each source, size of the baseline and change; `template.trials` are those of each row."""
    tasks = [
        replace(template, source=source, baseline_runs=size, trials=trials, block=block)
        for source in sources
        for size in sizes
        for block, trials in enumerate(blocks(template.trials, BLOCK_TRIALS))
    ]
    found: dict[tuple[str, int], list[Floats]] = {}
    for task, result in zip(tasks, spread(run_day, tasks, processes, report), strict=True):
        found.setdefault((task.source.name, task.baseline_runs), []).append(result)
    rows = []
    for (source, runs), parts in found.items():
        for change, trials in zip(template.changes, np.concatenate(parts, axis=1), strict=True):
            labels = {"model": source, "baseline": f"{runs} runs", "change": change.name}
            hits = {name: share(trials[:, column].sum(), len(trials)) for column, name in enumerate(COLUMNS)}
            rows.append(Row(labels, {**hits, "asked": mean(trials[:, -1])}))
    return rows


def run_day(task: DayTask) -> Floats:
    """What became of each trial: changes, trials, `COLUMNS` and the answers asked for."""
    questions, procedure, conditions = task.questions, task.procedure, task.conditions
    count, samples = len(questions), procedure.decision.samples
    rng = generator(task.seed, "day", task.source.name, task.baseline_runs, task.block)
    models = task.source.draw(rng, task.trials, count)
    bench = Bench(questions, procedure.decision, tokens=procedure.tokens)
    areas = columns_by_area(questions)
    order = draw_order(rng, task.trials, areas, max(change.lost_together for change in task.changes))
    before = answer(models, draw_luck(rng, task.trials, task.baseline_runs, count, samples), conditions, unusable=conditions.unusable)
    norms = Norms(reduce_answers(before, procedure.scores), np.ones((task.trials, task.baseline_runs), dtype=np.bool_))
    today = draw_luck(rng, task.trials, 2, count, samples, one_day=True)
    found = np.empty((len(task.changes), task.trials, len(COLUMNS) + 1))
    for number, change in enumerate(task.changes):
        after = answer(changed(models, change, order), today, conditions, copied=conditions.cached)
        checks = bench.judge(norms, reduce_answers(after, procedure.scores))
        found[number, :, :-1] = [_hits(check) for check in checks]
        seconded = np.array([check.seconded for check in checks], dtype=np.bool_)
        found[number, :, -1] = count_asked(after, procedure.decision.tries, seconded)
    return found


def columns_by_area(questions: Sequence[Question]) -> list[list[int]]:
    """Columns of each area."""
    areas: dict[str, list[int]] = {}
    for column, question in enumerate(questions):
        areas.setdefault(question.area, []).append(column)
    return list(areas.values())


def _hits(check: CheckFound) -> tuple[bool, bool, bool, bool]:
    confirmed = Outcome.CONFIRMED
    return check.alone, check.seconded, check.accuracy.outcome is confirmed, check.tokens.outcome is confirmed
