"""A Verdict as a line of JSON, and back: also from a line that an older or a newer version of this program wrote.

A field that is not known is passed over; one that is missing, or has a default and cannot be read, takes its default. An entry
of a list that cannot be read (a signal that this version does not know) is left out.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import MISSING, asdict, fields, is_dataclass
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from exporter.records import Verdict

IN_BRIEF = ("standing", "protocol", "signals", "event_id")
"""What is read of a verdict that is one of a history, beside its columns."""

_EMPTY: dict[Any, Any] = {int: 0, float: 0.0, str: "", bool: False}


class UnreadableError(ValueError):
    """A value that cannot be what its field holds."""


class GarbledError(UnreadableError):
    """No version of this program has written that."""


def encode_verdict(verdict: Verdict) -> str:
    """The verdict whole, as one line of JSON. Raises ValueError for NaN and infinities: an unknown is None."""
    return json.dumps(asdict(verdict), separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def decode_verdict(record: str, *, target: str, check_id: int, decided_at: float, kind: str, brief: bool = False) -> Verdict:
    """The verdict that `record` tells of; the columns beside it win over what it says. Raises UnreadableError, of it GarbledError.

    `brief`: only what later verdicts rest on (IN_BRIEF), which takes half the time; all else is as if nothing were said of it.
    """
    try:
        said = json.loads(record)
    except ValueError as error:
        raise GarbledError("not JSON") from error
    if not isinstance(said, dict):
        raise GarbledError("not an object")
    if brief:
        said = {name: said[name] for name in IN_BRIEF if name in said}
    columns = {"target": target, "check_id": check_id, "decided_at": decided_at, "kind": kind}
    verdict: Verdict = _decoder(Verdict)({"standing": kind, **said, **columns})
    return verdict


@cache
def _decoder(hint: Any) -> Callable[[Any], Any]:
    origin = get_origin(hint)
    if origin in (Union, UnionType):
        (inner,) = (arg for arg in get_args(hint) if arg is not NoneType)
        return _optional(_decoder(inner))
    if origin is tuple:
        first, *others = get_args(hint)
        return _sequence(_decoder(first)) if others == [Ellipsis] else _row(tuple(map(_decoder, get_args(hint))))
    if is_dataclass(hint):
        return _record(hint)
    if issubclass(hint, Enum):
        return _member(hint)
    return _plain(hint)


def _optional(inner: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda value: None if value is None else inner(value)


def _sequence(element: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def decode(value: Any) -> Any:
        if not isinstance(value, list):
            raise UnreadableError("not a list")
        read = []
        for entry in value:
            try:
                read.append(element(entry))
            except UnreadableError:
                continue
        return tuple(read)

    return decode


def _row(parts: tuple[Callable[[Any], Any], ...]) -> Callable[[Any], Any]:
    def decode(value: Any) -> Any:
        if not isinstance(value, list) or len(value) != len(parts):
            raise UnreadableError(f"not a list of {len(parts)}")
        return tuple(part(entry) for part, entry in zip(parts, value, strict=True))

    return decode


def _record(kind: Any) -> Callable[[Any], Any]:
    hints = get_type_hints(kind)
    decoders = {field.name: _decoder(hints[field.name]) for field in fields(kind)}
    needed = {field.name: _empty(hints[field.name]) for field in fields(kind) if field.default is MISSING}
    as_written = {name: hint for name, hint in hints.items() if hint in _EMPTY}

    def decode(value: Any) -> Any:
        if not isinstance(value, dict):
            raise UnreadableError("not an object")
        read = dict(needed)
        for name, part in value.items():
            if type(part) is as_written.get(name):  # most are: a history has ten thousands of them
                read[name] = part
            elif name in decoders:
                try:
                    read[name] = decoders[name](part)
                except UnreadableError:
                    if name in needed:
                        raise
        for name in needed:
            if read[name] is MISSING:
                raise UnreadableError(f"{name} is missing")
        return kind(**read)

    return decode


def _empty(hint: Any) -> Any:
    """What stands for a missing value of a field without a default; MISSING where nothing can."""
    if get_origin(hint) is tuple:
        return ()
    if get_origin(hint) in (Union, UnionType):
        return None
    if isinstance(hint, type) and is_dataclass(hint):
        return _decoder(hint)({})
    return _EMPTY.get(hint, MISSING)


def _member(kind: Any) -> Callable[[Any], Any]:
    members = {member.value: member for member in kind}

    def decode(value: Any) -> Any:
        try:
            return members[value]
        except (KeyError, TypeError) as error:
            raise UnreadableError(f"{value!r} is not a {kind.__name__}") from error

    return decode


def _plain(kind: Any) -> Callable[[Any], Any]:
    def decode(value: Any) -> Any:
        if type(value) is kind:
            return value
        if kind is float and type(value) is int:
            return float(value)
        raise UnreadableError(f"{value!r} is not a {kind.__name__}")

    return decode
