"""How long a server asks to be left alone."""

from __future__ import annotations

import math
from collections.abc import Mapping
from email.utils import parsedate_to_datetime


def read_retry_after(headers: Mapping[str, str], received_at: float) -> float | None:
    """Seconds to wait: from `retry-after-ms`, else `retry-after` as a number or an HTTP date; None where unreadable.

    Formats: RFC 9110 section 10.2.3; milliseconds as OpenAI and Azure send them. Never negative, never clamped from above:
    the caller knows its deadline.
    """
    milliseconds = _read_number(headers.get("retry-after-ms", ""))
    if milliseconds is not None:
        return milliseconds / 1000
    value = headers.get("retry-after", "").strip()
    seconds = _read_number(value)
    if seconds is not None or not value:
        return seconds
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - received_at)
    except (ValueError, TypeError, OverflowError, OSError):
        return None


def _read_number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return max(0.0, number) if math.isfinite(number) else None
