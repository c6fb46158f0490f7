"""regex: patterns that must match, patterns that must not."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, Field, model_validator

from exporter.suites.graders.base import Grader
from exporter.suites.patterns import compile_pattern


def _check_pattern(pattern: str) -> str:
    try:
        compile_pattern(pattern)
    except ValueError as error:
        raise ValueError(f"does not compile: {error}; write it in RE2's syntax (no look-around, no back-references)") from None
    return pattern


RePattern = Annotated[str, Field(min_length=1), AfterValidator(_check_pattern)]


class Regex(Grader):
    """All of `patterns` match somewhere in the answer and none of `forbid` does. RE2 syntax; flags as in `(?i)`."""

    kind: Literal["regex"]
    patterns: tuple[RePattern, ...] = ()
    forbid: tuple[RePattern, ...] = ()

    @model_validator(mode="after")
    def _check_any(self) -> Regex:
        if not self.patterns and not self.forbid:
            raise ValueError("has no pattern; add patterns, forbid, or both")
        return self

    def accepts(self, answer: str) -> bool:
        """Whether every pattern matches and no forbidden one does."""
        return all(compile_pattern(pattern).matches(answer) for pattern in self.patterns) and not any(
            compile_pattern(pattern).matches(answer) for pattern in self.forbid
        )
