from __future__ import annotations

import re
from itertools import combinations

import pytest

from exporter.suites.generate.knights import make_knights
from exporter.suites.generate.puzzle import Level
from tests.suites.generate.made import LEVELS, puzzles_of

NUMBERS = {"two": 2, "three": 3, "four": 4, "five": 5}


def is_told_truly(claim: str, knights: tuple[str, ...]) -> bool:
    alone = re.fullmatch(r"(\w+) is a (knight|knave)\.", claim)
    if alone:
        return (alone[1] in knights) == (alone[2] == "knight")
    one, other, kinds = re.fullmatch(r"(\w+) and (\w+) are of (the same kind|different kinds)\.", claim).groups()  # type: ignore[union-attr] # another form fails the test
    return len({one, other} & set(knights)) in ((0, 2) if kinds == "the same kind" else (1,))


@pytest.mark.parametrize(("level", "people"), [*zip(LEVELS, (4, 5, 7), strict=True)])
def test_the_claims_leave_one_set_of_knights_and_it_is_the_answer(level: Level, people: int) -> None:
    for puzzle in puzzles_of(make_knights, level, 25):
        claims = re.findall(r'(\w+) says: "(.+)"', puzzle.prompt)
        assert len(claims) == people
        (count,) = re.findall(r"Exactly (\w+) of the \w+ are knights", puzzle.prompt)
        fitting = [
            knights
            for knights in combinations(sorted(speaker for speaker, _ in claims), NUMBERS[count])
            if all(is_told_truly(claim, knights) == (speaker in knights) for speaker, claim in claims)
        ]
        assert [", ".join(knights) for knights in fitting] == [puzzle.answer], puzzle.prompt
