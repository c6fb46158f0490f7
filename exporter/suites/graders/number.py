"""number: the answer is this number, however it is written."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import Annotated, Literal

from pydantic import Field, PlainValidator

from exporter.suites.graders.base import Grader
from exporter.suites.number_forms import read_number


@lru_cache(maxsize=4096)
def _expected(value: str) -> Fraction | None:
    """The value of a question, which is the same at every answer."""
    return read_number(value, fractions=True)


def _check_number(value: object) -> int | float | str:
    if isinstance(value, bool) or not isinstance(value, (int, float, str)) or _expected(str(value)) is None:
        raise ValueError('is not a number; write it as 42, 1.5, "1.34e5" or, for a fraction, "3/4"')
    return value


class Number(Grader):
    """At most `tolerance` away from `value`.

    A fraction such as 3/4 is read only where `value` is written as one. With `units` only these may follow the number; without
    them one plain word or a currency sign may.
    """

    kind: Literal["number"]
    value: Annotated[int | float | str, PlainValidator(_check_number)]
    tolerance: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 0
    units: tuple[Annotated[str, Field(pattern=r"\S")], ...] = ()

    def accepts(self, answer: str) -> bool:
        """Whether the answer reads as a number near enough to `value`."""
        expected = _expected(str(self.value))
        found = read_number(answer, fractions="/" in str(self.value), units=self.units)
        return found is not None and expected is not None and abs(found - expected) <= Fraction(repr(self.tolerance))
