"""What PyYAML complains about, in words for the author of a file. Never a part of the file: it may be a secret."""

from __future__ import annotations

DEEPEST = 40
"""Levels that a file may be nested."""

TOO_DEEP = f"nested more than {DEEPEST} levels deep"
_SYNTAX = (
    (TOO_DEEP, TOO_DEEP, "write it flatter"),
    ("found another document", "a second YAML document", "keep one, and remove the --- line before the other"),
    ("undefined alias", "an alias (*name) whose anchor (&name) is not defined above it", "define it, or put the value in quotes"),
    ("second occurrence", "an anchor (&name) that is defined twice", "give one of them another name"),
    ("'\\t'", "a tab where spaces belong", "indent with spaces"),
    ("cannot start any token", "a character that must not come first in a plain value", "put the value in quotes"),
    (
        "mapping values are not allowed",
        "a wrong indentation, or a second ': ' in a plain value",
        "align the keys, or put the value in quotes",
    ),
    ("unexpected end of stream", "a quote that is never closed", "close it"),
    ("expected ',' or", "a bracket or brace that is never closed", "close it, and put commas between its items"),
    ("escape character", "an unknown escape after a backslash in double quotes", "use single quotes"),
    ("expected <block end>", "a wrong indentation, or a list item without its dash", "align the keys of each block"),
    ("could not find expected ':'", "a key without ': ' after it", "write it as key: value"),
)
"""What PyYAML says, what is shown instead, and how to mend it."""

_BEGUN_EARLIER = ("unexpected end of stream", "expected ',' or", "could not find expected ':'")


def explain_syntax(said: str, line: int | None, context_line: int | None) -> tuple[int, str, str]:
    """Line (from 1), what and how to mend it, for PyYAML's `problem` and the lines (from 0) of its two marks, as far as they are known."""
    fault = "check the indentation, and put values with special characters in quotes"
    what, fix = next(((f"not valid YAML: {what}", fix) for words, what, fix in _SYNTAX if words in said), ("not valid YAML", fault))
    begun_earlier = context_line is not None and any(words in said for words in _BEGUN_EARLIER)
    shown = context_line if begun_earlier else line
    return (1 if shown is None else shown + 1), what, fix
