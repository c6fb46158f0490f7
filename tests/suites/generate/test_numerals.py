from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exporter.suites.generate.kanji import write_kanji
from exporter.suites.generate.numerals import make_numerals
from exporter.suites.generate.puzzle import Level
from tests.suites.generate.made import LEVELS, puzzles_of

NUMERAL = "[一二三四五六七八九十百千万億兆]+"


def read_kanji(text: str) -> int:
    """From left to right: a digit waits for its place, a group for 万, 億 or 兆."""
    whole = group = digit = 0
    for sign in text:
        if sign in "一二三四五六七八九":
            digit = "一二三四五六七八九".index(sign) + 1
        elif sign in "十百千":
            group += (digit or 1) * 10 ** ("十百千".index(sign) + 1)
            digit = 0
        else:
            whole += (group + digit) * 10_000 ** ("万億兆".index(sign) + 1)
            group = digit = 0
    return whole + group + digit


LITERAL = {
    1: "一",
    10: "十",
    11: "十一",
    105: "百五",
    325: "三百二十五",
    2004: "二千四",
    10_000: "一万",
    20_030: "二万三十",
    400_000_005: "四億五",
    9_876_543_210_987: "九兆八千七百六十五億四千三百二十一万九百八十七",
}


@pytest.mark.parametrize(("number", "text"), LITERAL.items())
def test_a_number_is_written_as_in_japan(number: int, text: str) -> None:
    assert write_kanji(number) == text


@settings(max_examples=200)
@given(st.integers(1, 9999 * 10**12))
def test_what_is_written_reads_as_the_same_number(number: int) -> None:
    assert read_kanji(write_kanji(number)) == number


@pytest.mark.parametrize("level", LEVELS)
def test_the_answer_is_the_number_that_is_meant(level: Level) -> None:
    for puzzle in puzzles_of(make_numerals, level, 60):
        asked = puzzle.prompt.replace("（例：325は三百二十五）", "").replace("十・百・千・万", "").replace("（0から9）", "")
        if "漢数字" in puzzle.prompt and re.search(r"\d", asked):
            (digits,) = re.findall(r"\d+", asked)
            assert read_kanji(puzzle.answer) == int(digits)
        else:
            terms = [
                read_kanji(numeral)
                for numeral in re.findall(rf"「({NUMERAL})」|^({NUMERAL})$", asked, re.MULTILINE)
                for numeral in numeral
                if numeral
            ]
            assert int(puzzle.answer) == sum(terms), puzzle.prompt


def test_no_numeral_can_be_written_in_two_ways() -> None:
    """千 and 一千, 百 and 一百: both are used, so that neither is asked for."""
    for level in LEVELS:
        for puzzle in puzzles_of(make_numerals, level, 60):
            if puzzle.grader["kind"] == "exact":
                assert "一" not in puzzle.answer
                assert not re.search("(?:^|[十百千万億兆])[十百千]", puzzle.answer)
