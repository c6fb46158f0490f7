"""What a family of questions hands over, and the graders that they share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from exporter.config import GeneratedLevel
from exporter.suites.generate.draw import Draw

Level = GeneratedLevel


@dataclass(frozen=True, slots=True)
class Puzzle:
    """One question. `answer` is right and `wrong` is plausible, each as it would stand behind ANSWER:, or alone where `whole`."""

    prompt: str
    grader: Mapping[str, Any]
    answer: str
    wrong: str
    language: Literal["en", "ja"] = "en"
    whole: bool = False


Family = Callable[[Draw, Level], Puzzle]


def number_puzzle(prompt: str, value: int, wrong: int, language: Literal["en", "ja"] = "en") -> Puzzle:
    """A question that a whole number answers."""
    return Puzzle(prompt, {"kind": "number", "value": value}, str(value), str(wrong), language)


def text_puzzle(prompt: str, forms: Sequence[str], wrong: str, language: Literal["en", "ja"] = "en") -> Puzzle:
    """A question that any of `forms` answers; the first is the one asked for."""
    answers = list(dict.fromkeys(forms))
    return Puzzle(prompt, {"kind": "exact", "answers": answers}, answers[0], wrong, language)


def list_puzzle(prompt: str, items: Sequence[str], wrong: Sequence[str]) -> Puzzle:
    """A question that these words, or numbers without a sign, answer in this order, with whatever stands between them."""
    between = r"\D" if items[0].isdigit() else r"(?:[^A-Za-z]|\band\b)"
    pattern = rf"(?i)^{between}*{f'{between}+'.join(items)}{between}*$"
    return Puzzle(prompt, {"kind": "regex", "patterns": [pattern]}, ", ".join(items), ", ".join(wrong))


def swap_neighbours(draw: Draw, items: Sequence[str]) -> list[str]:
    """The items with two neighbours swapped."""
    at = draw.below(len(items) - 1)
    return [*items[:at], items[at + 1], items[at], *items[at + 2 :]]


def join_and(parts: Sequence[str]) -> str:
    """The parts as a sentence lists them: a, b and c."""
    return " and ".join(part for part in (", ".join(parts[:-1]), parts[-1]) if part)
