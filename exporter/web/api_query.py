"""The parameters of a request to the API. All that is wrong with them is told at once."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Sequence
from datetime import UTC, datetime
from math import isfinite

from exporter.errors import Problem, UsageError

LARGEST_ID = 2**53 - 1
"""Larger whole numbers are not exact where JSON's numbers are floats."""

_QUOTED_CHARACTERS = 60


class Query:
    """Parameters by name. Each is read by one method, then `close` raises what was wrong with any of them."""

    def __init__(self, items: Iterable[tuple[str, str]], known: Sequence[str]) -> None:
        self._known = known
        self._values: dict[str, list[str]] = {}
        for name, value in items:
            self._values.setdefault(name, []).append(value)
        self._problems = [
            Problem(quoted(name), "no such parameter", f"choose from: {', '.join(known)}" if known else "none is taken here")
            for name in self._values
            if name not in known
        ]

    def number(self, name: str, least: int, most: int, default: int) -> int:
        """A whole number from `least` to `most`."""
        found = self.optional_number(name, least, most)
        return default if found is None else found

    def optional_number(self, name: str, least: int = 1, most: int = LARGEST_ID) -> int | None:
        """The same; None where it is not given."""
        text = self._single(name)
        if text is None:
            return None
        if text.isascii() and text.isdigit() and len(text) < 20 and least <= int(text) <= most:
            return int(text)
        span = f"from {least} to {most}" if most < LARGEST_ID else f"from {least} on"
        self._refuse(name, f"{quoted(text)} is no number {span}")
        return None

    def time(self, name: str) -> float | None:
        """A time as Unix seconds, written so or as in RFC 3339; None where it is not given."""
        text = self._single(name)
        if text is None:
            return None
        found = _read_time(text)
        if found is None:
            self._refuse(name, f"{quoted(text)} is no time", "write Unix seconds, or as in 2026-11-30T09:00:00Z")
        return found

    def words(self, name: str, choices: Collection[str]) -> frozenset[str]:
        """Some of `choices`; empty where none is given."""
        given = self._values.get(name, [])
        for text in given:
            if text not in choices:
                self._refuse(name, f"{quoted(text)} is none", f"choose from: {', '.join(choices)}")
        return frozenset(given)

    def require(self, holds: bool, name: str, what: str) -> None:
        """What has to hold between parameters."""
        if not holds:
            self._refuse(name, what)

    def close(self) -> None:
        """Raises UsageError with every problem that there was."""
        if self._problems:
            raise UsageError(self._problems)

    def _single(self, name: str) -> str | None:
        given = self._values.get(name, [])
        if len(given) > 1:
            self._refuse(name, f"given {len(given)} times", "give it once")
            return None
        return given[0] if given else None

    def _refuse(self, name: str, what: str, fix: str = "") -> None:
        self._problems.append(Problem(name, what, fix))


def quoted(text: str) -> str:
    """What somebody sent, in quotation marks, cut where it is long."""
    cut = text if len(text) <= _QUOTED_CHARACTERS else text[: _QUOTED_CHARACTERS - 1] + "…"
    return json.dumps(cut, ensure_ascii=False)


def _read_time(text: str) -> float | None:
    try:
        if re.fullmatch(r"\d{1,12}(\.\d{1,9})?", text, re.ASCII):
            return float(text)
        # A plus sign that was not encoded arrives as a space.
        moment = datetime.fromisoformat(re.sub(r" (?=\d\d:\d\d$)", "+", text))
        seconds = moment.astimezone(UTC).timestamp()
    except (ValueError, OverflowError):
        return None
    # Nothing is older than 1970, and the link to the next page writes Unix seconds without a sign.
    return max(0.0, seconds) if moment.tzinfo is not None and isfinite(seconds) else None
