"""Japanese numerals, read, written, and added up."""

from __future__ import annotations

from exporter.suites.generate.draw import Draw
from exporter.suites.generate.kanji import write_kanji
from exporter.suites.generate.puzzle import Level, Puzzle, number_puzzle, text_puzzle

_DIGITS = {"easy": (3, 4), "medium": (6, 8), "hard": (11, 15)}
_TERMS = {"easy": 2, "medium": 2, "hard": 3}
_ASKED_READ = (
    "漢数字「{}」を算用数字（0から9）だけで書いてください。",
    "「{}」はいくつですか。算用数字（0から9）だけで答えてください。",
    "次の数を算用数字（0から9）だけで表してください。\n{}",
)
_ASKED_WRITE = (
    "{}を、十・百・千・万などを使った漢数字で書いてください（例：325は三百二十五）。",
    "次の数を、十・百・千・万などを使った漢数字に直してください（例：325は三百二十五）。\n{}",
    "十・百・千・万などを使うと、{}は漢数字でどう書きますか（例：325は三百二十五）。",
)
_ASKED_SUM = (
    "{}を足すといくつになりますか。算用数字（0から9）だけで答えてください。",
    "{}の合計を、算用数字（0から9）だけで答えてください。",
    "{}をすべて足した数を、算用数字（0から9）だけで書いてください。",
)
_WITHOUT_ONE = (0, 2, 3, 4, 5, 6, 7, 8, 9)


def make_numerals(draw: Draw, level: Level) -> Puzzle:
    """One of the three."""
    kind = draw.below(3)
    if kind == 0:
        number = _number(draw, level)
        return number_puzzle(draw.pick(_ASKED_READ).format(write_kanji(number)), number, _slip(number), "ja")
    if kind == 1:
        number = _number(draw, level)
        return text_puzzle(draw.pick(_ASKED_WRITE).format(number), [write_kanji(number)], write_kanji(_slip(number)), "ja")
    numbers = [_number(draw, level) for _ in range(_TERMS[level])]
    terms = "と".join(f"「{write_kanji(number)}」" for number in numbers)
    return number_puzzle(draw.pick(_ASKED_SUM).format(terms), sum(numbers), _slip(sum(numbers)), "ja")


def _number(draw: Draw, level: Level) -> int:
    """A number without the digit 1, as 一千万 and 千万 are both right."""
    inner = [draw.pick(_WITHOUT_ONE) for _ in range(draw.between(*_DIGITS[level]) - 2)]
    return int("".join(map(str, (draw.between(2, 9), *inner, draw.between(2, 9)))))


def _slip(number: int) -> int:
    """The number with its digits shifted, as one does who forgets that a place is empty."""
    return number * 10 if number % 2 else number + 200
