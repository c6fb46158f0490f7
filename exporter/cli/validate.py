"""validate: whether config, suites and prices can be used, whether every reference passes its own grader, and what looks odd."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from exporter.cli import options
from exporter.cli.exits import EXIT_OK, EXIT_USAGE
from exporter.cli.linting import warn_of_config, warn_of_suites
from exporter.cli.render import print_json, print_note, print_text
from exporter.clock import SystemClock
from exporter.config import load_web_config
from exporter.daemon.live import load_live
from exporter.errors import ExporterError, Problem, UsageError
from exporter.records import Question
from exporter.suites import place_suites


@click.command()
@options.config_file
@click.option("--suite", "suites", multiple=True, metavar="SUITE", help="Look at this suite alone, without a config; repeatable.")
@options.web_config_file("Look at this web config file, too.")
@click.option("--strict", is_flag=True, help="Exit with 2 on warnings, too.")
@options.as_json
@click.pass_context
def validate(
    context: click.Context, /, config_file: Path, suites: tuple[str, ...], web_config_file: Path | None, strict: bool, as_json: bool
) -> int:
    """Look for mistakes in config and suites.

    Every mistake in the config file and all that it names, or in suites alone, is told at once. Every question's reference answer
    is graded by its own grader. Warned is of graders that accept too much, of questions nearly alike, and of what no cap lets be
    asked. Nothing is asked of a model.
    """
    if suites and context.get_parameter_source("config_file") is not ParameterSource.DEFAULT:
        raise UsageError(Problem("--suite", "looks at suites without a config", "leave out --config.file, or --suite"))
    looks = [partial(_validate_suites, suites) if suites else partial(_validate_config, config_file)]
    if web_config_file is not None:
        looks.append(partial(_validate_web, web_config_file))
    found, warnings = _all_at_once(looks)
    if as_json:
        print_json({"valid": True, **found, "warnings": warnings})
    else:
        for warning in warnings:
            print_note(f"warning: {warning}")
        print_text(_in_words(found, warnings))
    return EXIT_USAGE if strict and warnings else EXIT_OK


def _all_at_once(looks: Sequence[Callable[[], tuple[dict[str, Any], list[str]]]]) -> tuple[dict[str, Any], list[str]]:
    """What is found by each look, together. Raises ExporterError with what is wrong in any of them."""
    found: dict[str, Any] = {}
    warnings: list[str] = []
    problems: list[Problem] = []
    for look in looks:
        try:
            more, warned = look()
        except ExporterError as error:
            problems += error.problems
        else:
            found |= more
            warnings += warned
    if problems:
        raise ExporterError(problems)
    return found, warnings


def _validate_web(web_config_file: Path) -> tuple[dict[str, Any], list[str]]:
    web = load_web_config(web_config_file)
    found = {"file": str(web_config_file), "scheme": "http" if web.tls is None else "https", "users": len(web.users)}
    return {"web_config": found}, list(web.warnings)


def _validate_config(config_file: Path) -> tuple[dict[str, Any], list[str]]:
    live = load_live(config_file)
    questions = [question for target in live.targets.values() for question in target.questions]
    found = {"file": str(config_file), "targets": len(live.targets), **_count_questions(questions)}
    return found, warn_of_config(live, config_file.parent, SystemClock().now())


def _validate_suites(suites: Sequence[str]) -> tuple[dict[str, Any], list[str]]:
    placed = place_suites(suites, Path())
    found = {"suites": list(suites), **_count_questions([one.question for one in placed])}
    return found, warn_of_suites(placed, suites, Path(), SystemClock().now())


def _count_questions(questions: Sequence[Question]) -> dict[str, Any]:
    """Each question once, whichever targets ask it. Their references were graded when they were loaded."""
    once = list({question.key: question for question in questions}.values())
    return {"questions": len(once), "areas": dict(Counter(question.area for question in once))}


def _in_words(found: dict[str, Any], warnings: Sequence[str]) -> str:
    where = found["file"] if "file" in found else ", ".join(found["suites"])
    targets = f"{_plural(found['targets'], 'target')}, " if "targets" in found else ""
    areas = ", ".join(f"{area} {count}" for area, count in found["areas"].items())
    warned = f", {_plural(len(warnings), 'warning')}" if warnings else ""
    said = f"{where}: {targets}{_plural(found['questions'], 'question')} ({areas}), all references pass{warned}"
    web = found.get("web_config")
    return said if web is None else f"{said}\n{web['file']}: {web['scheme']}, {_plural(web['users'], 'user')}"


def _plural(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
