"""Figures as reports and pages write them."""

from __future__ import annotations

from datetime import UTC, datetime


def percent(ratio: float, digits: int = 0) -> str:
    """A share, in per cent."""
    return f"{ratio * 100:.{digits}f} %"


def moment(at: float) -> str:
    """A Unix time in UTC, to the minute. Raises OverflowError, ValueError or OSError where no calendar has it."""
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M UTC")
