"""exact: the answer is one of these."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from exporter.suites.graders.base import Grader
from exporter.suites.text import fold, trim


class Exact(Grader):
    """Forgives Unicode form, case, white space and punctuation around the answer.

    `case_sensitive` keeps case; `strict` forgives nothing but white space around the answer.
    """

    kind: Literal["exact"]
    answers: Annotated[tuple[Annotated[str, Field(pattern=r"\S")], ...], Field(min_length=1)]
    case_sensitive: bool = False
    strict: bool = False

    def accepts(self, answer: str) -> bool:
        """Whether the answer is one of `answers`."""
        return self._normal(answer) in {self._normal(right) for right in self.answers}

    def _normal(self, text: str) -> str:
        return text.strip() if self.strict else trim(fold(text, keep_case=self.case_sensitive))
