"""JSON in an answer: read strictly, found in fences or in prose, and compared as values."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from typing import Any

from exporter.suites.text import canonical_json, fenced_blocks

MOST_LEVELS = 100
"""A value nested deeper is taken as none: whatever walks through it would run out of stack."""

MOST_VALUES = 50_000
"""A value that holds more is taken as none."""

LONGEST_PROSE = 100_000
"""Characters of a longer text are not searched."""

MOST_FALSE_STARTS = 256
"""Brackets that begin no JSON, after which a text is searched no further: each may cost as much as the whole text."""

_UNSOUND = object()
"""Stands where a value has no one meaning: NaN, infinities, numbers that no float holds, objects with a key twice."""

_START = re.compile(r"[{\[]")


def parse_json(text: str) -> Any:
    """The value of a JSON text. Raises ValueError for what is none, has no one meaning, or is nested or long past reason."""
    try:
        value, end = _DECODER.raw_decode(stripped := text.strip())
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if end != len(stripped):
        raise ValueError("more than one value")
    if not _is_sound(value):
        raise ValueError("not sound")
    return value


def find_json(text: str) -> list[Any]:
    """The objects and arrays in a text, in order: of its fences where one holds JSON, else the outermost ones in the prose."""
    fenced = list(_parse_each(fenced_blocks(text)))
    return fenced or list(_find_in_prose(text))


def normalise(value: Any, *, unordered: bool = False) -> Any:
    """The value with 1.0 as 1, so that equal values have one canonical text; `unordered` sorts every list."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, dict):
        return {key: normalise(inner, unordered=unordered) for key, inner in value.items()}
    if isinstance(value, list):
        items = [normalise(item, unordered=unordered) for item in value]
        return sorted(items, key=canonical_json) if unordered else items
    return value


def _parse_each(texts: list[str]) -> Iterator[Any]:
    for text in texts:
        try:
            value = parse_json(text)
        except ValueError:
            continue
        if isinstance(value, dict | list):
            yield value


def _find_in_prose(text: str) -> Iterator[Any]:
    position = false_starts = 0
    while len(text) <= LONGEST_PROSE and false_starts < MOST_FALSE_STARTS and (start := _START.search(text, position)):
        try:
            value, position = _DECODER.raw_decode(text, start.start())
        except (ValueError, RecursionError):
            false_starts, position = false_starts + 1, start.end()
        else:
            if _is_sound(value):
                yield value


def _is_sound(value: Any) -> bool:
    waiting, seen = [(value, 1)], 0
    while waiting:
        inner, level = waiting.pop()
        seen += 1
        if inner is _UNSOUND or level > MOST_LEVELS or seen > MOST_VALUES:
            return False
        if isinstance(inner, dict | list):
            waiting += ((item, level + 1) for item in (inner.values() if isinstance(inner, dict) else inner))
    return True


def _read_object(pairs: list[tuple[str, Any]]) -> Any:
    read = dict(pairs)
    return read if len(read) == len(pairs) else _UNSOUND


def _read_float(digits: str) -> Any:
    number = float(digits)
    return number if math.isfinite(number) else _UNSOUND


_DECODER = json.JSONDecoder(object_pairs_hook=_read_object, parse_float=_read_float, parse_constant=lambda _: _UNSOUND)
