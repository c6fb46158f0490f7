"""Regular expressions that take linear time whatever the text. The only importer of RE2."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import re2  # type: ignore[import-untyped] # google-re2 ships no types


class Pattern:
    """A compiled RE2 pattern. Patterns and texts must be free of lone surrogates."""

    def __init__(self, pattern: str) -> None:
        options = re2.Options()
        options.log_errors = False
        try:
            self._compiled: Any = re2.compile(pattern, options)
        except re2.error as error:
            raise ValueError(error.args[0].decode("utf-8", "replace")) from None

    def matches(self, text: str) -> bool:
        """Whether the pattern matches anywhere in the text."""
        return self._compiled.search(text) is not None

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Start and end of every match, in order."""
        return [match.span() for match in self._compiled.finditer(text)]

    def groups(self, text: str) -> tuple[str, ...]:
        """What the groups of the first match hold; empty where nothing matches, or there are no groups."""
        match = self._compiled.search(text)
        return () if match is None else tuple(match.groups())

    def replace(self, text: str, replacement: str) -> str:
        r"""The text with every match replaced; `\1` is the first group."""
        replaced: str = self._compiled.sub(replacement, text)
        return replaced


@lru_cache(maxsize=4096)
def compile_pattern(pattern: str) -> Pattern:
    """The compiled pattern, compiled once. Raises ValueError with RE2's own words where it does not compile."""
    return Pattern(pattern)
