from __future__ import annotations

import re
from itertools import pairwise

import pytest

from exporter.suites.generate.puzzle import Level
from exporter.suites.generate.sorting import make_sorting
from tests.suites.generate.made import LEVELS, puzzles_of


def comes_first(one: str, other: str, prompt: str) -> bool:
    """Whether the one stands before the other, by the rule that the words of the question give."""
    if one.isdigit():
        largest = re.search("the (smallest|largest)", prompt)[1] == "largest"  # type: ignore[index] # another form fails the test
        return (int(one) > int(other)) if largest else (int(one) < int(other))
    if "length" in prompt and len(one) != len(other):
        return len(one) < len(other)
    differing = next(((left, right) for left, right in zip(one, other, strict=False) if left != right), None)
    return len(one) < len(other) if differing is None else ord(differing[0]) < ord(differing[1])


@pytest.mark.parametrize(("level", "count"), [*zip(LEVELS, (5, 10, 20), strict=True)])
def test_all_items_are_in_the_answer_each_before_the_next(level: Level, count: int) -> None:
    for puzzle in puzzles_of(make_sorting, level, 40):
        asked = puzzle.prompt.partition(" Write all of them")[0]
        items = re.findall(r"\w+", asked.rpartition(": ")[2])
        answer = puzzle.answer.split(", ")
        assert len(answer) == count
        assert sorted(items) == sorted(answer)
        assert all(comes_first(one, other, puzzle.prompt) for one, other in pairwise(answer)), puzzle.prompt


def test_an_easy_question_has_one_rule() -> None:
    assert not any("length" in puzzle.prompt for puzzle in puzzles_of(make_sorting, "easy", 60))
    assert any("length" in puzzle.prompt for puzzle in puzzles_of(make_sorting, "medium", 60))
