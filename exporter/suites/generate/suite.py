"""A seed becomes a suite, in the shape of a suite file."""

from __future__ import annotations

from typing import Any

from exporter.suites.generate.arithmetic import make_arithmetic
from exporter.suites.generate.calendars import make_calendars
from exporter.suites.generate.counting import make_counting
from exporter.suites.generate.dates import make_dates
from exporter.suites.generate.draw import Draw
from exporter.suites.generate.knights import make_knights
from exporter.suites.generate.numerals import make_numerals
from exporter.suites.generate.ordering import make_ordering
from exporter.suites.generate.puzzle import Family, Level, Puzzle
from exporter.suites.generate.records import make_records
from exporter.suites.generate.sorting import make_sorting
from exporter.suites.generate.strings import make_strings
from exporter.suites.generate.tables import make_tables
from exporter.suites.generate.units import make_units

GENERATED = "generated"
"""What the suite is called, in its file and in `suites:`."""

FAMILIES: dict[str, tuple[Family, ...]] = {
    "reasoning": (make_arithmetic, make_dates, make_ordering, make_units, make_knights),
    "language": (make_counting, make_sorting, make_strings),
    "data": (make_tables, make_records),
    "japanese": (make_numerals, make_calendars),
}
"""The families of each area. Two of the areas are those of the suite core, and become one with them."""

AREAS = tuple(FAMILIES)
_MAX_TOKENS = {"easy": 1024, "medium": 2048, "hard": 4096}


def generate_suite(seed: bytes, level: Level, count: int) -> dict[str, Any]:
    """`count` questions, the areas in turn; no two are the same, and the first ones stay as they are when more are asked for."""
    blocks = []
    prompts: set[str] = set()
    for index in range(count):
        area = AREAS[index % len(AREAS)]
        families = FAMILIES[area]
        puzzle = _make_new(families[index // len(AREAS) % len(families)], seed, level, index, prompts)
        blocks.append(_as_block(puzzle, f"gen-{level}-{index + 1:03}", area, _MAX_TOKENS[level]))
    return {"suite": GENERATED, "questions": blocks}


def _make_new(family: Family, seed: bytes, level: Level, index: int, prompts: set[str]) -> Puzzle:
    """A question that does not stand in `prompts`, where it is put."""
    attempt = 0
    while True:
        puzzle = family(Draw(seed, level, index, attempt), level)
        if puzzle.prompt not in prompts:
            prompts.add(puzzle.prompt)
            return puzzle
        attempt += 1


def _as_block(puzzle: Puzzle, question_id: str, area: str, max_tokens: int) -> dict[str, Any]:
    mark = "" if puzzle.whole else "ANSWER: "
    return {
        "id": question_id,
        "area": area,
        "prompt": puzzle.prompt,
        **({} if puzzle.language == "en" else {"language": puzzle.language}),
        **({"extract": "full"} if puzzle.whole else {}),
        "grader": dict(puzzle.grader),
        "reference": f"{mark}{puzzle.answer}",
        "wrong_reference": f"{mark}{puzzle.wrong}",
        "max_tokens": max_tokens,
    }
