from __future__ import annotations

import re

import pytest

from exporter.suites.generate.puzzle import Level
from exporter.suites.generate.units import make_units
from tests.suites.generate.made import LEVELS, puzzles_of

METRIC = {"millimetres": 1, "centimetres": 10, "metres": 1000, "kilometres": 1_000_000, "grams": 1, "kilograms": 1000, "tonnes": 1_000_000}
TIME = {"seconds": 1, "minutes": 60, "hours": 3600, "days": 86_400, "weeks": 604_800}
SIZES = {**METRIC, **TIME, "inches": 1, "feet": 12, "yards": 36, "miles": 63_360}
UNIT = "|".join(SIZES)


def solve(prompt: str, units: int) -> float:
    """In the very smallest unit first, then divided by the one that is asked for."""
    parts = [int(count) * SIZES[unit] for count, unit in re.findall(rf"(\d+) ({UNIT})", prompt)]
    (asked,) = re.findall(rf"(?<![\d] )\b({UNIT})\b", prompt)
    many = [int(count) for count in re.findall(rf"(\d+)\b(?! (?:{UNIT}))", prompt)] or [1]
    return (many[0] * sum(parts[:units]) - sum(parts[units:])) / SIZES[asked]


@pytest.mark.parametrize(("level", "units"), [*zip(LEVELS, (2, 3, 3), strict=True)])
def test_the_answer_is_what_the_words_come_to(level: Level, units: int) -> None:
    for puzzle in puzzles_of(make_units, level, 60):
        assert float(puzzle.answer) == solve(puzzle.prompt, units), puzzle.prompt


def test_a_harder_level_has_more_numbers_in_it() -> None:
    assert [{len(re.findall(r"\d+", puzzle.prompt)) for puzzle in puzzles_of(make_units, level, 40)} for level in LEVELS] == [{2}, {4}, {7}]
