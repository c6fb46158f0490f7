"""Where in the file a setting stands, so that every room above can say it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from exporter.config.words import quote

KeyPath = tuple[str | int, ...]
"""A setting: ("targets", 1, "price")."""

_PLAIN_KEY = re.compile(r"[A-Za-z0-9_-]{1,60}")


def dotted(path: KeyPath) -> str:
    """The path as messages write it: `targets[1].price`."""
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part}]"
        else:
            text += ("." if text else "") + (part if _PLAIN_KEY.fullmatch(part) else quote(part))
    return text


@dataclass(frozen=True, slots=True)
class Places:
    """The line of every setting of one file, seen from the setting at `start`.

    Any two are equal: a configuration is the same whatever lines it stands on.
    """

    file: str = field(default="", compare=False)
    lines: Mapping[KeyPath, int] = field(default_factory=dict, compare=False)
    start: KeyPath = field(default=(), compare=False)

    def below(self, *path: str | int) -> Places:
        """The same places, seen from a setting further down."""
        return Places(self.file, self.lines, (*self.start, *path))

    def line(self, *path: str | int) -> int | None:
        """Line of the setting, counted from 1; of the block it belongs in where it is missing; None where nothing is known."""
        whole = (*self.start, *path)
        return next((self.lines[whole[:end]] for end in range(len(whole), -1, -1) if whole[:end] in self.lines), None)

    def locate(self, *path: str | int) -> str:
        """`config.yml:14: targets[1].price`, as far as each part is known."""
        line = self.line(*path)
        file = f"{self.file}:{line}" if self.file and line else self.file
        return ": ".join(part for part in (file, dotted((*self.start, *path))) if part)
