"""From the grades of one question to its mark: the figure that everything is tested on."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter

from exporter.records.request import Grade


def mark_of(grades: Sequence[Grade], tries: int) -> int | None:
    """The mark of one question in one sample of one run: wrong answers before the first right one; `tries` is never right.

    `grades` are that question's, in any order. None: there is no mark, as the first answer is unusable or missing. Where a
    re-asked answer stays unusable, or was never asked for, the mark is the wrong answers so far: to drop the question would
    delete mostly bad marks.
    """
    return mark_in_order(sorted(grades, key=attrgetter("attempt")), tries)


def mark_in_order(grades: Sequence[Grade], tries: int) -> int | None:
    """The same for grades in the order of their attempts."""
    mark = 0
    for grade in grades:
        if grade.right is None:
            return min(mark, tries) or None
        if grade.right:
            return min(mark, tries)
        mark += 1
    return min(mark, tries) or None


def next_attempt(grades: Sequence[Grade], tries: int) -> int | None:
    """The number of the try that is due for one question in one sample of one run, from 1; None: nothing is left to ask.

    A right answer, an unusable one, or the last of `tries` ends a question.
    """
    if len(grades) >= tries or any(grade.right is not False for grade in grades):
        return None
    return len(grades) + 1
