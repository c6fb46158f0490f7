"""Who comes before whom, told in facts that leave one order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations

from exporter.suites.generate.draw import Draw
from exporter.suites.generate.puzzle import Level, Puzzle, join_and, list_puzzle, swap_neighbours
from exporter.suites.generate.words import NAMES, NUMBERS

_PEOPLE = {"easy": 4, "medium": 5, "hard": 7}
_LARGEST_GAP = {"easy": 0, "medium": 2, "hard": 4}
"""The most people that a fact puts between two others."""

_ASKED = "Name all {0} from the first to the last, on one line, separated by commas."


@dataclass(frozen=True, slots=True)
class _Story:
    start: str
    before: str
    after: str
    directly: str
    between: str


_STORIES = (
    _Story("{0} ran a race, and no two of them arrived together.", "{} arrived before {}.", "{} arrived after {}.",
           "{} arrived directly before {}.", "Exactly {} of the others arrived between {} and {}."),
    _Story("{0} stand in a queue, one behind the other.", "{} stands ahead of {}.", "{} stands behind {}.",
           "{} stands directly ahead of {}.", "Exactly {} of the others stand between {} and {}."),
    _Story("{0} gave a talk each, one after the other.", "{} spoke earlier than {}.", "{} spoke later than {}.",
           "{} spoke directly before {}.", "Exactly {} of the others spoke between {} and {}."),
)  # fmt: skip

Fact = tuple[str, Callable[[Sequence[str]], bool]]
"""A sentence, and whether it is true of an order."""


def make_ordering(draw: Draw, level: Level) -> Puzzle:
    """Facts are added until a single order is left; one that says nothing new is not told."""
    order = draw.sample(NAMES, _PEOPLE[level])
    story = draw.pick(_STORIES)
    left: list[tuple[str, ...]] = list(permutations(order))
    told = []
    for sentence, holds in draw.shuffle(_facts(draw, story, order, _LARGEST_GAP[level])):
        fewer = [candidate for candidate in left if holds(candidate)]
        if len(fewer) < len(left):
            told.append(sentence)
            left = fewer
    prompt = "\n".join((story.start.format(join_and(sorted(order))), *draw.shuffle(told), _ASKED.format(NUMBERS[len(order)])))
    return list_puzzle(prompt, order, swap_neighbours(draw, order))


def _facts(draw: Draw, story: _Story, order: Sequence[str], largest_gap: int) -> list[Fact]:
    """True facts. Those about two who are neighbours leave one order between them, so that there are always enough."""
    facts = []
    for first, second in combinations(order, 2):
        between = order.index(second) - order.index(first) - 1
        words = story.before.format(first, second) if draw.below(2) else story.after.format(second, first)
        facts.append((words, _comes_before(first, second)))
        if largest_gap and between == 0:
            facts.append((story.directly.format(first, second), _stands_apart(first, second, 1)))
        elif 0 < between <= largest_gap:
            pair = draw.shuffle((first, second))
            facts.append((story.between.format(NUMBERS[between], *pair), _is_apart(first, second, between + 1)))
    return facts


def _comes_before(first: str, second: str) -> Callable[[Sequence[str]], bool]:
    return lambda order: order.index(first) < order.index(second)


def _stands_apart(first: str, second: str, places: int) -> Callable[[Sequence[str]], bool]:
    return lambda order: order.index(second) - order.index(first) == places


def _is_apart(first: str, second: str, places: int) -> Callable[[Sequence[str]], bool]:
    return lambda order: abs(order.index(second) - order.index(first)) == places
