"""How one pretended model behaves, as the control endpoint reads and shows it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from exporter.demo.faults import FAULTS
from exporter.errors import Problem

PROFILES: Mapping[str, tuple[float, float]] = {"perfect": (1.0, 1.0), "strong": (0.8, 1.0), "mixed": (0.5, 1.0)}
"""Bounds of the uniform distribution from which each question's chance of a right answer comes."""


@dataclass(frozen=True, slots=True)
class Behaviour:
    """One model. Changes take effect with the next request.

    `lost` questions (by id) and `lost_ratio` of all of them are always answered wrong; a larger share holds every smaller
    one. `served_model` is what the response calls the model (None: as asked for); `minority_ratio` of the answers come
    from `minority_model`. `faults` gives each fault its share of the requests. `api_key`, where set, is the only one let in.
    Without `tools` a request that offers some is turned away.
    """

    profile: str = "perfect"
    lost_ratio: float = 0.0
    lost: tuple[str, ...] = ()
    length_factor: float = 1.0
    served_model: str | None = None
    minority_model: str | None = None
    minority_ratio: float = 0.0
    system_fingerprint: str | None = None
    faults: Mapping[str, float] = field(default_factory=dict)
    retry_after: str | None = "1"
    latency_seconds: float = 0.0
    usage: bool = True
    cached: bool = False
    tools: bool = True
    api_key: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return the document that `changed` reads."""
        return asdict(self) | {"lost": list(self.lost), "faults": dict(self.faults)}


def _is_ratio(value: object) -> bool:
    return _is_number(value) and 0 <= value <= 1  # type: ignore[operator] # _is_number has looked


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_words(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(word, str) for word in value)


def _is_optional_text(value: object) -> bool:
    return value is None or isinstance(value, str)


def _are_shares(value: object) -> bool:
    return isinstance(value, dict) and all(_is_ratio(share) for share in value.values()) and sum(value.values()) <= 1


_Check = tuple[Callable[[Any], bool], str]
_OPTIONAL_TEXT: _Check = (_is_optional_text, "give a text or null")
_RATIO: _Check = (_is_ratio, "give a number from 0 to 1")
_FLAG: _Check = (lambda value: isinstance(value, bool), "give true or false")
_CHECKS: Mapping[str, _Check] = {
    "profile": (lambda value: isinstance(value, str) and value in PROFILES, f"give one of {', '.join(PROFILES)}"),
    "lost_ratio": _RATIO,
    "lost": (_is_words, "give a list of question ids"),
    "length_factor": (lambda value: _is_number(value) and 0 < value <= 1000, "give a number above 0, at most 1000"),
    "served_model": _OPTIONAL_TEXT,
    "minority_model": _OPTIONAL_TEXT,
    "minority_ratio": _RATIO,
    "system_fingerprint": _OPTIONAL_TEXT,
    "faults": (_are_shares, "give shares by name that sum up to at most 1"),
    "retry_after": _OPTIONAL_TEXT,
    "latency_seconds": (lambda value: _is_number(value) and 0 <= value <= 3600, "give seconds from 0 to 3600"),
    "usage": _FLAG,
    "cached": _FLAG,
    "tools": _FLAG,
    "api_key": _OPTIONAL_TEXT,
}


def changed(behaviour: Behaviour, document: object, where: str) -> tuple[Behaviour, Sequence[Problem]]:
    """Return `behaviour` with the fields of `document` laid over it, and every problem of `document` (then unchanged)."""
    if not isinstance(document, dict):
        return behaviour, [Problem(where, "not an object", "give the fields to set")]
    problems = []
    for name, value in document.items():
        check = _CHECKS.get(name)
        if check is None:
            problems.append(Problem(f"{where}.{name}", "unknown", f"the fields are {', '.join(_CHECKS)}"))
        elif not check[0](value):
            problems.append(Problem(f"{where}.{name}", f"cannot be {value!r}", check[1]))
        elif name == "faults":
            unknown = [fault for fault in value if fault not in FAULTS]
            problems += [Problem(f"{where}.faults.{fault}", "unknown", f"the faults are {', '.join(sorted(FAULTS))}") for fault in unknown]
    if problems:
        return behaviour, problems
    values: dict[str, Any] = {name: tuple(value) if name == "lost" else value for name, value in document.items()}
    return replace(behaviour, **values), []
