"""A parsed suite file that knows the line of everything in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from exporter.suites.wording import Path, show_path


@dataclass(frozen=True, slots=True)
class Document:
    """`shown` is what people call the file; `lines` counts from 1 and may lack places."""

    shown: str
    value: Any
    lines: Mapping[Path, int]

    def where(self, path: Path) -> str:
        """File, line and place: `our.yml:7: questions[2].grader.kind`. A place with no line has that of what holds it."""
        known = path
        while known and known not in self.lines:
            known = known[:-1]
        line = self.lines.get(known)
        head = self.shown if line is None else f"{self.shown}:{line}"
        return f"{head}: {show_path(path)}" if path else head
