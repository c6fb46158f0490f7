"""Suite files become questions, or one SuiteError with everything that is wrong in them. The only importer of YAML in this room.

Scalars are read as YAML 1.2 reads them: `no`, `12:30` and `2024-02-29` are texts, only true and false are truth values.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import yaml

from exporter.config.yaml_faults import explain_syntax
from exporter.errors import Problem, SuiteError
from exporter.records import Question
from exporter.suites.document import Document
from exporter.suites.files import SuitePath, find_files
from exporter.suites.generate import GENERATED
from exporter.suites.json_files import parse_json_file, parse_json_lines
from exporter.suites.reading import PlacedQuestion, read_document
from exporter.suites.wording import Path as Place
from exporter.suites.wording import did_you_mean

_MOST_NODES = 200_000
_LARGEST_BYTES = 16 << 20


def load_suites(
    refs: Sequence[str], folder: Path, areas: Sequence[str] | None = None, generated: Mapping[str, Any] | None = None
) -> tuple[Question, ...]:
    """All questions of the suites in `refs` (builtin names, or files and folders relative to `folder`), of these areas only.

    `generated` is what `generate_suite` made, for the suite of that name. Raises SuiteError with all problems, each with file
    and line.
    """
    return tuple(one.question for one in place_suites(refs, folder, areas, generated))


def place_suites(
    refs: Sequence[str], folder: Path, areas: Sequence[str] | None = None, generated: Mapping[str, Any] | None = None
) -> tuple[PlacedQuestion, ...]:
    """The same questions, each knowing where it stands."""
    files, problems = find_files(refs, folder)
    placed: list[PlacedQuestion] = []
    for file in files:
        try:
            document, faults = _parse(file, generated)
        except SuiteError as error:
            problems.extend(error.problems)
            continue
        questions, more_faults = read_document(document)
        placed.extend(questions)
        problems.extend(sorted((*faults, *more_faults), key=lambda problem: _line_in(file.shown, problem)))
    problems.extend(_find_twins(placed))
    if areas is not None and not problems:
        problems.extend(_find_unknown_areas(areas, placed))
    if problems:
        raise SuiteError(problems)
    return tuple(one for one in placed if areas is None or one.question.area in areas)


def _line_in(shown: str, problem: Problem) -> int:
    found = re.match(r":(\d+)", problem.where.removeprefix(shown))
    return int(found[1]) if found else 0


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


def _parse(file: SuitePath, generated: Mapping[str, Any] | None) -> tuple[Document, list[Problem]]:
    """The document, and what is wrong with it that does not keep it from being read further."""
    if file.place is None:
        if generated is None:
            fix = "add generated: {seed_file: …} to the config, or name a file that model-drift-exporter suite generate wrote"
            raise SuiteError(Problem(GENERATED, "needs a seed, and there is none", fix))
        return Document(file.shown, generated, {}), []
    text = _read_text(file.shown, file.place)
    name, _, ending = file.place.name.rpartition(".")
    match ending.lower():
        case "jsonl":
            value, lines, problems = parse_json_lines(file.shown, name, text)
            return Document(file.shown, value, lines), problems
        case "json":
            value = parse_json_file(file.shown, text)
            tree = _read_json_as_yaml(file.shown, text)
            return Document(file.shown, value, tree.lines), tree.problems
        case _:
            tree = _Tree(file.shown)
            value = tree.read(text)
            return Document(file.shown, value, tree.lines), tree.problems


def _read_text(shown: str, place: Traversable) -> str:
    try:
        with place.open("rb") as stream:
            data = stream.read(_LARGEST_BYTES + 1)
    except OSError as error:
        raise SuiteError(Problem(shown, f"cannot be read: {error.strerror}", "check that it exists and may be read")) from None
    if len(data) > _LARGEST_BYTES:
        raise SuiteError(Problem(shown, "is larger than 16 MiB", "split it into several files"))
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise SuiteError(Problem(f"{shown}:{line}", "is not UTF-8", "save it as UTF-8")) from None


def _read_json_as_yaml(shown: str, text: str) -> _Tree:
    """Lines, and keys that stand twice, of what is JSON already; nothing of the few texts that are JSON and not YAML."""
    tree = _Tree(shown)
    try:
        tree.read(text.replace("\t", " "))
    except SuiteError:
        return _Tree(shown)
    return tree


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


class _Tree:
    """One YAML text: its value, the line (from 1) of everything in it, and what is wrong with single keys."""

    def __init__(self, shown: str) -> None:
        self._shown = shown
        self.lines: dict[Place, int] = {}
        self.problems: list[Problem] = []

    def read(self, text: str) -> Any:
        """The value, None for an empty text. Raises SuiteError where the text is not YAML."""
        try:
            loader = _Loader(text)
            try:
                node = loader.get_single_node()
                return None if node is None else self._construct(loader, node, ())
            finally:
                loader.dispose()
        except yaml.reader.ReaderError as error:
            line = text.count("\n", 0, error.position) + 1
            character = f"U+{ord(text[error.position]):04X}"
            raise self._fault(line, f"holds the control character {character}", "remove it") from None
        except yaml.MarkedYAMLError as error:
            line_from_0, context_line = (mark.line if mark else None for mark in (error.problem_mark, error.context_mark))
            raise self._fault(*explain_syntax(error.problem or "", line_from_0, context_line)) from None
        except RecursionError:
            raise SuiteError(Problem(self._shown, "is nested too deeply", "write it flatter")) from None

    def _construct(self, loader: _Loader, node: yaml.Node, place: Place) -> Any:
        line = node.start_mark.line + 1
        self.lines.setdefault(place, line)
        if len(self.lines) > _MOST_NODES:
            raise SuiteError(Problem(self._shown, "is too large, or repeats itself by aliases", "split it into several files"))
        if isinstance(node, yaml.SequenceNode):
            return [self._construct(loader, item, (*place, index)) for index, item in enumerate(node.value)]
        if isinstance(node, yaml.MappingNode):
            return self._construct_mapping(loader, node, place)
        try:
            return loader.construct_object(node)
        except (ValueError, yaml.constructor.ConstructorError):
            raise self._fault(line, "has a tag (a word with ! in front) that does not fit", "remove the tag") from None

    def _construct_mapping(self, loader: _Loader, node: yaml.MappingNode, place: Place) -> dict[str, Any]:
        values: dict[str, Any] = {}
        for key_node, value_node in node.value:
            line = key_node.start_mark.line + 1
            key = str(key_node.value)
            if not isinstance(key_node, yaml.ScalarNode):
                self.problems.append(Problem(f"{self._shown}:{line}", "has a key that is no word", "put quotes around it"))
            elif key in values:
                self.problems.append(Problem(f"{self._shown}:{line}", f'"{key}" stands here twice', "keep one of them"))
            else:
                self.lines[*place, key] = line
                values[key] = self._construct(loader, value_node, (*place, key))
        return values

    def _fault(self, line: int, what: str, fix: str) -> SuiteError:
        return SuiteError(Problem(f"{self._shown}:{line}", what, fix))
