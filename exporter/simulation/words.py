"""What the tables say to one user, in sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from exporter.simulation.delay import WITHIN_DAYS, told_within
from exporter.simulation.figures import Figure, Row, Table
from exporter.simulation.models import Change

SURE = 90.0
"""A loss is said to be told within the first span of days in which so many % of users are told, else within the longest."""

YEAR_DAYS = 365.25


def describe_delays(table: Table, changes: Sequence[Change]) -> list[str]:
    """A sentence for each loss of questions. `table` is that of delays, of one model, with a row for each change."""
    return [_describe_loss(row, change.lost) for row, change in zip(table.rows, changes, strict=True) if change.lost]


def _describe_loss(row: Row, lost: int) -> str:
    told = {days: row.figures[told_within(days)] for days in WITHIN_DAYS if told_within(days) in row.figures}
    days = next((days for days, figure in told.items() if (figure.value or 0) >= SURE), max(told))
    how_often = f"{told[days].value or 0:.0f} ± {told[days].error or 0:.1f} %"
    return f"You would be told of a loss of {_count(lost, 'question')} within {_count(days, 'day')} in {how_often} of cases."


def describe_quiet(table: Table, days: int, targets: int) -> str:
    """How many false alarms to expect. `table` is that of so many quiet days, of one model."""
    means = {row.labels["counted"]: row.figures["mean"] for row in table.rows}
    tickets, pages = (_yearly(means[name], targets * YEAR_DAYS / days) for name in ("tickets, all", "pages"))
    return f"Expect {tickets} false alarms a year over {_count(targets, 'target')} like this one, and {pages} false pages."


def _yearly(figure: Figure, factor: float) -> str:
    return f"{factor * (figure.value or 0):.2g} ± {factor * (figure.error or 0):.1g}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def describe(tables: Mapping[str, Table], changes: Sequence[Change], days: int, targets: int) -> list[str]:
    """All sentences that these tables, by name, allow."""
    sentences = describe_delays(tables["delay"], changes) if "delay" in tables else []
    if "quiet" in tables:
        sentences.append(describe_quiet(tables["quiet"], days, targets))
    return sentences
