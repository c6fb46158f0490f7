"""JSON of suite files, one value or one a line, with the line of what is wrong and how to mend it."""

from __future__ import annotations

import json
from typing import Any

from exporter.errors import Problem, SuiteError
from exporter.suites.wording import Path as Place

_FIXES = (
    ("property name", "put each key in double quotes, with no comma after the last"),
    ("Expecting value", "write a value; texts in double quotes, with no comma after the last item"),
    ("delimiter", "put commas between items, and a colon between a key and its value"),
    ("Unterminated string", "close it with double quotes; a line break in a text is \\n"),
    ("control character", "write a line break as \\n and a tab as \\t"),
    ("escape", "write a backslash as \\\\"),
    ("Extra data", "keep one value a file; one question a line is a file ending in .jsonl"),
    ("BOM", "save it as UTF-8"),
)


def parse_json_file(shown: str, text: str, first_line: int = 1, *, refuse_twins: bool = False) -> Any:
    """The value of a text. Raises SuiteError where there is none that can be used: broken, NaN, or (`refuse_twins`) a key twice."""
    try:
        return json.loads(text, object_pairs_hook=_object if refuse_twins else None, parse_constant=_refuse)
    except json.JSONDecodeError as error:
        where = f"{shown}:{first_line + error.lineno - 1}"
        fix = next((fix for words, fix in _FIXES if words in error.msg), "")
        raise SuiteError(Problem(where, f"is not JSON: {error.msg} at column {error.colno}", fix)) from None
    except _UnusableError as error:
        raise SuiteError(Problem(f"{shown}:{first_line}", *error.args)) from None
    except (ValueError, RecursionError):
        raise SuiteError(
            Problem(f"{shown}:{first_line}", "is not JSON that can be read", "nest it less, and write shorter numbers")
        ) from None


def parse_json_lines(shown: str, name: str, text: str) -> tuple[Any, dict[Place, int], list[Problem]]:
    """A suite called `name`, the line of each question, and what is wrong with lines that hold none. Empty lines do not count.

    Raises SuiteError where no line holds any.
    """
    questions: list[Any] = []
    lines: dict[Place, int] = {(): 1}
    problems: list[Problem] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            try:
                question = parse_json_file(shown, line, number, refuse_twins=True)
            except SuiteError as error:
                problems.extend(error.problems)
                continue
            lines[("questions", len(questions))] = number
            questions.append(question)
    if problems and not questions:
        raise SuiteError(problems)
    return {"suite": name, "questions": questions}, lines, problems


class _UnusableError(Exception):
    """JSON by the letter, or nearly, that means nothing certain: what, and how to mend it."""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for key, value in pairs:
        if key in values:
            raise _UnusableError(f'holds "{key}" twice in one object', "keep one of them")
        values[key] = value
    return values


def _refuse(constant: str) -> Any:
    raise _UnusableError(f"holds {constant}, which is not JSON", "write a number, or a text in double quotes")
