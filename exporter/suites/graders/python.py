"""python: the answer is a program whose function returns, or raises, what hidden cases expect."""

from __future__ import annotations

import builtins
import keyword
import math
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, JsonValue, model_validator

from exporter.suites.graders.base import Grader
from exporter.suites.program import Call, Outcome, Program, Raised, Report
from exporter.suites.wording import did_you_mean


def _check_function(name: str) -> str:
    if not name.isidentifier() or keyword.iskeyword(name):
        raise ValueError(f'"{name}" is no name of a function; write it as in the prompt, without brackets')
    return name


def _check_exception(name: str) -> str:
    if _find_exception(name) is None:
        raise ValueError(f'"{name}" is no exception of plain Python; write one such as ValueError')
    return name


class Case(BaseModel):
    """One call and what it has to come to: `returns` (null unless set), or `raises`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    args: tuple[JsonValue, ...] = ()
    kwargs: dict[str, JsonValue] = {}
    returns: JsonValue = None
    raises: Annotated[str, AfterValidator(_check_exception)] | None = None

    @model_validator(mode="before")
    @classmethod
    def _check_keys(cls, case: Any) -> Any:
        unknown = next((key for key in case if key not in cls.model_fields), None) if isinstance(case, Mapping) else None
        if unknown is not None:
            fix = did_you_mean(unknown, cls.model_fields) or f"use some of {', '.join(cls.model_fields)}"
            raise ValueError(f'"{unknown}" is unknown; {fix}')
        return case

    @model_validator(mode="after")
    def _check_one_end(self) -> Case:
        if self.raises is not None and self.returns is not None:
            raise ValueError("both returns and raises; keep one of them")
        return self


class Python(Grader):
    """All `cases` come out as they should. Numbers are compared by value (2 equals 2.0, True equals nothing but True).

    `tolerance`, absolute and relative, is that of numbers with a decimal point.
    """

    kind: Literal["python"]
    function: Annotated[str, AfterValidator(_check_function)]
    cases: Annotated[tuple[Case, ...], Field(min_length=1)]
    tolerance: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 1e-9

    def accepts(self, answer: str) -> bool:
        """Never: a program has to be run first, and `accepts_report` says whether it is right."""
        return False

    def write_program(self, source: str) -> Program:
        """What is to be run of an answer."""
        return Program(source, self.function, tuple(Call(case.args, case.kwargs) for case in self.cases))

    def accepts_report(self, report: Report) -> bool:
        """Whether every case came out right."""
        return report.loading is None and report.fault is None and len(report.outcomes) == len(self.cases) and not self.failures(report)

    def failures(self, report: Report) -> list[Outcome]:
        """What went wrong: how loading failed, or the outcomes that are not what their cases expect."""
        if report.loading is not None:
            return [report.loading]
        return [
            outcome
            for case, outcome in zip(self.cases, report.outcomes, strict=False)
            if not (_is_raised(case.raises, outcome) if case.raises else self._is_returned(case.returns, outcome))
        ]

    def _is_returned(self, expected: Any, outcome: Outcome) -> bool:
        return not isinstance(outcome, Raised) and _equals(expected, outcome.value, self.tolerance)


def _is_raised(expected: str, outcome: Outcome) -> bool:
    """Whether this exception, or one that is one of its kind, was raised."""
    if not isinstance(outcome, Raised):
        return False
    wanted, found = _find_exception(expected), _find_exception(outcome.kind)
    return wanted is not None and found is not None and issubclass(found, wanted)


def _find_exception(name: str) -> type[Exception] | None:
    found = ValueError if name == "JSONDecodeError" else getattr(builtins, name, None)
    return found if isinstance(found, type) and issubclass(found, Exception) else None


def _equals(expected: Any, found: Any, tolerance: float) -> bool:
    """Goes no further into `found` than `expected` does."""
    if isinstance(expected, bool) or isinstance(found, bool) or expected is None:
        return expected is found
    if isinstance(expected, float) and isinstance(found, int | float):
        try:
            return math.isclose(found, expected, rel_tol=tolerance, abs_tol=tolerance)
        except OverflowError:
            return False
    if isinstance(expected, int):
        return isinstance(found, int | float) and found == expected
    if isinstance(expected, list):
        return (
            isinstance(found, list)
            and len(found) == len(expected)
            and all(_equals(one, other, tolerance) for one, other in zip(expected, found, strict=True))
        )
    if isinstance(expected, Mapping):
        return (
            isinstance(found, dict)
            and found.keys() == expected.keys()
            and all(_equals(inner, found[key], tolerance) for key, inner in expected.items())
        )
    return isinstance(found, str) and found == expected
