"""The shapes of a suite file: one class per YAML block. The shapes of graders are in `graders`, one file per kind."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, JsonValue, ValidationInfo, field_validator

from exporter.records import OVERALL, Extract
from exporter.suites.instruction import Language
from exporter.suites.schemas import check_schema

SMALLEST_ANSWER_LINE_TOKENS = 16
_TOOL_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")


def _check_name(name: str) -> str:
    if not name.isprintable() or name != name.strip() or not name:
        raise ValueError("must be one line of printable characters, with no space around it")
    return name


def _check_area(area: str) -> str:
    if area == OVERALL:
        raise ValueError(f'"{OVERALL}" is the name of the whole set; choose another area')
    return area


def _check_tool_name(name: str) -> str:
    if not _TOOL_NAME.fullmatch(name):
        raise ValueError("is no name that every API takes for a tool; use letters, digits, _ and -, at most 64 of them")
    return name


def _check_parameters(parameters: dict[str, JsonValue]) -> dict[str, JsonValue]:
    check_schema(parameters)
    if parameters.get("type") != "object":
        raise ValueError("does not describe an object; add type: object")
    return parameters


def _check_tools(tools: tuple[ToolBlock, ...]) -> tuple[ToolBlock, ...]:
    names = [tool.name for tool in tools]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise ValueError(f'has two tools called "{twice}"; give each its own name')
    return tools


Name = Annotated[str, Field(max_length=128), AfterValidator(_check_name)]
"""What becomes a label: a suite, a question's id, an area."""

Text = Annotated[str, Field(pattern=r"\S")]


class Block(BaseModel):
    """Unknown keys are refused; values do not change after loading."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class SuiteBlock(Block):
    """The file. `language` is that of its questions unless they say otherwise; `questions` are QuestionBlocks, checked one by one."""

    suite: Name
    language: Language = Language.EN
    questions: Annotated[tuple[Any, ...], Field(min_length=1)]


class ToolBlock(Block):
    """A tool that is offered with a question. `parameters` is a JSON Schema."""

    name: Annotated[str, AfterValidator(_check_tool_name)]
    description: Text
    parameters: Annotated[dict[str, JsonValue], AfterValidator(_check_parameters)]


class QuestionBlock(Block):
    """One question. `language` chooses the words of the answer-line instruction; `grader` is checked by its kind's own class."""

    id: Name
    area: Annotated[Name, AfterValidator(_check_area)]
    prompt: Text
    language: Language | None = None
    tools: Annotated[tuple[ToolBlock, ...], AfterValidator(_check_tools)] = ()
    extract: Literal["answer_line", "full", "code", "tool_call"] = "answer_line"
    grader: dict[str, Any]
    reference: Text
    wrong_reference: Text | None = None
    max_tokens: Annotated[int, Field(ge=1, le=1_000_000)] = 1024

    @field_validator("max_tokens")
    @classmethod
    def _check_room(cls, max_tokens: int, info: ValidationInfo) -> int:
        if info.data.get("extract") == Extract.ANSWER_LINE and max_tokens < SMALLEST_ANSWER_LINE_TOKENS:
            raise ValueError(f"leaves no room for an ANSWER line; allow {SMALLEST_ANSWER_LINE_TOKENS} or more, or set extract: full")
        return max_tokens
