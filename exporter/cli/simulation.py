"""A simulation as flags tell it: what is to be simulated, and one table of it. This module cannot be imported without numpy."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

from exporter.cli.selection import select_targets
from exporter.cli.storage import looked_at
from exporter.config import Decision, config_from
from exporter.daemon.live import LiveConfig, LiveTarget, load_live
from exporter.daemon.memory import read_history
from exporter.errors import ConfigError, Problem, UsageError
from exporter.records import Question
from exporter.simulation.answers import Conditions
from exporter.simulation.figures import Table
from exporter.simulation.models import PROFILES, Source, make_questions
from exporter.simulation.past import Past, read_past
from exporter.simulation.procedures import Procedure, counting, product
from exporter.simulation.tables import TABLES, Plan
from exporter.simulation.words import describe
from exporter.simulation.work import Report
from exporter.verdicts.accuracy import by_area
from exporter.verdicts.baseline import form_baseline

QUIET_DAYS, DELAY_DAYS = 300, 60
"""Days that users are watched where no flag says otherwise."""

_TARGET = {"name": "simulated", "api": "ollama", "model": "simulated"}
"""Never asked: a config has to have one."""


@dataclass(frozen=True, slots=True)
class Request:
    """What is simulated, and `told`, the same in words. `targets` are those of the config that a past was read with."""

    plan: Plan
    told: Mapping[str, str]
    targets: int


def read_request(told: Mapping[str, Any], given: Collection[str]) -> Request:
    """What the flags ask for; `given` are the names of those on the command line. Raises UsageError."""
    target, targets = None, 1
    if told["history_of"]:
        _refuse_beside_history(given)
        live = load_live(told["config_file"], with_keys=False)
        (target,), targets = select_targets(live, [told["history_of"]], "--from-history"), len(live.targets)
    decision = _read_settings(told["settings"], Decision() if target is None else target.target.decision)
    sources: tuple[Source, ...]
    if target is None:
        questions = make_questions(_read_sizes(told["sizes"]))
        sources = tuple(PROFILES[name] for name in dict.fromkeys(told["models"])) or tuple(PROFILES.values())
    else:
        past, questions = _read_past(target, live)
        sources = (past,)
        told = {**told, "token_swing": past.token_swing if told["token_swing"] is None else told["token_swing"]}
    conditions = Conditions(
        swing=told["swing"],
        sticky=told["sticky"],
        cached=told["cached"],
        unusable=told["unusable"],
        token_swing=told["token_swing"] or 0.0,
        bad_first_day=_read_bad_first_day(told["bad_first_day"], len(questions)),
    )
    procedure = _read_procedure(told["procedure"], decision, told["scores"])
    quiet_days, delay_days = told["days"] or QUIET_DAYS, told["days"] or DELAY_DAYS
    plan = Plan(questions, procedure, conditions, sources, told["trials"], told["users"], quiet_days, delay_days, told["seed"])
    return Request(plan, _tell(plan, told), targets)


def simulate_table(name: str, request: Request, processes: int, report: Report) -> Table:
    """One of the tables."""
    return TABLES[name](request.plan, processes, report)


def sentences(tables: Mapping[str, Table], request: Request) -> list[str]:
    """What the tables, by name, say to one user; nothing of made-up models, which are nobody's."""
    if not isinstance(request.plan.sources[0], Past):
        return []
    return describe(tables, request.plan.changes, request.plan.quiet_days, request.targets)


def _refuse_beside_history(given: Collection[str]) -> None:
    flags = {"models": "--model", "sizes": "--questions"}
    problems = [
        Problem(flag, "not beside --from-history, which brings its own", "leave one of them out")
        for name, flag in flags.items()
        if name in given
    ]
    if problems:
        raise UsageError(problems)


def _read_sizes(text: str) -> dict[str, int]:
    sizes = text.split(",")
    if not all(size.strip().isascii() and size.strip().isdigit() and int(size) > 0 for size in sizes):
        raise UsageError(Problem("--questions", f"{text!r} is no list of numbers", "write how many questions each area has: 13,10,11"))
    return {f"area-{number}": int(size) for number, size in enumerate(sizes, 1)}


def _read_settings(settings: Collection[str], decision: Decision) -> Decision:
    """`decision` with KEY=VALUE laid over it, held to the rules of the config file."""
    values: dict[str, object] = decision.model_dump(mode="json")
    for setting in settings:
        key, equals, value = setting.partition("=")
        if not equals:
            raise UsageError(Problem("--set", f"{setting!r} has no =", "write KEY=VALUE, such as tries=4"))
        values[key] = _read_value(value)
    if not settings:
        return decision
    try:
        return config_from({"decision": values, "targets": [_TARGET]}, "--set").decision
    except ConfigError as error:
        raise UsageError([replace(problem, where=problem.where.replace("decision.", "", 1)) for problem in error.problems]) from error


def _read_value(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _read_procedure(name: str, decision: Decision, scores: str | None) -> Procedure:
    if name == "count":
        if scores is not None:
            raise UsageError(Problem("--scores", "not beside --procedure count, which has its own", "leave one of them out"))
        return counting(decision)
    if scores is None:
        return product(decision)
    try:
        numbers = [int(score) for score in scores.split(",")]
    except ValueError:
        numbers = []
    marks = decision.tries + 1
    if len(numbers) != marks or numbers[0] != 0 or sorted(numbers) != numbers or not 0 < numbers[-1] <= 100:
        what = f"{scores!r} does not score the marks from 0 to {decision.tries}"
        raise UsageError(Problem("--scores", what, f"write {marks} whole numbers from 0 to at most 100, none below the one before it"))
    return product(decision, numbers)


def _read_bad_first_day(lost: int, questions: int) -> int:
    if lost > questions:
        raise UsageError(Problem("--bad-first-day", f"{lost} questions cannot be lost of {questions}", f"write at most {questions}"))
    return lost


def _read_past(target: LiveTarget, live: LiveConfig) -> tuple[Past, tuple[Question, ...]]:
    """Models like the target's, and the questions that its baseline tests. Raises UsageError where there is no baseline yet."""
    with looked_at(live) as store:
        baseline = form_baseline(target.subject, read_history(store, target.subject))
    questions = tuple(question for question in target.questions if baseline.tests(question.key))
    if not questions:
        what = f"{target.name} has {len(baseline.runs)} of the {baseline.required} runs that its baseline needs"
        raise UsageError(Problem("--from-history", what, "let it be checked until the baseline is ready"))
    return read_past(target.name, baseline, questions, target.target.decision.samples), questions


def _tell(plan: Plan, told: Mapping[str, Any]) -> dict[str, str]:
    """What is simulated, in the words of the flags; conditions only where they are not the usual ones."""
    sizes = ",".join(str(len(members)) for members in by_area(plan.questions).values())
    words = {"procedure": plan.procedure.name, "questions": sizes, "seed": str(plan.seed)}
    usual = {"swing": 0.0, "sticky": 0.0, "cached": False, "unusable": 0.0, "token_swing": None, "bad_first_day": 0, "scores": None}
    words |= {name.replace("_", "-"): f"{told[name]}" for name, value in usual.items() if told[name] != value}
    return words | ({"set": " ".join(told["settings"])} if told["settings"] else {})
