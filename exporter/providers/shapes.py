"""Reading JSON that may have any shape: each function gives a value of its type, or says that there is none."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

_MOST_TOKENS = 1_000_000_000
_NAME_CHARACTERS = 256


def as_object(value: object) -> Mapping[str, Any]:
    """A JSON object, or an empty one."""
    return value if isinstance(value, dict) else {}


def as_list(value: object) -> list[Any]:
    """A JSON array, or an empty one."""
    return value if isinstance(value, list) else []


def as_text(value: object) -> str:
    """A string that every encoder takes, or an empty one. Halves of a character that a stream tore apart are joined again."""
    if not isinstance(value, str):
        return ""
    return value if value.isascii() else value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def as_name(value: object) -> str | None:
    """An id or name on one line, at most 256 characters; None where there is none."""
    text = as_text(value)[: 4 * _NAME_CHARACTERS]
    if not text.isprintable():
        text = "".join(character if character.isprintable() else " " for character in text)
    return " ".join(text.split())[:_NAME_CHARACTERS] or None


def as_count(value: object) -> int | None:
    """A number of tokens: whole, not negative, and believable. None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if isinstance(value, float) and not (math.isfinite(value) and value.is_integer()):
        return None
    return int(value) if 0 <= value <= _MOST_TOKENS else None
