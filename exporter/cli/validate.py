"""validate: whether config, suites and prices can be used, and whether every reference passes its own grader."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from exporter.cli import options
from exporter.cli.render import print_json, print_text
from exporter.daemon.live import load_live
from exporter.errors import Problem, UsageError
from exporter.records import Question
from exporter.suites import load_suites


@click.command()
@options.config_file
@click.option("--suite", "suites", multiple=True, metavar="SUITE", help="Look at this suite alone, without a config; repeatable.")
@options.as_json
@click.pass_context
def validate(context: click.Context, /, config_file: Path, suites: tuple[str, ...], as_json: bool) -> None:
    """Look for mistakes in config and suites.

    Every mistake in the config file and all that it names, or in suites alone, is told at once. Every question's reference answer
    is graded by its own grader. Nothing is asked of a model.
    """
    if suites and context.get_parameter_source("config_file") is not ParameterSource.DEFAULT:
        raise UsageError(Problem("--suite", "looks at suites without a config", "leave out --config.file, or --suite"))
    found = _validate_suites(suites) if suites else _validate_config(config_file)
    if as_json:
        print_json({"valid": True, **found})
    else:
        print_text(_in_words(found))


def _validate_config(config_file: Path) -> dict[str, Any]:
    targets = load_live(config_file).targets.values()
    questions = [question for target in targets for question in target.questions]
    return {"file": str(config_file), "targets": len(targets), **_count_questions(questions)}


def _validate_suites(suites: Sequence[str]) -> dict[str, Any]:
    return {"suites": list(suites), **_count_questions(load_suites(suites, Path()))}


def _count_questions(questions: Sequence[Question]) -> dict[str, Any]:
    """Each question once, whichever targets ask it. Their references were graded when they were loaded."""
    once = list({question.key: question for question in questions}.values())
    return {"questions": len(once), "areas": dict(Counter(question.area for question in once))}


def _in_words(found: dict[str, Any]) -> str:
    where = found["file"] if "file" in found else ", ".join(found["suites"])
    targets = f"{_plural(found['targets'], 'target')}, " if "targets" in found else ""
    areas = ", ".join(f"{area} {count}" for area, count in found["areas"].items())
    return f"{where}: {targets}{_plural(found['questions'], 'question')} ({areas}), all references pass"


def _plural(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
