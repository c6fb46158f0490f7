from __future__ import annotations

import re
from itertools import permutations

import pytest

from exporter.suites.generate.ordering import make_ordering
from exporter.suites.generate.puzzle import Level
from tests.suites.generate.made import LEVELS, puzzles_of

NUMBERS = {"one": 1, "two": 2, "three": 3, "four": 4}


def holds(fact: str, place: dict[str, int]) -> bool:
    """Whether a sentence is true where everybody stands at their place."""
    between = re.fullmatch(r"Exactly (\w+) of the others \w+ between (\w+) and (\w+)\.", fact)
    if between:
        low, high = sorted(place[name] for name in between.groups()[1:])
        return high - low - 1 == NUMBERS[between[1]]
    first, words, second = re.fullmatch(r"(\w+) (.+) (\w+)\.", fact).groups()  # type: ignore[union-attr] # another form fails the test
    if words.split()[-1] in ("after", "behind") or words.endswith("later than"):
        return place[first] > place[second]
    gap = place[second] - place[first]
    return gap == 1 if "directly" in words else gap > 0


@pytest.mark.parametrize(("level", "people"), [*zip(LEVELS, (4, 5, 7), strict=True)])
def test_the_facts_leave_one_order_and_it_is_the_answer(level: Level, people: int) -> None:
    for puzzle in puzzles_of(make_ordering, level, 12):
        start, *facts, asked = puzzle.prompt.split("\n")
        names = re.findall("[A-Z][a-z]+", re.split(" ran | stand | gave ", start)[0])
        assert len(names) == people
        places = ({name: at for at, name in enumerate(order)} for order in permutations(names))
        fitting = [list(place) for place in places if all(holds(fact, place) for fact in facts)]
        assert [", ".join(order) for order in fitting] == [puzzle.answer], puzzle.prompt
        assert asked.startswith(f"Name all {('four', 'five', 'six', 'seven')[people - 4]} from the first to the last")
