from __future__ import annotations

import re
from datetime import date, timedelta

import pytest

from exporter.suites.generate.calendars import era_forms, make_calendars
from exporter.suites.generate.puzzle import Level
from tests.suites.generate.made import LEVELS, puzzles_of
from tests.suites.generate.walking import Day, step

YEAR_ZERO = {"明治": 1867, "大正": 1911, "昭和": 1925, "平成": 1988, "令和": 2018}
FIRST_DAYS = {"令和": (2019, 5, 1), "平成": (1989, 1, 8), "昭和": (1926, 12, 25), "大正": (1912, 7, 30), "明治": (1873, 1, 1)}
ERA = "|".join(YEAR_ZERO)


def in_era(day: Day) -> str:
    name = next(name for name, first in FIRST_DAYS.items() if first <= day)
    return f"{name}{day[0] - YEAR_ZERO[name]}年{day[1]}月{day[2]}日"


def solve(prompt: str) -> str:
    asked = prompt.replace("「平成5年6月7日」", "")
    western = re.findall(r"(\d{4})年(\d+)月(\d+)日", asked)
    if western:
        year, month, day = map(int, western[0])
        return in_era((year, month, day))
    days = re.findall(rf"({ERA})(\d+|元)年(?:(\d+)月(\d+)日)?", asked)
    years = sorted(YEAR_ZERO[name] + (1 if year == "元" else int(year)) for name, year, _, _ in days)
    if len(years) == 2:
        return str(years[1] - years[0])
    if not days[0][2]:
        return str(years[0])
    date = (years[0], int(days[0][2]), int(days[0][3]))
    for _ in range(int(re.findall(r"(?:の|から)(\d+)日(?:後|たつ)", asked)[0])):
        date = step(date, 1)
    return in_era(date)


@pytest.mark.parametrize("level", LEVELS)
def test_the_answer_is_where_the_calendar_leads(level: Level) -> None:
    for puzzle in puzzles_of(make_calendars, level, 40):
        assert puzzle.answer == solve(puzzle.prompt), puzzle.prompt


def test_the_first_year_of_an_era_may_be_called_either_way() -> None:
    first = [puzzle for level in LEVELS for puzzle in puzzles_of(make_calendars, level, 400) if re.match(rf"({ERA})1年", puzzle.answer)]
    assert first
    for puzzle in first:
        assert puzzle.answer.replace("1年", "元年", 1) in puzzle.grader["answers"]


@pytest.mark.parametrize(
    ("day", "form"),
    [
        (date(1873, 1, 1), "明治6年1月1日"),
        (date(1912, 7, 29), "明治45年7月29日"),
        (date(1926, 12, 24), "大正15年12月24日"),
        (date(1989, 1, 7), "昭和64年1月7日"),
        (date(1989, 1, 8), "平成1年1月8日"),
        (date(2019, 4, 30), "平成31年4月30日"),
        (date(2019, 5, 1), "令和1年5月1日"),
    ],
)
def test_an_era_begins_and_ends_on_its_day(day: date, form: str) -> None:
    assert era_forms(day)[0] == form


@pytest.mark.parametrize(("day", "earlier"), [(date(1912, 7, 30), "明治45年7月30日"), (date(1926, 12, 25), "大正15年12月25日")])
def test_a_day_that_two_eras_share_may_be_told_in_either(day: date, earlier: str) -> None:
    assert earlier in era_forms(day)
    assert not any(form.startswith(earlier[:2]) for form in era_forms(day + timedelta(days=1)))


def test_every_form_that_is_taken_holds_the_same_numbers() -> None:
    (puzzle,) = puzzles_of(make_calendars, "hard", 1)
    assert len(puzzle.grader["answers"]) >= 2
    assert {re.sub("[0-9一二三四五六七八九十元]", "", form) for form in puzzle.grader["answers"]} == {re.sub("[0-9]", "", puzzle.answer)}
