"""A row of letters changed step by step."""

from __future__ import annotations

from collections.abc import Callable

from exporter.suites.generate.draw import Draw
from exporter.suites.generate.puzzle import Level, Puzzle, text_puzzle

_ALPHABET = "abcdefghijklmnopqrstuvwxyz"
_VOWELS = "aeiou"
_LENGTH = {"easy": 9, "medium": 12, "hard": 20}
_STEPS = {"easy": 1, "medium": 2, "hard": 4}
_ASKED_ONE = (
    "{1} Start from this row of letters, and write the result as one word: {0}",
    'Take the letters "{0}". {1} Give the result as one word.',
    "Here is a row of letters: {0}\n{1} Write what you get as one word.",
)
_ASKED_MANY = (
    "Change this row of letters step by step: {0}\n{1}\nWrite the result as one word.",
    'Start with the letters "{0}" and do the following, one after the other.\n{1}\nGive the final row of letters as one word.',
    "Here is a row of letters: {0}\n{1}\nAfter all of these steps, which letters are left, in which order? Write them as one word.",
)

Step = tuple[str, Callable[[str], str]]


def make_strings(draw: Draw, level: Level) -> Puzzle:
    """Easy: one step; medium: two; hard: four, on a longer row. No step comes twice."""
    text = "".join(draw.pick(_ALPHABET) for _ in range(_LENGTH[level]))
    steps = draw.sample(_steps(draw), _STEPS[level])
    result = text
    for _, change in steps:
        result = change(result)
    if len(steps) == 1:
        prompt = draw.pick(_ASKED_ONE).format(text, steps[0][0])
    else:
        prompt = draw.pick(_ASKED_MANY).format(text, "\n".join(f"{number}. {words}" for number, (words, _) in enumerate(steps, start=1)))
    return text_puzzle(prompt, [result], _slip(result))


def _steps(draw: Draw) -> list[Step]:
    shift, ends = draw.between(2, 5), draw.between(2, 4)
    return [
        ("Reverse the order of the letters.", lambda text: text[::-1]),
        (f"Replace each letter by the one {shift} places later in the alphabet; after z comes a.", lambda text: _shifted(text, shift)),
        (f"Move the first {ends} letters to the end, in the same order.", lambda text: text[ends:] + text[:ends]),
        ("Swap the first letter with the second, the third with the fourth, and so on; an odd one at the end stays.", _swapped),
        ("Strike out every third letter (the third, the sixth, and so on).", lambda text: _struck_out(text, 3)),
        ("Write every vowel (a, e, i, o, u) twice.", lambda text: "".join(letter * (1 + (letter in _VOWELS)) for letter in text)),
    ]


def _shifted(text: str, places: int) -> str:
    return "".join(_ALPHABET[(_ALPHABET.index(letter) + places) % len(_ALPHABET)] for letter in text)


def _swapped(text: str) -> str:
    return "".join(text[at : at + 2][::-1] for at in range(0, len(text), 2))


def _struck_out(text: str, every: int) -> str:
    return "".join(letter for number, letter in enumerate(text, start=1) if number % every)


def _slip(text: str) -> str:
    """The text with two different neighbours swapped, or where all are the same one letter short."""
    at = next((at for at in range(len(text) // 2, len(text) - 1) if text[at] != text[at + 1]), None)
    return text[:-1] if at is None else f"{text[:at]}{text[at + 1]}{text[at]}{text[at + 2 :]}"
