"""Suite files become questions, or one SuiteError with everything that is wrong in them. The only importer of YAML in this room.

Scalars are read as YAML 1.2 reads them: `no`, `12:30` and `2024-02-29` are texts, only true and false are truth values.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml

from exporter.errors import Problem, SuiteError
from exporter.records import Question
from exporter.suites.document import Document
from exporter.suites.files import SuitePath, find_files
from exporter.suites.reading import PlacedQuestion, read_document
from exporter.suites.wording import Path as Place
from exporter.suites.wording import did_you_mean

_MOST_NODES = 200_000


def load_suites(refs: Sequence[str], folder: Path, areas: Sequence[str] | None = None) -> tuple[Question, ...]:
    """All questions of the suites in `refs` (builtin names, or files and folders relative to `folder`), of these areas only.

    Raises SuiteError with all problems, each with file and line.
    """
    files, problems = find_files(refs, folder)
    placed: list[PlacedQuestion] = []
    for file in files:
        try:
            document = _parse(file)
        except SuiteError as error:
            problems.extend(error.problems)
            continue
        questions, faults = read_document(document)
        placed.extend(questions)
        problems.extend(faults)
    problems.extend(_find_twins(placed))
    if areas is not None and not problems:
        problems.extend(_find_unknown_areas(areas, placed))
    if problems:
        raise SuiteError(problems)
    return tuple(one.question for one in placed if areas is None or one.question.area in areas)


def _find_twins(placed: Sequence[PlacedQuestion]) -> list[Problem]:
    problems = []
    by_id: dict[str, PlacedQuestion] = {}
    by_key: dict[str, PlacedQuestion] = {}
    for one in placed:
        first = by_id.setdefault(one.question.id, one)
        same = by_key.setdefault(one.question.key, one)
        if first is not one:
            problems.append(
                Problem(one.where("id"), f'"{one.question.id}" is the id of {first.where()} too', "give each question its own id")
            )
        elif same is not one:
            problems.append(Problem(one.where(), f'asks the very same as "{same.question.id}"', "drop one of them"))
    return problems


def _find_unknown_areas(areas: Sequence[str], placed: Sequence[PlacedQuestion]) -> list[Problem]:
    known = sorted({one.question.area for one in placed})
    if not areas:
        return [Problem("areas", "is empty", f"leave it out, or name some of {', '.join(known)}")]
    return [
        Problem("areas", f'"{area}" is in none of the suites', did_you_mean(area, known) or f"use some of {', '.join(known)}")
        for area in areas
        if area not in known
    ]


def _parse(file: SuitePath) -> Document:
    try:
        text = file.place.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise SuiteError(Problem(file.shown, f"is not UTF-8 (byte {error.start})", "save it as UTF-8")) from None
    except OSError as error:
        raise SuiteError(Problem(file.shown, f"cannot be read: {error.strerror}", "check that it exists and may be read")) from None
    match file.place.name.rpartition(".")[2]:
        case "jsonl":
            return _parse_json_lines(file.shown, file.place.name.rpartition(".")[0], text)
        case "json":
            value = _parse_json(file.shown, text, 1)
            return Document(file.shown, value, _read_yaml(file.shown, text.replace("\t", " "))[1])
        case _:
            return Document(file.shown, *_read_yaml(file.shown, text))


def _parse_json_lines(shown: str, name: str, text: str) -> Document:
    questions: list[Any] = []
    lines: dict[Place, int] = {(): 1}
    problems: list[Problem] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            lines[("questions", len(questions))] = number
            try:
                questions.append(_parse_json(shown, line, number))
            except SuiteError as error:
                problems.extend(error.problems)
    if problems:
        raise SuiteError(problems)
    return Document(shown, {"suite": name, "questions": questions}, lines)


def _parse_json(shown: str, text: str, first_line: int) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        line = first_line + error.lineno - 1
        raise SuiteError(Problem(f"{shown}:{line}", f"is not JSON: {error.msg} at column {error.colno}", "")) from None
    except (ValueError, RecursionError):
        raise SuiteError(Problem(f"{shown}:{first_line}", "is not JSON that can be read", "")) from None


class _Loader(yaml.SafeLoader):
    """Plain scalars by the core schema of YAML 1.2."""


_Loader.yaml_implicit_resolvers = {}

for _tag, _pattern, _first in (
    ("bool", r"true|True|TRUE|false|False|FALSE", list("tTfF")),
    ("null", r"~|null|Null|NULL|", [*"~nN", ""]),
    ("int", r"[-+]?(?:0|[1-9][0-9]{0,999})", list("-+0123456789")),
    ("float", r"[-+]?(?:\.[0-9]+|(?:0|[1-9][0-9]*)(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?", list("-+.0123456789")),
):
    _Loader.add_implicit_resolver(f"tag:yaml.org,2002:{_tag}", re.compile(rf"(?:{_pattern})\Z"), _first)


def _read_yaml(shown: str, text: str) -> tuple[Any, dict[Place, int]]:
    """The value of a YAML text, and the line (from 1) of everything in it."""
    lines: dict[Place, int] = {}
    try:
        loader = _Loader(text)
        try:
            node = loader.get_single_node()
            return (None if node is None else _construct(shown, loader, node, (), lines)), lines
        finally:
            loader.dispose()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        where = f"{shown}:{mark.line + 1}" if mark else shown
        raise SuiteError(Problem(where, f"is not YAML: {error.problem or error.context}", "")) from None
    except yaml.YAMLError as error:
        raise SuiteError(Problem(shown, f"is not YAML: {str(error).splitlines()[0]}", "")) from None
    except ValueError as error:
        raise SuiteError(Problem(shown, f"is not YAML: {error}", "")) from None
    except RecursionError:
        raise SuiteError(Problem(shown, "is nested too deeply", "")) from None


def _construct(shown: str, loader: _Loader, node: yaml.Node, place: Place, lines: dict[Place, int]) -> Any:
    lines.setdefault(place, node.start_mark.line + 1)
    if len(lines) > _MOST_NODES:
        raise SuiteError(Problem(shown, "is too large, or repeats itself by aliases", "split it into several files"))
    if isinstance(node, yaml.SequenceNode):
        return [_construct(shown, loader, item, (*place, index), lines) for index, item in enumerate(node.value)]
    if isinstance(node, yaml.MappingNode):
        values: dict[str, Any] = {}
        for key_node, value_node in node.value:
            if not isinstance(key_node, yaml.ScalarNode):
                raise SuiteError(Problem(f"{shown}:{key_node.start_mark.line + 1}", "has a key that is no word", "put quotes around it"))
            key = str(key_node.value)
            inner = (*place, key)
            if key in values:
                raise SuiteError(Problem(f"{shown}:{key_node.start_mark.line + 1}", f'"{key}" stands here twice', "keep one of them"))
            lines[inner] = key_node.start_mark.line + 1
            values[key] = _construct(shown, loader, value_node, inner, lines)
        return values
    return loader.construct_object(node)
