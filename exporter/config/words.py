"""How values and kinds of values are named in messages. Always one line, never long."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

_SHOWN_CHARACTERS = 60


def quote(value: object) -> str:
    """A value as a message shows it: text in quotes and cut to 60 characters; of lists and mappings only what they are."""
    match value:
        case bool():
            return str(value).lower()
        case str() | int() | float():
            shown = repr(value)
            return shown if len(shown) <= _SHOWN_CHARACTERS else f"{shown[: _SHOWN_CHARACTERS - 1]}…"
        case _:
            return kind(value)


def kind(value: object) -> str:
    """What sort of thing a value is, without telling the value."""
    match value:
        case None:
            return "nothing"
        case bool():
            return "true or false"
        case int() | float():
            return "a number"
        case str():
            return "text"
        case list() | tuple():
            return "a list"
        case _:
            return "a mapping"


def closest(word: str, known: Iterable[str]) -> str | None:
    """The known word that `word` was probably meant to be."""
    return next(iter(difflib.get_close_matches(word[:_SHOWN_CHARACTERS], list(known), n=1, cutoff=0.6)), None)
