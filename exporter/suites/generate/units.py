"""A quantity in mixed units, in the smallest of them."""

from __future__ import annotations

from collections.abc import Sequence

from exporter.suites.generate.draw import Draw
from exporter.suites.generate.puzzle import Level, Puzzle, join_and, number_puzzle

_SCALES: tuple[tuple[str, tuple[tuple[str, int], ...]], ...] = (
    ("A roll of cable is {} long", (("kilometres", 1000), ("metres", 100), ("centimetres", 10), ("millimetres", 1))),
    ("A load of sand weighs {}", (("tonnes", 1000), ("kilograms", 1000), ("grams", 1))),
    ("A voyage takes {}", (("weeks", 7), ("days", 24), ("hours", 60), ("minutes", 60), ("seconds", 1))),
    ("A fence is {} long", (("miles", 1760), ("yards", 3), ("feet", 12), ("inches", 1))),
)
"""What is measured, and its units from the largest; beside each how many of the next make one of it."""

_UNITS = {"easy": 2, "medium": 3, "hard": 3}
_ASKED_ONE = (
    "{0}. How many {1} is that? Answer in digits.",
    "{0}. Express this in {1}, and answer in digits.",
    "{0}. What is that in {1} alone? Answer in digits.",
)
_ASKED_MANY = (
    "{0}. How many {1} do {2} of the kind come to together? Answer in digits.",
    "{0}. In all there are {2} of this kind. Give their total in {1}. Answer in digits.",
    "{0}. What is {2} times as much, in {1}? Answer in digits.",
)
_ASKED_REST = (
    "{0}. In all there are {2} of this kind. Take {3} off their total. How many {1} remain? Answer in digits.",
    "{0}. Multiply this by {2}, then subtract {3}. Give the result in {1}. Answer in digits.",
    "{0}. What is {2} times as much, less {3}, in {1}? Answer in digits.",
)


def make_units(draw: Draw, level: Level) -> Puzzle:
    """Easy: two units; medium: three, many times over; hard: more of them, and something is taken off."""
    sentence, scale = draw.pick(_SCALES)
    first = draw.below(len(scale) - _UNITS[level] + 1)
    used = scale[first : first + _UNITS[level]]
    name = used[-1][0]
    text, one = _quantity(draw, used)
    told = sentence.format(text)
    if level == "easy":
        return number_puzzle(draw.pick(_ASKED_ONE).format(told, name), one, one + draw.pick((-10, 10, used[0][1])))
    many = draw.between(3, 12) if level == "medium" else draw.between(13, 89)
    if level == "medium":
        value = many * one
        return number_puzzle(draw.pick(_ASKED_MANY).format(told, name, many), value, value + draw.pick((-100, 100, one)))
    off_text, off = _quantity(draw, used)
    value = many * one - off
    return number_puzzle(draw.pick(_ASKED_REST).format(told, name, many, off_text), value, value + off)


def _quantity(draw: Draw, units: Sequence[tuple[str, int]]) -> tuple[str, int]:
    """A quantity in words, a count of each unit, and its size in the last one."""
    parts = []
    size = 0
    for index, (name, _) in enumerate(units):
        most = 9 if index == 0 else units[index - 1][1] - 1
        count = draw.between(2, most)
        size = (size * units[index - 1][1] if index else 0) + count
        parts.append(f"{count} {name}")
    return join_and(parts), size
