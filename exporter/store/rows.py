"""Rows to records and back."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import Row

from exporter.errors import Problem, StoreCorruptError, StoreVersionError
from exporter.records import Check, CheckKind, CheckState, Grade, Reason, Run, RunState, Verdict
from exporter.store import tables
from exporter.store.codec import GarbledError, UnreadableError, decode_verdict
from exporter.store.units import safe_text

_Kind = TypeVar("_Kind", bound=StrEnum)

_GRADE_FIELDS = Grade._fields
_PROVIDERS_WORDS_AT = [_GRADE_FIELDS.index(name) for name in ("message", "identity", "fingerprint", "host", "tier", "region")]
_TRUTHS_AT = [_GRADE_FIELDS.index(name) for name in ("right", "answer_line_missing", "reasoning_in_content")]
_REASON_AT = _GRADE_FIELDS.index("reason")
_REASONS = frozenset(Reason)


class CheckRow(NamedTuple):
    """A row of CHECK_COLUMNS; the last three are those of its verdict, None where there is none yet."""

    id: int
    target: str
    kind: str
    due_at: float
    claimed_at: float
    state: str
    confirm_at: float | None
    closed_at: float | None
    decided_at: Any
    said: Any
    record: str | None


class RunRow(NamedTuple):
    """A row of RUN_COLUMNS."""

    id: int
    check_id: int
    target: str
    number: int
    protocol: str
    started_at: float
    deadline_at: float
    state: str
    ended_at: float | None
    reason: str | None
    message: str
    grades_pruned_at: float | None


CHECK_COLUMNS = (*tables.checks.c[CheckRow._fields[:-3]], *tables.verdicts.c["decided_at", "kind", "record"])
RUN_COLUMNS = tables.runs.c[RunRow._fields]
GRADE_COLUMNS = tables.grades.c[("run_id", *_GRADE_FIELDS)]
VERDICT_COLUMNS = tables.verdicts.c["check_id", "target", "decided_at", "kind", "record"]


def read_check(row: CheckRow, runs: tuple[Run, ...], where: str, *, brief: bool = False) -> Check:
    """A check with its verdict, `brief` or whole. Raises as `read_verdict` does."""
    return Check(
        id=row.id,
        target=row.target,
        kind=_member(CheckKind, row.kind, f"check {row.id}"),
        due_at=row.due_at,
        claimed_at=row.claimed_at,
        state=_member(CheckState, row.state, f"check {row.id}"),
        runs=runs,
        confirm_at=row.confirm_at,
        closed_at=row.closed_at,
        verdict=None if row.record is None else _decode(row.record, row.target, row.id, row.decided_at, row.said, where, brief=brief),
    )


def read_run(row: RunRow, grades: tuple[Grade, ...]) -> Run:
    """A run of a row of RUN_COLUMNS."""
    return Run(
        id=row.id,
        check_id=row.check_id,
        target=row.target,
        number=row.number,
        protocol=row.protocol,
        started_at=row.started_at,
        deadline_at=row.deadline_at,
        state=_member(RunState, row.state, f"run {row.id}"),
        ended_at=row.ended_at,
        reason=read_reason(row.reason),
        message=row.message,
        grades=grades,
        grades_pruned_at=row.grades_pruned_at,
    )


def read_grade(row: Sequence[Any]) -> Grade:
    """A grade of a row of GRADE_COLUMNS as the driver gives it. By position: a history has thousands of them."""
    values = list(row)
    del values[0]
    for at in _TRUTHS_AT:  # SQLite knows but numbers
        if values[at] is not None:
            values[at] = values[at] != 0
    if values[_REASON_AT] is not None:
        values[_REASON_AT] = read_reason(values[_REASON_AT])
    return Grade._make(values)


def write_grade(run_id: int, grade: Grade) -> tuple[Any, ...]:
    """The row of a grade, in the order of GRADE_COLUMNS."""
    values: list[Any] = list(grade)
    for at in _PROVIDERS_WORDS_AT:
        if values[at]:
            values[at] = safe_text(values[at])
    if grade.reason is not None:
        values[_REASON_AT] = grade.reason.value
    return (run_id, *values)


def read_verdict(row: Row[Any], where: str) -> Verdict:
    """A verdict of a row of VERDICT_COLUMNS.

    Raises StoreVersionError where this version cannot make sense of it, StoreCorruptError where none could.
    """
    return _decode(row.record, row.target, row.check_id, row.decided_at, row.kind, where)


def _decode(record: str, target: str, check_id: int, decided_at: float, kind: str, where: str, *, brief: bool = False) -> Verdict:
    try:
        return decode_verdict(record, target=target, check_id=check_id, decided_at=decided_at, kind=kind, brief=brief)
    except UnreadableError as error:
        what = f"the verdict of check {check_id} cannot be read: {error}"
        if isinstance(error, GarbledError):
            raise StoreCorruptError(Problem(where, what, "restore the store from a backup")) from error
        raise StoreVersionError(Problem(where, what, "was it written by a newer version? Install that one again")) from error


def _member(kind: type[_Kind], value: str, where: str) -> _Kind:
    try:
        return kind(value)
    except ValueError:
        what = f"{value!r} is no {kind.__name__} that this version knows"
        raise StoreVersionError(Problem(where, what, "was it written by a newer version? Install that one again")) from None


def read_reason(value: str | None) -> Reason | None:
    """The reason of a column; one that this version does not know was written by a newer one, and is an unknown_stop here."""
    if value is None:
        return None
    return Reason(value) if value in _REASONS else Reason.UNKNOWN_STOP
