"""Look-up in a table: a cell, a sum over some rows, a sum over products under two conditions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from exporter.suites.generate.draw import Draw
from exporter.suites.generate.puzzle import Level, Puzzle, number_puzzle
from exporter.suites.generate.words import WORDS

_ROWS = {"easy": 6, "medium": 14, "hard": 30}
_SHELVES = "ABCD"
_HEAD = ("item", "shelf", "stock", "price")
_ASKED_CELL = (
    'How large is the stock of "{}"? Answer in digits.',
    'Read off the stock of "{}", and answer in digits.',
    'Which number stands in the column "stock" for "{}"? Answer in digits.',
)
_ASKED_SUM = (
    "How large is the stock on shelf {} altogether? Answer in digits.",
    "Add up the stock of all items on shelf {}. Answer in digits.",
    "What does the column stock sum up to, counting shelf {} only? Answer in digits.",
)
_ASKED_WORTH = (
    "Stock × price is what an item is worth. What is shelf {} worth, counting only items with a price above {}? Answer in digits.",
    "Take the items on shelf {} whose price is more than {}. Multiply the stock of each by its price, and add up. Answer in digits.",
    "For each item on shelf {} that costs more than {}, work out stock × price. What is the sum of these? Answer in digits.",
)


@dataclass(frozen=True, slots=True)
class _Row:
    item: str
    shelf: str
    stock: int
    price: int


def make_tables(draw: Draw, level: Level) -> Puzzle:
    """A longer table and a harder look-up with each level."""
    rows = [_Row(item, draw.pick(_SHELVES), draw.between(11, 99), draw.between(2, 30)) for item in draw.sample(WORDS, _ROWS[level])]
    table = draw.pick((_as_pipes, _as_csv))(rows)
    row = draw.pick(rows)
    if level == "easy":
        other = draw.pick([other for other in rows if other.stock != row.stock] or [_Row("", "", row.stock + 1, 0)])
        asked, value, wrong = draw.pick(_ASKED_CELL).format(row.item), row.stock, other.stock
    else:
        above = 0 if level == "medium" else draw.between(1, row.price - 1)
        counted = [one for one in rows if one.shelf == row.shelf and one.price > above]
        each = [one.stock if level == "medium" else one.stock * one.price for one in counted]
        asked = draw.pick(_ASKED_SUM if level == "medium" else _ASKED_WORTH).format(row.shelf, above)
        value, wrong = sum(each), sum(each) - draw.pick(each) if len(each) > 1 else sum(each) + 10
    return number_puzzle(f"{table}\n\n{asked}" if draw.below(2) else f"{asked}\n\n{table}", value, wrong)


def _as_pipes(rows: Sequence[_Row]) -> str:
    lines = [f"| {' | '.join(_HEAD)} |", "| --- | --- | --- | --- |"]
    return "\n".join((*lines, *(f"| {row.item} | {row.shelf} | {row.stock} | {row.price} |" for row in rows)))


def _as_csv(rows: Sequence[_Row]) -> str:
    return "\n".join((",".join(_HEAD), *(f"{row.item},{row.shelf},{row.stock},{row.price}" for row in rows)))
