"""A document becomes questions; everything wrong with it is found at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from exporter.errors import Problem
from exporter.records import Extract, Question, ToolSpec
from exporter.suites.document import Document
from exporter.suites.graders import GRADERS
from exporter.suites.grading import find_reference_faults
from exporter.suites.instruction import add_instruction
from exporter.suites.model import QuestionBlock, SuiteBlock, ToolBlock
from exporter.suites.text import canonical_json, digest
from exporter.suites.tool_faults import find_tool_faults
from exporter.suites.wording import Path, did_you_mean, say

_NAMELESS = SuiteBlock(suite="?", questions=(None,))
"""Stands in for a file's head that is not sound, so that its questions are checked all the same."""

Shape = TypeVar("Shape", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class PlacedQuestion:
    """A question and where it stands."""

    question: Question
    document: Document
    path: Path

    def where(self, *inner: str | int) -> str:
        """File, line and place of the question, or of a key in it."""
        return self.document.where((*self.path, *inner))


def read_document(document: Document) -> tuple[list[PlacedQuestion], list[Problem]]:
    """The questions that are sound, and what is wrong with the others and with the file."""
    problems: list[Problem] = []
    suite = _check(SuiteBlock, document, (), problems) or _NAMELESS
    questions = []
    blocks = document.value.get("questions") if isinstance(document.value, dict) else None
    for index, _ in enumerate(blocks if isinstance(blocks, list) else []):
        placed = _read_question(document, ("questions", index), suite, problems)
        if placed:
            questions.append(placed)
    return questions, problems


def _read_question(document: Document, path: Path, suite: SuiteBlock, problems: list[Problem]) -> PlacedQuestion | None:
    block = _check(QuestionBlock, document, path, problems)
    settings = _read_grader(document, (*path, "grader"), problems)
    if block is None or settings is None:
        return None
    placed = PlacedQuestion(_build(block, settings, suite), document, path)
    mismatches = find_tool_faults(placed.question)
    faults = [Problem(placed.where(*place), what, fix) for place, what, fix in mismatches] or [
        Problem(placed.where(key), what, fix) for key, what, fix in find_reference_faults(placed.question)
    ]
    problems.extend(faults)
    return placed


def _read_grader(document: Document, path: Path, problems: list[Problem]) -> dict[str, Any] | None:
    """The grader's settings without those that only repeat a default: a new setting must not change the key of old questions."""
    settings = _value_at(document.value, path)
    if not isinstance(settings, dict):
        return None
    kind = settings.get("kind")
    if "kind" not in settings:
        problems.append(Problem(document.where(path), "has no kind", f"add kind: one of {', '.join(GRADERS)}"))
        return None
    if not isinstance(kind, str) or kind not in GRADERS:
        fix = did_you_mean(str(kind), GRADERS) or f"use one of {', '.join(GRADERS)}"
        problems.append(Problem(document.where((*path, "kind")), f'"{kind}" is unknown', fix))
        return None
    grader = _check(GRADERS[kind], document, path, problems)
    return None if grader is None else grader.model_dump(mode="json", exclude_defaults=True)


def _build(block: QuestionBlock, settings: Mapping[str, Any], suite: SuiteBlock) -> Question:
    prompt = block.prompt.rstrip()
    if block.extract == "answer_line":
        prompt = add_instruction(prompt, block.language or suite.language)
    tools = [tool.model_dump() for tool in block.tools]
    identity = {"prompt": prompt, "grader": settings, "extract": block.extract, "tools": tools, "max_tokens": block.max_tokens}
    return Question(
        key=digest(canonical_json(identity)),
        id=block.id,
        suite=suite.suite,
        area=block.area,
        prompt=prompt,
        extract=Extract(block.extract),
        grader=settings,
        reference=block.reference,
        wrong_reference=block.wrong_reference,
        max_tokens=block.max_tokens,
        tools=tuple(ToolSpec(**tool) for tool in tools),
    )


def _check(shape: type[Shape], document: Document, path: Path, problems: list[Problem]) -> Shape | None:
    try:
        return shape.model_validate(_value_at(document.value, path))
    except ValidationError as error:
        for detail in error.errors(include_url=False):
            place = (*path, *detail["loc"])
            if detail["type"] == "too_short" and detail["input"]:
                continue  # a list of items that are all wrong: pydantic calls it empty too
            if detail["type"] == "model_type":
                fix = f"its keys are {', '.join(_keys(shape, detail['loc']))}"
                problems.append(Problem(document.where(place), "must be a mapping of keys to values", fix))
            else:
                problems.append(Problem(document.where(place), *say(detail, _keys(shape, detail["loc"]))))
        return None


def _keys(shape: type[BaseModel], place: Path) -> list[str]:
    """The keys known at a place inside a shape."""
    if shape is QuestionBlock and place[:1] == ("tools",):
        shape = ToolBlock
    return [field.alias or name for name, field in shape.model_fields.items()]


def _value_at(value: Any, path: Sequence[str | int]) -> Any:
    for step in path:
        try:
            value = value[step]
        except (KeyError, TypeError):
            return None
    return value
