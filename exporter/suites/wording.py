"""What pydantic finds, in words for the author of a suite."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Any

from pydantic_core import ErrorDetails

from exporter.errors import split_told

Path = tuple[str | int, ...]
"""A place in a suite file: keys and list positions from the top."""


def show_path(path: Path) -> str:
    """A place as people write it: questions[2].grader.patterns[0]."""
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).lstrip(".")


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A hint at the nearest known word; empty where none is near."""
    near = difflib.get_close_matches(word, list(known), n=1)
    return f'did you mean "{near[0]}"?' if near else ""


_SHAPES = {
    "string_type": ("must be a text", "write a text"),
    "string_unicode": ("must be a text with whole characters", "write the character itself"),
    "tuple_type": ("must be a list", "write its items in [ ], or each on a line with a dash"),
    "dict_type": ("must be a mapping of keys to values", "write key: value"),
    "int_type": ("must be a whole number", "write it in digits"),
    "int_parsing": ("must be a whole number", "write it in digits"),
    "int_from_float": ("must be a whole number", "write it in digits"),
    "float_type": ("must be a number", "write it in digits"),
    "float_parsing": ("must be a number", "write it in digits"),
    "bool_type": ("must be true or false", "write one of the two"),
    "bool_parsing": ("must be true or false", "write one of the two"),
}
_KINDS: tuple[tuple[type | tuple[type, ...], str], ...] = (
    (bool, "true or false"),
    ((int, float), "a number"),
    (str, "a text"),
    ((list, tuple), "a list"),
    (dict, "a mapping"),
)


def say(error: ErrorDetails, keys: Iterable[str]) -> tuple[str, str]:
    """What is wrong and how to mend it. `keys` are the keys known where an unknown one stands."""
    context: dict[str, Any] = error.get("ctx", {})
    given = error["input"]
    kind = error["type"]
    if kind in _SHAPES:
        what, fix = _SHAPES[kind]
        return f"{what}, not {_name_kind(given)}", "put it in quotes" if kind == "string_type" and isinstance(given, int | float) else fix
    match kind:
        case "missing":
            return "missing", f"add {error['loc'][-1]}"
        case "extra_forbidden":
            return "unknown key", did_you_mean(str(error["loc"][-1]), keys) or f"known keys: {', '.join(keys)}"
        case "enum" | "literal_error":
            expected = str(context["expected"]).replace("'", "").replace(" or ", ", ")
            return f'"{given}" is unknown', did_you_mean(str(given), expected.split(", ")) or f"use one of {expected}"
        case "too_short":
            return "is empty", "give at least one"
        case "string_too_short" | "string_pattern_mismatch":
            return "is empty", "write something that can be seen"
        case "value_error":
            return split_told(context["error"])
        case _:
            words = error["msg"].replace("Input should", "must")
            return f"{words[:1].lower()}{words[1:]}", ""


def _name_kind(value: object) -> str:
    return next((name for types, name in _KINDS if isinstance(value, types)), "nothing" if value is None else "this")
