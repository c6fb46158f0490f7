"""How values are written down: money as whole nano-dollars, days as numbers, foreign text made safe.

Sums of integers are exact in any order: a cap of 0.30 takes three reservations of 0.10, which floats would refuse.
"""

from __future__ import annotations

import math
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache

NANOS_PER_USD = 1_000_000_000
TEXT_LIMIT_CHARACTERS = 256

_EPOCH = date(1970, 1, 1)


def to_nanos(usd: float) -> int:
    """Whole nano-dollars. Raises ValueError for what is no amount of money: negative, NaN, infinite."""
    if not math.isfinite(usd) or usd < 0:
        raise ValueError(f"{usd!r} is not an amount in USD")
    return round(usd * NANOS_PER_USD)


def to_usd(nanos: int) -> float:
    """USD of whole nano-dollars."""
    return nanos / NANOS_PER_USD


def sums_of(tokens: int, usd_nanos: int | None, *, estimated: bool) -> tuple[int, int, int, int, int]:
    """What one request adds to running totals, in the order of `tables.SUMS`."""
    spent = usd_nanos or 0
    return spent, spent if estimated else 0, tokens, 1, int(usd_nanos is not None)


def day_of(unix_seconds: float) -> int:
    """Days since 1970-01-01, UTC."""
    return math.floor(unix_seconds / 86400)


@lru_cache(maxsize=64)
def month_of(day: int) -> range:
    """The days of the UTC month that `day` lies in."""
    first = (_EPOCH + timedelta(days=day)).replace(day=1)
    after = (first + timedelta(days=31)).replace(day=1)
    return range((first - _EPOCH).days, (after - _EPOCH).days)


def day_text(day: int) -> str:
    """`day` as people write it: 2026-11-30."""
    return datetime.fromtimestamp(day * 86400, UTC).date().isoformat()


def safe_text(text: str, limit: int | None = TEXT_LIMIT_CHARACTERS) -> str:
    """At most `limit` characters, without what a database refuses to hold: lone surrogates and NUL become U+FFFD."""
    cut = text[:limit]
    if cut.isprintable():  # and so has neither, as nearly every text
        return cut
    return "".join("\ufffd" if char == "\0" or "\ud800" <= char <= "\udfff" else char for char in cut)
