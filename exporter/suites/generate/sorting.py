"""Words and numbers put in order, by one rule or by two."""

from __future__ import annotations

from exporter.suites.generate.draw import Draw
from exporter.suites.generate.puzzle import Level, Puzzle, list_puzzle, swap_neighbours
from exporter.suites.generate.words import WORDS

_ITEMS = {"easy": 5, "medium": 10, "hard": 20}
_FORM = "Write all of them on one line, separated by commas."
_ASKED_WORDS = (
    "Sort these words alphabetically: {0}.",
    "Put the following words in alphabetical order: {0}.",
    "In which order do these words stand in a dictionary: {0}?",
)
_ASKED_LENGTH = (
    "Sort these words by their number of letters, the shortest first; words of the same length alphabetically: {0}.",
    "Put the following words in order, short before long, and alphabetically where two are of the same length: {0}.",
    "Order these words by length, starting with the shortest; equally long ones go in alphabetical order: {0}.",
)
_ASKED_NUMBERS = (
    "Sort these numbers, the {1} first: {0}.",
    "Put the following numbers in order, starting with the {1}: {0}.",
    "Order these numbers from the {1} to the {2}: {0}.",
)


def make_sorting(draw: Draw, level: Level) -> Puzzle:
    """Words by the alphabet, or (not easy) by length and then the alphabet; numbers of three digits upwards or downwards."""
    count = _ITEMS[level]
    match draw.below(3):
        case 0:
            items = draw.sample([str(number) for number in range(100, 1000)], count)
            words = draw.pick((("smallest", "largest"), ("largest", "smallest")))
            return _ask(draw, _ASKED_NUMBERS, items, sorted(items, reverse=words[0] == "largest"), *words)
        case 1 if level != "easy":
            items = draw.sample(WORDS, count)
            return _ask(draw, _ASKED_LENGTH, items, sorted(items, key=lambda word: (len(word), word)))
        case _:
            items = draw.sample(WORDS, count)
            return _ask(draw, _ASKED_WORDS, items, sorted(items))


def _ask(draw: Draw, wordings: tuple[str, ...], items: list[str], ordered: list[str], *words: str) -> Puzzle:
    return list_puzzle(f"{draw.pick(wordings).format(', '.join(items), *words)} {_FORM}", ordered, swap_neighbours(draw, ordered))
