"""What every grader is: its settings as they stand in the suite file, and a pure rule."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

from pydantic import BaseModel, ConfigDict


class Grader(BaseModel, ABC):
    """Settings are checked when the suite is loaded; `accepts` never raises, whatever the text."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    grades_refusals: ClassVar[bool] = False
    """Whether a refusal that a provider tells of in a field of its own is an answer here; elsewhere such an answer is unusable."""

    kind: str

    @abstractmethod
    def accepts(self, answer: str) -> bool:
        """Whether this extracted answer is right."""

    def accepts_refusal(self) -> bool:
        """Whether a refusal in a field of its own is right."""
        return False
