"""Durations as Go and Prometheus write them: "90s", "1h30m", "250ms"."""

from __future__ import annotations

import re

from exporter.config.words import quote

_UNIT_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0, "w": 604800.0}
DURATION_PATTERN = r"(?:[0-9]+(?:\.[0-9]+)?(?:ms|[smhdw]))+"
_DURATION = re.compile(DURATION_PATTERN)
_PART = re.compile(r"([0-9]+(?:\.[0-9]+)?)(ms|[smhdw])")


def parse_duration(value: object) -> float:
    """Seconds of a Go-style duration. A bare 0 needs no unit. Raises ValueError for anything else."""
    if value in (0, "0") and not isinstance(value, bool):
        return 0.0
    if isinstance(value, str) and _DURATION.fullmatch(value):
        return sum(float(number) * _UNIT_SECONDS[unit] for number, unit in _PART.findall(value))
    raise ValueError(f"{quote(value)} is not a duration; write a number with its unit, such as 90s, 15m or 1h30m")


def format_duration(seconds: float) -> str:
    """The shortest Go-style duration that `parse_duration` reads back as `seconds` (to the millisecond)."""
    rest = round(seconds * 1000)
    parts = []
    for unit, milliseconds in (("h", 3_600_000), ("m", 60_000), ("s", 1000), ("ms", 1)):
        count, rest = divmod(max(0, rest), milliseconds)
        if count:
            parts.append(f"{count}{unit}")
    return "".join(parts) or "0s"
