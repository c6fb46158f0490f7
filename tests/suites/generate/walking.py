"""A calendar that knows only how long each month is."""

from __future__ import annotations

Day = tuple[int, int, int]
"""Year, month, day."""


def step(day: Day, way: int) -> Day:
    """The next day (1) or the day before (-1)."""
    year, month, number = day
    number += way
    if number < 1:
        year, month = (year - 1, 12) if month == 1 else (year, month - 1)
        return year, month, length(year, month)
    if number > length(year, month):
        return (year + 1, 1, 1) if month == 12 else (year, month + 1, 1)
    return year, month, number


def length(year: int, month: int) -> int:
    """Days of a month."""
    if month == 2:
        return 29 if year % 4 == 0 and (year % 100 != 0 or year % 400 == 0) else 28
    return 30 if month in (4, 6, 9, 11) else 31
