"""What pydantic finds, in words for the author of a suite."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Any

from pydantic_core import ErrorDetails

Path = tuple[str | int, ...]
"""A place in a suite file: keys and list positions from the top."""


def show_path(path: Path) -> str:
    """A place as people write it: questions[2].grader.patterns[0]."""
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).lstrip(".")


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A hint at the nearest known word; empty where none is near."""
    near = difflib.get_close_matches(word, list(known), n=1)
    return f'did you mean "{near[0]}"?' if near else ""


def say(error: ErrorDetails, keys: Iterable[str]) -> tuple[str, str]:
    """What is wrong and how to mend it. `keys` are the keys known where an unknown one stands."""
    context: dict[str, Any] = error.get("ctx", {})
    match error["type"]:
        case "missing":
            return "missing", f"add {error['loc'][-1]}"
        case "extra_forbidden":
            return "unknown key", did_you_mean(str(error["loc"][-1]), keys) or f"known keys: {', '.join(keys)}"
        case "string_type":
            return f"must be a text, not {_kind(error['input'])}", "put it in quotes"
        case "enum" | "literal_error":
            given = str(error["input"])
            expected = str(context["expected"]).replace("'", "").replace(" or ", ", ")
            return f'"{given}" is unknown', did_you_mean(given, expected.split(", ")) or f"use one of {expected}"
        case "too_short" | "string_too_short":
            return "is empty", "give at least one"
        case "string_pattern_mismatch":
            return "is empty", "write something that can be seen"
        case "value_error":
            what, _, fix = str(context["error"]).partition("; ")
            return what, fix
        case _:
            words = error["msg"].replace("Input should be", "must be").replace("Value error, ", "")
            return f"{words[:1].lower()}{words[1:]}", ""


def _kind(value: object) -> str:
    match value:
        case bool():
            return "true or false"
        case int() | float():
            return "a number"
        case None:
            return "nothing"
        case list() | tuple():
            return "a list"
        case dict():
            return "a mapping"
        case _:
            return "this"
