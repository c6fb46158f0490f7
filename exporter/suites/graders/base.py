"""What every grader is: its settings as they stand in the suite file, and a pure rule."""

from __future__ import annotations

from abc import ABC, abstractmethod

from pydantic import BaseModel, ConfigDict


class Grader(BaseModel, ABC):
    """Settings are checked when the suite is loaded; `accepts` never raises, whatever the text."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    kind: str

    @abstractmethod
    def accepts(self, answer: str) -> bool:
        """Whether this extracted answer is right."""
