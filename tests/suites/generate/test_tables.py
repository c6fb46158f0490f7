from __future__ import annotations

import re

import pytest

from exporter.suites.generate.puzzle import Level
from exporter.suites.generate.tables import make_tables
from tests.suites.generate.made import LEVELS, puzzles_of

ROW = re.compile(r"^\W*([a-z]+)\W+([A-D])\W+(\d+)\W+(\d+)\W*$", re.MULTILINE)


def solve(prompt: str) -> int:
    rows = ROW.findall(prompt)
    asked = ROW.sub("", prompt)
    items = [word for word in re.findall('"([a-z]+)"', asked) if word != "stock"]
    if items:
        (stock,) = [stock for item, _, stock, _ in rows if [item] == items]
        return int(stock)
    (shelf,) = re.findall(r"shelf ([A-D])", asked)
    above = re.findall(r"(?:above|more than) (\d+)", asked)
    total = 0
    for _, place, stock, price in rows:
        if place == shelf:
            total += (int(stock) * int(price) if int(price) > int(above[0]) else 0) if above else int(stock)
    return total


@pytest.mark.parametrize(("level", "rows"), [*zip(LEVELS, (6, 14, 30), strict=True)])
def test_the_answer_is_what_the_table_says(level: Level, rows: int) -> None:
    for puzzle in puzzles_of(make_tables, level, 60):
        assert len(ROW.findall(puzzle.prompt)) == rows
        assert puzzle.answer == str(solve(puzzle.prompt)), puzzle.prompt
        assert int(puzzle.answer) > 0
