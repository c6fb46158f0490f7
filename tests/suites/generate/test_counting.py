from __future__ import annotations

import re

import pytest

from exporter.suites.generate.counting import make_counting
from exporter.suites.generate.puzzle import Level
from tests.suites.generate.made import LEVELS, puzzles_of


def solve(prompt: str) -> int:
    """By cutting the text at what is counted: one piece more than there are of it."""
    parts = prompt.split("\n\n")
    (asked,), (text,) = ([part for part in parts if ("Answer" in part or "answer" in part) == wanted] for wanted in (True, False))
    (kind, what) = re.findall(r'(letter|digit|word) "?(\w+)', asked)[0]
    if kind == "word":
        return len([item for item in text.split(", ") if item == what])
    return len(text.split(what)) - 1


@pytest.mark.parametrize("level", LEVELS)
def test_the_answer_is_what_is_there(level: Level) -> None:
    for puzzle in puzzles_of(make_counting, level, 60):
        assert puzzle.answer == str(solve(puzzle.prompt)), puzzle.prompt


def test_there_is_always_something_to_count() -> None:
    assert all(int(puzzle.answer) > 0 for level in LEVELS for puzzle in puzzles_of(make_counting, level, 60))
