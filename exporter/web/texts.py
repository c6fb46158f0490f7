"""Numbers and times as a person reads them."""

from __future__ import annotations

from datetime import UTC, datetime

UNKNOWN = "—"


def moment(at: float | None) -> str:
    """A Unix time in UTC, to the minute."""
    if at is None:
        return UNKNOWN
    try:
        return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M UTC")
    except (OverflowError, ValueError, OSError):
        return UNKNOWN


def span(seconds: float | None) -> str:
    """A duration in its two largest units."""
    if seconds is None:
        return UNKNOWN
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


def percent(ratio: float | None) -> str:
    """A share, to a tenth of a per cent."""
    return UNKNOWN if ratio is None else f"{ratio * 100:.1f} %"


def points(ratio: float | None) -> str:
    """A change of a share, in percentage points with its sign."""
    return UNKNOWN if ratio is None else f"{ratio * 100:+.1f}"


def dollars(usd: float | None) -> str:
    """An amount of money, to the cent; less than a dollar to a hundredth of a cent where that says more."""
    if usd is None:
        return UNKNOWN
    if 0 < usd < 0.0001:
        return "<$0.0001"
    return f"${usd:,.2f}" if usd >= 1 or usd == round(usd, 2) else f"${usd:.4f}"


def count(number: int | None) -> str:
    """A number with its thousands apart."""
    return UNKNOWN if number is None else f"{number:,}"


def p_value(value: float | None) -> str:
    """A p-value, to two digits."""
    return UNKNOWN if value is None else f"{value:.2g}"


FILTERS = {"moment": moment, "span": span, "percent": percent, "points": points, "dollars": dollars, "count": count, "p_value": p_value}
"""By the names they have in templates."""
