"""Checks read back, with as many of their runs and grades as are asked for.

A fixed number of queries whatever is asked for, but that long lists of ids are read 500 at a time.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import BindParameter, Connection, Row, Select, bindparam, select

from exporter.errors import Problem, StoreError
from exporter.records import Check, Grade, Run, Verdict
from exporter.store import tables
from exporter.store.nouns import GradesOf
from exporter.store.rows import CHECK_COLUMNS, GRADE_COLUMNS, RUN_COLUMNS, VERDICT_COLUMNS, read_check, read_grade, read_run, read_verdict

IDS_A_QUERY = 500

_CHECKS = select(*CHECK_COLUMNS)
_CHECK = _CHECKS.where(tables.checks.c.id == bindparam("check_id"))

# Made once, for as many ids as there are each time.
_IDS: BindParameter[Any] = bindparam("ids", expanding=True)
_VERDICTS_OF_CHECKS = select(*VERDICT_COLUMNS).where(tables.verdicts.c.check_id.in_(_IDS))
_RUNS_OF_CHECKS = select(*RUN_COLUMNS).where(tables.runs.c.check_id.in_(_IDS))
_RUNS = select(*RUN_COLUMNS).where(tables.runs.c.id.in_(_IDS))
_GRADES_OF_RUNS = select(*GRADE_COLUMNS).where(tables.grades.c.run_id.in_(_IDS)).order_by(*tables.grades.primary_key)


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
        unclosed = _CHECKS.where(tables.checks.c.closed_at.is_(None))
        # Put in order here: asked for it, SQLite would walk through all checks in the order of their ids to spare a sort of a few.
        found = self._assemble(unclosed if target is None else unclosed.where(tables.checks.c.target == target), GradesOf.ALL_RUNS)
        return sorted(found, key=lambda check: check.id)

    def newest_checks(self, target: str, limit: int, before: int | None) -> list[Check]:
        """Checks of `target`, newest first, without grades; those older than the check `before`."""
        newest = _CHECKS.where(tables.checks.c.target == target).order_by(tables.checks.c.id.desc()).limit(limit)
        return self._assemble(newest if before is None else newest.where(tables.checks.c.id < before), GradesOf.NO_RUN)

    def history(self, target: str, since: float | None, limit: int | None, grades: GradesOf) -> list[Check]:
        """Closed checks of `target` claimed at `since` or later, the newest `limit` of them, oldest first."""
        closed = _CHECKS.where(tables.checks.c.target == target, tables.checks.c.closed_at.is_not(None))
        if since is not None:
            closed = closed.where(tables.checks.c.claimed_at >= since)
        return self._assemble(closed.order_by(tables.checks.c.id.desc()).limit(limit), grades)[::-1]

    def oldest_closed(self, target: str, after: int, limit: int) -> list[Check]:
        """Closed checks of `target` with ids above `after`, the oldest `limit` of them, oldest first, without grades."""
        closed = _CHECKS.where(tables.checks.c.target == target, tables.checks.c.closed_at.is_not(None), tables.checks.c.id > after)
        return self._assemble(closed.order_by(tables.checks.c.id).limit(limit), GradesOf.NO_RUN)

    def runs(self, target: str, run_ids: Sequence[int]) -> list[Run]:
        """Those runs of `target`, oldest first, with their grades. Ids that are not known are passed over."""
        rows = [row for row in self._in_parts(_RUNS, run_ids) if row.target == target]
        graded = self._grades([row.id for row in rows])
        return [read_run(row, tuple(graded.get(row.id, ()))) for row in sorted(rows, key=lambda row: int(row.id))]

    def newest_verdicts(self, target: str, limit: int) -> list[Verdict]:
        """Verdicts of `target`, newest first."""
        newest = select(*VERDICT_COLUMNS).where(tables.verdicts.c.target == target).order_by(tables.verdicts.c.check_id.desc()).limit(limit)
        return [read_verdict(row, self._where) for row in self._connection.execute(newest).all()]

    def _assemble(self, query: Select[Any], grades: GradesOf, **asked: int) -> list[Check]:
        rows = self._connection.execute(query, asked).all()
        ids = [row.id for row in rows]
        verdicts = {row.check_id: read_verdict(row, self._where) for row in self._in_parts(_VERDICTS_OF_CHECKS, ids)}
        run_rows = sorted(self._in_parts(_RUNS_OF_CHECKS, ids), key=lambda row: int(row.number))
        wanted = {GradesOf.NO_RUN: 0, GradesOf.FIRST_RUNS: 1}.get(grades)
        graded = self._grades([row.id for row in run_rows if wanted is None or row.number <= wanted])
        runs: defaultdict[int, list[Run]] = defaultdict(list)
        for row in run_rows:
            runs[row.check_id].append(read_run(row, tuple(graded.get(row.id, ()))))
        return [read_check(row, tuple(runs[row.id]), verdicts.get(row.id)) for row in rows]

    def _grades(self, run_ids: Sequence[int]) -> dict[int, list[Grade]]:
        graded: defaultdict[int, list[Grade]] = defaultdict(list)
        for row in self._in_parts(_GRADES_OF_RUNS, run_ids):
            graded[row[0]].append(read_grade(row))
        return graded

    def _in_parts(self, query: Select[Any], ids: Sequence[int]) -> Iterator[Row[Any]]:
        for start in range(0, len(ids), IDS_A_QUERY):
            yield from self._connection.execute(query, {"ids": ids[start : start + IDS_A_QUERY]}).all()
