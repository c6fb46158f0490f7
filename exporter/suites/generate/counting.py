"""How often something occurs: a letter among words, a digit among digits, a word among words."""

from __future__ import annotations

from exporter.suites.generate.draw import Draw
from exporter.suites.generate.puzzle import Level, Puzzle, number_puzzle
from exporter.suites.generate.words import WORDS

_WORDS = {"easy": 10, "medium": 20, "hard": 40}
_DIGITS = {"easy": 40, "medium": 80, "hard": 150}
_ITEMS = {"easy": 24, "medium": 48, "hard": 90}
_KINDS_OF_ITEM = 4
_ASKED = (
    "How many times does the {0} occur in the following {1}? Answer in digits.\n\n{2}",
    "Count how often the {0} stands in the {1} below, and answer in digits.\n\n{2}",
    "{2}\n\nHow often does the {0} occur in the {1} above? Answer in digits.",
)


def make_counting(draw: Draw, level: Level) -> Puzzle:
    """One of the three."""
    return draw.pick((_letters, _digits, _items))(draw, level)


def _letters(draw: Draw, level: Level) -> Puzzle:
    words = draw.sample(WORDS, _WORDS[level])
    letter = draw.pick("".join(words))
    return _ask(draw, f'letter "{letter}"', "words", " ".join(words), "".join(words).count(letter))


def _digits(draw: Draw, level: Level) -> Puzzle:
    digits = "".join(str(draw.below(10)) for _ in range(_DIGITS[level]))
    digit = draw.pick(digits)
    return _ask(draw, f"digit {digit}", "row of digits", digits, digits.count(digit))


def _items(draw: Draw, level: Level) -> Puzzle:
    kinds = draw.sample(WORDS, _KINDS_OF_ITEM)
    items = [draw.pick(kinds) for _ in range(_ITEMS[level])]
    word = draw.pick(items)
    return _ask(draw, f'word "{word}"', "list", ", ".join(items), items.count(word))


def _ask(draw: Draw, what: str, where: str, text: str, count: int) -> Puzzle:
    return number_puzzle(draw.pick(_ASKED).format(what, where, text), count, count + draw.pick((-1, 1)))
