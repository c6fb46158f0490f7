from __future__ import annotations

import re

import pytest

from exporter.suites.generate.dates import make_dates
from exporter.suites.generate.puzzle import Level
from tests.suites.generate.made import LEVELS, puzzles_of
from tests.suites.generate.walking import Day, step

MONTHS = "January February March April May June July August September October November December"


def dates_in(prompt: str) -> list[Day]:
    found = re.findall(rf"(\d+) ({MONTHS.replace(' ', '|')}) (\d{{4}})", prompt)
    return [(int(year), MONTHS.split().index(month) + 1, int(day)) for day, month, year in found]


def solve(prompt: str) -> str:
    """One day after the other, as on a calendar."""
    day, *later = dates_in(prompt)
    if later:
        days = 0
        while day != later[0]:
            day = step(day, 1)
            days += 1
        return str(days)
    for days_text, way in re.findall(r"(\d+) days (back|forward|before|after)", prompt):
        for _ in range(int(days_text)):
            day = step(day, -1 if way in ("back", "before") else 1)
    return "{}-{:02}-{:02}".format(*day)


@pytest.mark.parametrize("level", LEVELS)
def test_the_answer_is_where_a_calendar_leads(level: Level) -> None:
    for puzzle in puzzles_of(make_dates, level, 40):
        dates = dates_in(puzzle.prompt)
        prompt = puzzle.prompt
        if len(dates) == 2 and dates[0] > dates[1]:
            pytest.fail(prompt)
        assert puzzle.answer == solve(prompt), prompt


def test_every_form_of_a_date_that_is_taken_means_that_date() -> None:
    for puzzle in puzzles_of(make_dates, "easy", 40):
        for form in puzzle.grader.get("answers", ()):
            day = re.sub(r"(\w+) (\d+), (\d+)", r"\2 \1 \3", form)
            spelled = dates_in(day) or [tuple(map(int, re.split("[-/]", form)))]
            assert "{}-{:02}-{:02}".format(*spelled[0]) == puzzle.answer


def test_a_harder_level_goes_further() -> None:
    steps = [
        {len(re.findall(r"\d days (?:back|forward|before|after)", one.prompt)) for one in puzzles_of(make_dates, lv, 40)} for lv in LEVELS
    ]
    assert steps == [{0, 1}, {0, 2}, {0, 4}]
