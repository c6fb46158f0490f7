"""Numbers and times as a person reads them."""

from __future__ import annotations

import re

from exporter.reports import figures

UNKNOWN = "—"

_UNSEEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]")
"""Control characters, those that turn the direction of writing, those that show nothing, and halves of surrogate pairs."""


_UNITS = ((86400, "day"), (3600, "h"), (60, "min"), (1, "s"))


def moment(at: float | None) -> str:
    """A Unix time in UTC, to the minute."""
    if at is None:
        return UNKNOWN
    try:
        return figures.moment(at)
    except (OverflowError, ValueError, OSError):
        return UNKNOWN


def iso(at: float | None) -> str:
    """A Unix time as machines read it in a <time> element; "" where there is none."""
    text = moment(at)
    return "" if text == UNKNOWN else f"{text[:10]}T{text[11:16]}Z"


def apart(at: float | None, now: float | None) -> str:
    """How long ago, or in how long, in the largest unit; "" where either is not known."""
    if at is None or now is None or moment(at) == UNKNOWN:
        return ""
    seconds = abs(at - now)
    size, unit = next(((size, unit) for size, unit in _UNITS if seconds >= size), _UNITS[-1])
    number = int(seconds // size)
    if number == 0:
        return "now"
    name = f"{number} {unit}" + ("s" if unit == "day" and number > 1 else "")
    return f"in {name}" if at > now else f"{name} ago"


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
    return UNKNOWN if ratio is None else figures.percent(ratio, 1)


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


def part(amount: float | None, whole: float | None) -> float | None:
    """How much of `whole` is used, in per cent up to 100; None where either is not known or there is no whole."""
    return None if amount is None or not whole else min(100.0, amount / whole * 100)


def visible(text: str) -> str:
    r"""The same with a code such as \u202e for each character that would hide, or turn round, what stands beside it."""
    return _UNSEEN.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def brief(text: str, most: int = 300) -> str:
    """The beginning of a long text."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


FILTERS = {
    "moment": moment,
    "iso": iso,
    "apart": apart,
    "span": span,
    "percent": percent,
    "points": points,
    "dollars": dollars,
    "count": count,
    "p_value": p_value,
    "part": part,
    "brief": brief,
}
"""By the names they have in templates."""
