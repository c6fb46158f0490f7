"""Every answer is worked out again from the words of the question."""

from __future__ import annotations

import math
import re

import pytest

from exporter.suites.generate.arithmetic import make_arithmetic
from exporter.suites.generate.puzzle import Level
from tests.suites.generate.made import LEVELS, puzzles_of


def solve(prompt: str) -> int:
    """Sums from left to right, products first; remainders by taking away; change in whole cents."""
    if "note" in prompt:
        (note,) = re.findall(r"a (\d+) euro note", prompt)
        bought = re.findall(r"(\d+) [a-z]+s at (\d+)\.(\d\d) euros each", prompt)
        return int(note) * 100 - sum(int(count) * int(euros + cents) for count, euros, cents in bought)
    if "remainder" in prompt or "left over" in prompt:
        *factors, divisor = map(int, re.findall(r"\d+", prompt))
        left = math.prod(factors)
        return left - left // divisor * divisor
    (expression,) = re.findall(r"\d[\d ×+−]*\d", prompt)
    total = 0
    for sign, term in re.findall(r"([+−]?) ?(\d+(?: × \d+)*)", expression):
        total += (-1 if sign == "−" else 1) * math.prod(map(int, term.split(" × ")))
    return total


@pytest.mark.parametrize("level", LEVELS)
def test_the_answer_is_what_the_words_come_to(level: Level) -> None:
    for puzzle in puzzles_of(make_arithmetic, level, 60):
        assert puzzle.answer == str(solve(puzzle.prompt)), puzzle.prompt


def test_a_harder_level_has_more_to_multiply() -> None:
    digits = [sum(len(re.sub(r"\D", "", puzzle.prompt)) for puzzle in puzzles_of(make_arithmetic, level, 60)) for level in LEVELS]
    assert digits[0] * 1.3 < digits[1]
    assert digits[1] * 1.3 < digits[2]
