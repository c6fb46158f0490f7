"""What an answer that is a program is run with, and what came of it. Values only."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


@dataclass(frozen=True, slots=True)
class Call:
    """The arguments of one call. JSON values only."""

    args: tuple[Any, ...] = ()
    kwargs: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Program:
    """Python source that defines `function`, and the calls to make of it, in order."""

    source: str
    function: str
    calls: tuple[Call, ...]


@dataclass(frozen=True, slots=True)
class Returned:
    """A call that came back. Tuples have become lists, mappings have texts as keys; anything else is a Strange."""

    value: Any


@dataclass(frozen=True, slots=True)
class Strange:
    """A value that is no JSON value (a set, an object), or one too large or too deep to be looked at: equal to nothing expected."""

    type_name: str


@dataclass(frozen=True, slots=True)
class Raised:
    """An exception that nothing caught: its class and the beginning of its message."""

    kind: str
    message: str = ""


Outcome = Returned | Raised


class Fault(StrEnum):
    """Why a run as a whole came to nothing."""

    LIMIT = "limit"
    """It met a limit of processor time, memory or output. The answer is wrong."""
    STARVED = "starved"
    """It was not done in time without having used its processor time: the machine is too busy. Nothing is known of the answer."""
    BROKEN = "broken"
    """The sandbox itself failed. Nothing is known of the answer."""


@dataclass(frozen=True, slots=True)
class Report:
    """One outcome for each call; none where the source could not be loaded (`loading` says how) or the run had a fault."""

    outcomes: tuple[Outcome, ...] = ()
    loading: Raised | None = None
    fault: Fault | None = None


RunProgram = Callable[[Program], Report]
