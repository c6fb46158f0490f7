"""The shapes of a suite file: one class per YAML block. The shapes of graders are in `graders`, one file per kind."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationInfo, field_validator

from exporter.records import OVERALL, Extract
from exporter.suites.instruction import Language

SMALLEST_ANSWER_LINE_TOKENS = 16


def _check_name(name: str) -> str:
    if not name.isprintable() or name != name.strip() or not name:
        raise ValueError("must be one line of printable characters, with no space around it")
    return name


def _check_area(area: str) -> str:
    if area == OVERALL:
        raise ValueError(f'"{OVERALL}" is the name of the whole set; choose another area')
    return area


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


class QuestionBlock(Block):
    """One question. `language` chooses the words of the answer-line instruction; `grader` is checked by its kind's own class."""

    id: Name
    area: Annotated[Name, AfterValidator(_check_area)]
    prompt: Text
    language: Language | None = None
    extract: Literal["answer_line", "full", "code"] = "answer_line"
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
