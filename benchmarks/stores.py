"""A config, its suite, and a store with months of history in it: one life is judged, and repeated over days and targets."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any

from sqlalchemy import ColumnElement, Connection, Table, func, insert, literal, select, update

from exporter.daemon.live import LiveConfig, LiveTarget, load_live
from exporter.records import Answer, BaselineEvent, Charge, Check, Identity, Question, Usage
from exporter.store import Store, open_store, tables
from exporter.store.database import connect
from tests.verdicts.lives import DAY, Life

AREAS = ("arithmetic", "reading", "logic", "tools", "japanese")
ANSWER = "7"
"""What every question asks for, so that a provider need not read what it is asked."""

LIVED_DAYS = 45
"""Days that are judged one by one: until the baseline is frozen and the trend windows are full. Later ones repeat the last."""

_REPEATED_DAYS = 15
_RUN_SECONDS = 30.0
_USD_A_REQUEST = 0.0002


@dataclass(frozen=True)
class Size:
    """How much there is: targets, questions of each, days of history (0: a new store)."""

    targets: int
    days: int
    questions: int = 34
    concurrency: int = 64
    target_concurrency: int = 4

    @property
    def names(self) -> list[str]:
        """The targets' names."""
        return [f"target-{number:04}" for number in range(self.targets)]


def write_config(folder: Path, size: Size, *, base_url: str, cron: str = "", more: str = "") -> Path:
    """The config file and its suite; where no `cron` is given, nothing is due for months. `more` is added to each target."""
    (folder / "questions.yml").write_text(_suite_text(size.questions))
    lines = [
        f"storage: sqlite:///{folder / 'history.db'}",
        f"concurrency: {size.concurrency}",
        f'schedule: {{cron: "{cron or _far_away()}", spread: 0s}}',
        "decision: {confirm_after: 0s}",
        "targets:",
    ]
    lines += [
        f"  - {{name: {name}, api: openai_chat, base_url: '{base_url}', model: model-1, suites: [questions.yml], "
        f"concurrency: {size.target_concurrency}, price: {{input_usd_per_mtok: 1, output_usd_per_mtok: 2}}{more}}}"
        for name in size.names
    ]
    config_file = folder / "config.yml"
    config_file.write_text("\n".join(lines) + "\n")
    return config_file


def fill_store(config_file: Path, days: int, *, until: float | None = None) -> LiveConfig:
    """A store with `days` of history, a check a day, for every target of the config; returns the config as it is used.

    The last check was due at `until` (default: an hour ago).
    """
    live = load_live(config_file, with_keys=False)
    first, *others = live.targets
    last_at = time.time() - 3600 if until is None else until
    store = open_store(live.config.storage)
    try:
        with store.batch():
            _live_through(store, live.targets[first], days, last_at - (days - 1) * DAY)
    finally:
        store.close()
    database = connect(live.config.storage, read_only=False, busy_timeout_seconds=5.0)
    with database.write("event") as connection:
        _repeat_target(connection, first, others)
    database.engine.dispose()
    return live


def _suite_text(questions: int) -> str:
    text = "A train leaves at nine and another one follows it at ten; both are as fast as the law allows, and it rains. " * 3
    lines = ["suite: benchmark", "questions:"]
    for number in range(questions):
        lines += [
            f"  - id: question-{number}",
            f"    area: {AREAS[number % len(AREAS)]}",
            f"    prompt: '{text}Of {number} sheep all but {ANSWER} ran away. How many are left?'",
            f"    grader: {{kind: number, value: {ANSWER}}}",
            f"    reference: 'ANSWER: {ANSWER}'",
            "    max_tokens: 512",
        ]
    return "\n".join(lines) + "\n"


def _far_away() -> str:
    month = (datetime.now(UTC).month + 5) % 12 + 1
    return f"0 0 1 {month} *"


def _live_through(store: Store, target: LiveTarget, days: int, first_at: float) -> None:
    """Judge the days of one target, and write down what the daemon would have written."""
    random = Random(1)
    life = Life(questions=target.questions, decision=target.target.decision, evidence=target.evidence, protocol=target.protocol)
    chance = {question.key: random.uniform(0.8, 1) for question in target.questions}
    length = {question.key: random.randint(50, 300) for question in target.questions}

    def mark(question: Question, _run: int) -> int:
        return next((tried for tried in range(life.decision.tries) if random.random() < chance[question.key]), life.decision.tries)

    life.marks = mark
    life.tokens = lambda question, _run: max(1, round(length[question.key] * random.lognormvariate(0, 0.2)))
    life.now = first_at - DAY
    for day in range(days):
        if day < LIVED_DAYS:
            known = len(life.events)
            life.check()
            _write_check(store, target.name, life.checks[-1], 0.0, life.events[known:])
        else:
            periods = 1 + (day - LIVED_DAYS) // _REPEATED_DAYS
            _write_check(store, target.name, life.checks[day - periods * _REPEATED_DAYS], periods * _REPEATED_DAYS * DAY, ())


def _write_check(store: Store, target: str, lived: Check, later: float, decided: Sequence[BaselineEvent]) -> None:
    """Write a lived check `later` seconds later than it was, and what was decided with it."""
    claimed = store.claim_check(target, lived.kind, lived.due_at + later, lived.claimed_at + later)
    if claimed is None or lived.verdict is None or lived.closed_at is None:
        raise RuntimeError(f"check {lived.id} of {target} was there already, or has not been lived")
    for run in lived.runs:
        started_at = run.started_at + later
        opened = store.open_run(claimed.id, run.number, run.protocol, started_at, run.deadline_at + later)
        for grade in run.grades:
            usage = Usage(grade.input_tokens or 0, grade.output_tokens or 0)
            tokens = usage.input_tokens + usage.output_tokens
            store.settle(
                store.reserve(opened.id, grade.question_key, grade.sample, grade.attempt, tokens, _USD_A_REQUEST, started_at, ()),
                answer=Answer(usage=usage, charge=Charge.REPORTED, identity=Identity(grade.identity)),
                usd=_USD_A_REQUEST,
                tokens=tokens,
                estimated=False,
                identity=grade.identity,
                grade=grade,
                now=started_at,
            )
        store.close_run(opened.id, run.state, run.reason, run.message, started_at + _RUN_SECONDS)
    verdict = replace(lived.verdict, decided_at=lived.verdict.decided_at + later)
    store.close_check(claimed.id, verdict, lived.closed_at + later, [replace(event, target=target) for event in decided])


def _repeat_target(connection: Connection, first: str, others: Sequence[str]) -> None:
    """Copy all rows of the target `first` to others; ids are moved on, so that each row still points to its own."""
    steps = {
        table.name: 1 + int(connection.execute(select(func.coalesce(func.max(table.c.id), 0))).scalar_one())
        for table in (tables.checks, tables.runs, tables.requests, tables.events, tables.errors)
    }
    decided = [dict(row._mapping) for row in connection.execute(select(tables.events).where(tables.events.c.target == first))]
    for number, other in enumerate(others, start=1):
        moved = {name: step * number for name, step in steps.items()}
        for table, column, kind in _NUMBERED:
            _copy_rows(connection, table, table.c[column] < steps[kind], other, moved)
        for table in (tables.spend_days, tables.counters, tables.identities):
            _copy_rows(connection, table, table.c.target == first, other, moved)
        for event in decided:
            run_ids = [run_id + moved["runs"] for run_id in json.loads(event["run_ids"])]
            there = {"id": event["id"] + moved["events"], "target": other, "run_ids": json.dumps(run_ids)}
            connection.execute(insert(tables.events).values({**event, **there}))
    sums = tables.spend_days.c["usd_nanos", "estimated_usd_nanos", "tokens", "requests", "priced_requests"]
    of_all = update(tables.spend_days).where(tables.spend_days.c.target == tables.ALL_TARGETS)
    connection.execute(of_all.values({column.name: column * (1 + len(others)) for column in sums}))


_NUMBERED = (
    (tables.checks, "id", "checks"),
    (tables.verdicts, "check_id", "checks"),
    (tables.runs, "id", "runs"),
    (tables.grades, "run_id", "runs"),
    (tables.requests, "id", "requests"),
    (tables.errors, "id", "errors"),
)
"""Tables whose first rows, by this column, are those of the first target, and whose numbers the column counts in."""


def _copy_rows(connection: Connection, table: Table, mine: ColumnElement[bool], other: str, moved: dict[str, int]) -> None:
    replaced: dict[str, Any] = {}
    if "id" in table.c:
        replaced["id"] = table.c.id + moved[table.name]
    if "check_id" in table.c:
        replaced["check_id"] = table.c.check_id + moved["checks"]
    if "run_id" in table.c:
        replaced["run_id"] = table.c.run_id + moved["runs"]
    if "target" in table.c:
        replaced["target"] = literal(other)
    names = [column.name for column in table.c]
    rows = select(*(replaced.get(name, table.c[name]) for name in names)).where(mine)
    connection.execute(insert(table).from_select(names, rows))
