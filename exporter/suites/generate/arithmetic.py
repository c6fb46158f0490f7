"""Sums, remainders, and change at a till."""

from __future__ import annotations

from exporter.suites.generate.draw import Draw
from exporter.suites.generate.puzzle import Level, Puzzle, join_and, number_puzzle
from exporter.suites.generate.words import ARTICLES, NAMES

_TERMS = {
    "easy": (((12, 99), (3, 9)), ((10, 99),)),
    "medium": (((101, 999), (12, 99)), ((12, 99), (12, 99)), ((100, 999),)),
    "hard": (((10_001, 99_999), (1_001, 9_999)), ((1_001, 9_999), (101, 999)), ((101, 999), (101, 999)), ((1_000, 99_999),)),
}
"""Ranges of the factors of each product of a sum."""

_DIVIDED = {"easy": (200, 999), "medium": (10_000, 99_999), "hard": (1_001, 9_999)}
_DIVISOR = {"easy": (11, 29), "medium": (31, 97), "hard": (101, 997)}
_KINDS_OF_ARTICLE = {"easy": 2, "medium": 3, "hard": 5}
_NOTES_EURO = (5, 10, 20, 50, 100, 200, 500)
_ASKED_SUM = (
    "Work out {}. Answer in digits.",
    "What is {}? Give the exact number in digits.",
    "Calculate {} exactly, and answer in digits.",
)
_ASKED_REMAINDER = (
    "What remainder is left when {0} is divided by {1}? Answer in digits.",
    "Divide {0} by {1} in whole numbers. What is the remainder? Answer in digits.",
    "{0} is shared out in equal parts of {1}, as many as it allows. How much is left over? Answer in digits.",
)
_ASKED_CHANGE = (
    "{0} buys {1} and pays with {2}. How many cents of change are due? Answer in digits.",
    "{0} hands over {2} for {1}. How many cents come back? Answer in digits.",
    "For {1}, {0} pays with {2}. How much change is that, in cents? Answer in digits.",
)


def make_arithmetic(draw: Draw, level: Level) -> Puzzle:
    """One of the three."""
    return draw.pick((_sum, _remainder, _change))(draw, level)


def _sum(draw: Draw, level: Level) -> Puzzle:
    text, value = "", 0
    for ranges in _TERMS[level]:
        factors = [draw.between(*ends) for ends in ranges]
        product = factors[0] * factors[-1] if len(factors) > 1 else factors[0]
        minus = bool(text) and product < value and draw.below(2) == 1
        text += (" − " if minus else " + " if text else "") + " × ".join(map(str, factors))
        value += -product if minus else product
    return number_puzzle(draw.pick(_ASKED_SUM).format(text), value, value + draw.pick((-100, -10, 10, 100)))


def _remainder(draw: Draw, level: Level) -> Puzzle:
    divisor = draw.between(*_DIVISOR[level])
    factors = [draw.between(*_DIVIDED[level]) for _ in range(2 if level == "hard" else 1)]
    value = factors[0] * factors[-1] % divisor if len(factors) > 1 else factors[0] % divisor
    prompt = draw.pick(_ASKED_REMAINDER).format(" × ".join(map(str, factors)), divisor)
    return number_puzzle(prompt, value, (value + draw.between(1, 5)) % divisor)


def _change(draw: Draw, level: Level) -> Puzzle:
    articles = draw.sample(ARTICLES, _KINDS_OF_ARTICLE[level])
    counts = [draw.between(2, 9) for _ in articles]
    prices = [draw.between(21, 199 if level == "easy" else 999) for _ in articles]
    cost = sum(count * price for count, price in zip(counts, prices, strict=True))
    note = next(note for note in _NOTES_EURO if note * 100 > cost)
    bought = join_and(
        [f"{count} {article}s at {price / 100:.2f} euros each" for count, article, price in zip(counts, articles, prices, strict=True)]
    )
    value = note * 100 - cost
    wrong = value + draw.pick(prices)
    return number_puzzle(draw.pick(_ASKED_CHANGE).format(draw.pick(NAMES), bought, f"a {note} euro note"), value, wrong)
