"""Checks read back, with as many of their runs and grades as are asked for.

A fixed number of queries whatever is asked for, but that long lists of ids are read 500 at a time.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from operator import attrgetter
from typing import Any

from sqlalchemy import Column, Connection, Row, Select, bindparam, select

from exporter.errors import Problem, StoreError
from exporter.records import Check, Grade, Run, Verdict
from exporter.store.nouns import GradesOf
from exporter.store.rows import (
    CHECK_COLUMNS,
    GRADE_COLUMNS,
    RUN_COLUMNS,
    VERDICT_COLUMNS,
    CheckRow,
    RunRow,
    read_check,
    read_grade,
    read_run,
    read_verdict,
)
from exporter.store.statements import Statement, rows_of_ids
from exporter.store.tables import checks, grades, runs, verdicts

IDS_A_QUERY = 500

_NO_LIMIT = 2**62

# All are made once: to put a statement together costs more than what it asks.
_CHECKS = select(*CHECK_COLUMNS).join_from(checks, verdicts, verdicts.c.check_id == checks.c.id, isouter=True)
_CHECK = Statement(_CHECKS.where(checks.c.id == bindparam("check_id")))
_UNCLOSED = Statement(_CHECKS.where(checks.c.closed_at.is_(None)))
_UNCLOSED_OF_TARGET = Statement(_CHECKS.where(checks.c.closed_at.is_(None), checks.c.target == bindparam("target")))
_OF_TARGET = _CHECKS.where(checks.c.target == bindparam("target")).limit(bindparam("limit"))
_NEWEST = Statement(_OF_TARGET.order_by(checks.c.id.desc()))
_NEWEST_BEFORE = Statement(_OF_TARGET.where(checks.c.id < bindparam("before")).order_by(checks.c.id.desc()))
_CLOSED = _OF_TARGET.where(checks.c.closed_at.is_not(None))
_NEWEST_CLOSED = Statement(_CLOSED.where(checks.c.claimed_at >= bindparam("since")).order_by(checks.c.id.desc()))
_OLDEST_CLOSED = Statement(_CLOSED.where(checks.c.id > bindparam("after")).order_by(checks.c.id))
_LAST_CLOSED = Statement(_CLOSED.order_by(checks.c.id.desc()))
_FIRST_RUNS = Statement(
    select(*RUN_COLUMNS)
    .where(
        runs.c.number == 1,
        runs.c.check_id.in_(
            select(checks.c.id)
            .where(checks.c.target == bindparam("target"), checks.c.closed_at.is_not(None))
            .order_by(checks.c.id.desc())
            .limit(bindparam("limit"))
        ),
    )
    .order_by(runs.c.id)
)
_NEWEST_VERDICTS = (
    select(*VERDICT_COLUMNS).where(verdicts.c.target == bindparam("target")).order_by(verdicts.c.check_id.desc()).limit(bindparam("limit"))
)


class Reader:
    """Reads within one transaction. `where` names the store in messages."""

    def __init__(self, connection: Connection, where: str) -> None:
        self._connection = connection
        self._where = where

    def check(self, check_id: int, grades: GradesOf) -> Check:
        """The check of that id. Raises StoreError where there is none."""
        found = self._assemble(_CHECK, grades, check_id=check_id)
        if not found:
            raise StoreError(Problem(f"check {check_id}", "is not known", "list the checks of its target"))
        return found[0]

    def open_checks(self, target: str | None) -> list[Check]:
        """Checks without a verdict, oldest first, with all they have."""
        # Put in order here: asked for it, SQLite would walk through all checks in the order of their ids to spare a sort of a few.
        unclosed = _UNCLOSED if target is None else _UNCLOSED_OF_TARGET
        found = self._assemble(unclosed, GradesOf.ALL_RUNS, target=target)
        return sorted(found, key=lambda check: check.id)

    def newest_checks(self, target: str, limit: int, before: int | None) -> list[Check]:
        """Checks of `target`, newest first, without grades; those older than the check `before`."""
        newest = _NEWEST if before is None else _NEWEST_BEFORE
        return self._assemble(newest, GradesOf.NO_RUN, target=target, limit=limit, before=before)

    def history(self, target: str, since: float | None, limit: int | None, grades: GradesOf, *, brief: bool) -> list[Check]:
        """Closed checks of `target` claimed at `since` or later, the newest `limit` of them, oldest first; see `decode_verdict`."""
        since, limit = -math.inf if since is None else since, _NO_LIMIT if limit is None else limit
        return self._assemble(_NEWEST_CLOSED, grades, brief=brief, target=target, since=since, limit=limit)[::-1]

    def oldest_closed(self, target: str, after: int, limit: int) -> list[Check]:
        """Closed checks of `target` with ids above `after`, the oldest `limit` of them, oldest first, without grades."""
        return self._assemble(_OLDEST_CLOSED, GradesOf.NO_RUN, target=target, after=after, limit=limit)

    def last_closed(self, target: str, limit: int, *, brief: bool) -> list[Check]:
        """Closed checks of `target`, newest first, with their verdicts but without their runs."""
        return [read_check(row, (), self._where, brief=brief) for row in self._checks(_LAST_CLOSED, target=target, limit=limit)]

    def first_runs(self, target: str, limit: int) -> list[Run]:
        """The first runs of the newest `limit` closed checks of `target`, oldest first, with their grades."""
        rows = _FIRST_RUNS.run(self._connection, {"target": target, "limit": limit})
        return self._with_grades([RunRow._make(row) for row in rows])

    def runs(self, target: str, run_ids: Sequence[int]) -> list[Run]:
        """Those runs of `target`, oldest first, with their grades. Ids that are not known are passed over."""
        rows = [row for row in self._runs(runs.c.id, run_ids) if row.target == target]
        return self._with_grades(sorted(rows, key=attrgetter("id")))

    def newest_verdicts(self, target: str, limit: int) -> list[Verdict]:
        """Verdicts of `target`, newest first."""
        return [read_verdict(row, self._where) for row in self._ask(_NEWEST_VERDICTS, target=target, limit=limit)]

    def _assemble(self, statement: Statement, grades: GradesOf, *, brief: bool = False, **asked: object) -> list[Check]:
        rows = self._checks(statement, **asked)
        ids = [row.id for row in rows]
        run_rows = sorted(self._runs(runs.c.check_id, ids), key=attrgetter("number"))
        wanted = {GradesOf.NO_RUN: 0, GradesOf.FIRST_RUNS: 1}.get(grades)
        graded = self._grades([row.id for row in run_rows if wanted is None or row.number <= wanted])
        found: defaultdict[int, list[Run]] = defaultdict(list)
        for row in run_rows:
            found[row.check_id].append(read_run(row, tuple(graded.get(row.id, ()))))
        return [read_check(row, tuple(found[row.id]), self._where, brief=brief) for row in rows]

    def _with_grades(self, rows: Sequence[RunRow]) -> list[Run]:
        graded = self._grades([row.id for row in rows])
        return [read_run(row, tuple(graded.get(row.id, ()))) for row in rows]

    def _grades(self, run_ids: Sequence[int]) -> dict[int, list[Grade]]:
        graded: defaultdict[int, list[Grade]] = defaultdict(list)
        for row in self._of_ids(GRADE_COLUMNS, grades.c.run_id, run_ids):
            graded[row[0]].append(read_grade(row))
        return graded

    def _runs(self, column: Column[Any], ids: Sequence[int]) -> list[RunRow]:
        return [RunRow._make(row) for row in self._of_ids(RUN_COLUMNS, column, ids)]

    def _of_ids(self, columns: Iterable[Column[Any]], column: Column[Any], ids: Sequence[int]) -> Iterator[Sequence[Any]]:
        for start in range(0, len(ids), IDS_A_QUERY):
            yield from rows_of_ids(self._connection, columns, column, ids[start : start + IDS_A_QUERY])

    def _checks(self, statement: Statement, **asked: object) -> list[CheckRow]:
        return [CheckRow._make(row) for row in statement.run(self._connection, asked)]

    def _ask(self, query: Select[Any], **asked: object) -> Sequence[Row[Any]]:
        return self._connection.execute(query, asked).all()
