from __future__ import annotations

import re

import pytest

from exporter.suites.generate.puzzle import Level
from exporter.suites.generate.strings import make_strings
from tests.suites.generate.made import LEVELS, puzzles_of

STEP = re.compile(
    r"Reverse the order of the letters\.|Replace each letter by the one (?P<later>\d) places later|Move the first (?P<ends>\d) letters"
    r"|Swap the first letter|Strike out every third letter|Write every vowel"
)


def carry_out(found: re.Match[str], row: list[str]) -> list[str]:
    """One step, letter by letter."""
    match found[0].split()[0]:
        case "Reverse":
            return [row[len(row) - 1 - at] for at in range(len(row))]
        case "Replace":
            return [chr((ord(letter) - ord("a") + int(found["later"])) % 26 + ord("a")) for letter in row]
        case "Move":
            for _ in range(int(found["ends"])):
                row = [*row[1:], row[0]]
            return row
        case "Swap":
            swapped = row[:]
            for at in range(1, len(row), 2):
                swapped[at - 1], swapped[at] = row[at], row[at - 1]
            return swapped
        case "Strike":
            return [letter for at, letter in enumerate(row) if at % 3 != 2]
        case _:
            return list(re.sub("([aeiou])", r"\1\1", "".join(row)))


@pytest.mark.parametrize(("level", "steps"), [*zip(LEVELS, (1, 2, 4), strict=True)])
def test_the_answer_is_where_the_steps_lead(level: Level, steps: int) -> None:
    for puzzle in puzzles_of(make_strings, level, 60):
        (start,) = re.findall(r'(?:letters "|letters: |step by step: |one word: )([a-z]+)', puzzle.prompt)
        row = list(start)
        found = list(STEP.finditer(puzzle.prompt))
        assert len(found) == steps
        for one in found:
            row = carry_out(one, row)
        assert puzzle.answer == "".join(row), puzzle.prompt
        assert len(row) >= 5


def test_each_step_comes_and_none_comes_twice() -> None:
    for puzzle in puzzles_of(make_strings, "hard", 40):
        verbs = [found[0].split()[0] for found in STEP.finditer(puzzle.prompt)]
        assert len(set(verbs)) == 4
    all_verbs = {found[0].split()[0] for puzzle in puzzles_of(make_strings, "easy", 60) for found in STEP.finditer(puzzle.prompt)}
    assert all_verbs == {"Reverse", "Replace", "Move", "Swap", "Strike", "Write"}
