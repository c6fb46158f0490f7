"""Simulated tables as text, JSON and CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from math import floor, log10
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # numpy, which comes with the room, may not be installed
    from exporter.simulation.figures import Figure, Table

_GAP = "  "


def as_lines(table: Table) -> list[str]:
    """The table in columns: each figure with ± its standard error. A label that repeats the one above is left out."""
    labels, columns = _heads(table)
    lines = [[*labels, *columns]]
    above = [""] * len(labels)
    for row in table.rows:
        told = list(row.labels.values())
        new = next((place for place, label in enumerate(told) if above[place] != label), len(told))
        lines.append(
            [*("" if place < new else label for place, label in enumerate(told)), *(_written(row.figures[name]) for name in columns)]
        )
        above = told
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return [_GAP.join(_aligned(cells, widths, len(labels))).rstrip() for cells in lines]


def _aligned(cells: Sequence[str], widths: Sequence[int], labels: int) -> Iterator[str]:
    for place, (cell, width) in enumerate(zip(cells, widths, strict=True)):
        yield cell.ljust(width) if place < labels else cell.rjust(width)


def as_document(table: Table) -> dict[str, Any]:
    """The table for programs."""
    rows = [
        {
            **row.labels,
            "figures": {name: {"value": figure.value, "standard_error": figure.error} for name, figure in row.figures.items()},
        }
        for row in table.rows
    ]
    return {"table": table.name, "title": table.title, "rows": rows, "notes": list(table.notes)}


def as_csv(table: Table) -> str:
    """The table for spreadsheets: after each figure its standard error."""
    labels, columns = _heads(table)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*labels, *(head for name in columns for head in (name, f"{name}, standard error"))])
    for row in table.rows:
        figures = [row.figures[name] for name in columns]
        writer.writerow([*row.labels.values(), *(_cell(number) for figure in figures for number in (figure.value, figure.error))])
    return text.getvalue().rstrip("\n")


def _heads(table: Table) -> tuple[Sequence[str], Sequence[str]]:
    first = table.rows[0]
    return list(first.labels), list(first.figures)


def _written(figure: Figure) -> str:
    """With the digits that its error leaves certain, and one more."""
    if figure.value is None:
        return "-"
    if not figure.error:
        return f"{figure.value:.4g}"
    digits = max(0, -floor(log10(figure.error)))
    return f"{figure.value:.{digits}f} ± {figure.error:.{digits}f}"


def _cell(number: float | None) -> str:
    return "" if number is None else f"{number:.6g}"
