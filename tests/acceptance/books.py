"""The ledger of a store held against the mock's own log: two books about the same requests, kept by strangers."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
from psycopg.rows import dict_row

from exporter.store import open_store
from tests.acceptance.pretended import Pretended

Rows = tuple[Mapping[str, Any], ...]


@dataclass(frozen=True, slots=True)
class Books:
    """What a store file holds, row by row."""

    requests: tuple[Mapping[str, Any], ...]
    grades: tuple[Mapping[str, Any], ...]
    checks: tuple[Mapping[str, Any], ...]
    verdicts: tuple[Mapping[str, Any], ...]

    @property
    def settled_grades(self) -> dict[tuple[object, ...], Mapping[str, Any]]:
        """Each grade by what it is the grade of."""
        return {_try_of(grade): grade for grade in self.grades}

    @property
    def said(self) -> dict[int, Mapping[str, Any]]:
        """Each verdict by its check."""
        return {verdict["check_id"]: verdict for verdict in self.verdicts}

    @property
    def is_at_rest(self) -> bool:
        """Whether no check is left open."""
        return all(check["closed_at"] is not None for check in self.checks)

    def open_requests(self, target: str) -> int:
        """Reservations that are not settled."""
        return sum(row["settled_at"] is None for row in self.requests if row["target"] == target)


def read_books(where: Path | str) -> Books:
    """Everything at one moment, also while programs write, of a file or of the PostgreSQL that a URL names."""
    with _open_rows(where) as rows:
        return Books(
            requests=rows("SELECT * FROM requests ORDER BY id"),
            grades=rows("SELECT grades.*, runs.target FROM grades JOIN runs ON runs.id = grades.run_id"),
            checks=rows("SELECT * FROM checks ORDER BY id"),
            verdicts=rows("SELECT * FROM verdicts"),
        )


@contextmanager
def _open_rows(where: Path | str) -> Iterator[Callable[[str], Rows]]:
    if isinstance(where, Path):
        with closing(sqlite3.connect(f"file:{where}?mode=ro", uri=True, isolation_level=None)) as connection:
            connection.row_factory = sqlite3.Row
            connection.execute("BEGIN")
            yield lambda query: tuple(dict(row) for row in connection.execute(query))
        return
    with psycopg.connect(where.replace("postgresql+psycopg", "postgresql"), row_factory=dict_row) as server:
        server.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        yield lambda query: tuple(server.cursor().execute(query.encode()).fetchall())


def require_progress(before: Books, now: Books, targets: Iterable[str], concurrency: int) -> Books:
    """The books of now. Fails where a grade or a verdict is gone or changed, or more requests of a target are open than can be."""
    assert before.settled_grades.items() <= now.settled_grades.items()
    assert before.said.items() <= now.said.items()
    assert all(now.open_requests(target) <= concurrency for target in targets)
    return now


def require_agreement(where: Path | str, pretended: Pretended, models: Mapping[str, str], *, never_sent: int) -> None:
    """Fail unless the store adds up and says of each target what the mock says of its model (`models`: target to model).

    Every request that the mock was sent has a row of its own, and each row that is no estimate has the tokens of one that it
    answered. Rows without a request, at most `never_sent` of a target, are reservations of which nobody knows more.
    """
    url = where if isinstance(where, str) else f"sqlite:///{where}"
    with closing(open_store(url, read_only=True)) as store:
        assert store.verify() == ()
    books = read_books(where)
    ids = {question.key: question.id for question in pretended.questions}
    for target, model in models.items():
        entries = pretended.entries(model)
        rows = [row for row in books.requests if row["target"] == target]
        asked: Counter[str | None] = Counter(entry.question for entry in entries)
        booked: Counter[str | None] = Counter(ids[row["question_key"]] for row in rows)
        assert asked <= booked, f"{target}: asked and not booked: {asked - booked}"
        unknown = [row for row in rows if row["orphan"] or row["settled_at"] is None or row["reason"] == "interrupted"]
        surplus = booked - asked
        assert surplus <= Counter(ids[row["question_key"]] for row in unknown), f"{target}: booked as answered and never asked"
        assert surplus.total() <= never_sent
        paid: Counter[tuple[str | None, int]] = Counter(
            (ids[row["question_key"]], row["tokens"]) for row in rows if row["estimated"] == 0 and row["reason"] is None
        )
        sent = Counter((entry.question, (entry.input_tokens or 0) + (entry.output_tokens or 0)) for entry in entries if entry.fault is None)
        assert paid <= sent, f"{target}: booked twice: {paid - sent}"
        _require_grades(books, target, Counter((e.question, e.right, e.input_tokens, e.output_tokens) for e in entries))


def _require_grades(books: Books, target: str, answered: Counter[tuple[object, ...]]) -> None:
    """Each grade is that of another answer, and has its row in the ledger."""
    grades = [grade for grade in books.grades if grade["target"] == target]
    kept: Counter[tuple[object, ...]] = Counter(
        (grade["question_id"], bool(grade["right"]), grade["input_tokens"], grade["output_tokens"])
        for grade in grades
        if grade["right"] is not None
    )
    assert kept <= answered, f"{target}: grades of no answer, or two of one: {kept - answered}"
    reserved = {_try_of(row) for row in books.requests}
    assert {_try_of(grade) for grade in grades} <= reserved
    answered_rows = Counter(_try_of(row) for row in books.requests if row["settled_at"] is not None and row["reason"] is None)
    assert max(answered_rows.values(), default=1) == 1, f"{target}: asked again though its answer was kept"


def _try_of(row: Mapping[str, Any]) -> tuple[object, ...]:
    """What a request or a grade is for."""
    return tuple(row[name] for name in ("run_id", "question_key", "sample", "attempt"))


def require_one_verdict_a_check(where: Path | str) -> None:
    """Fail unless every check is closed and has its verdict."""
    books = read_books(where)
    assert [check["id"] for check in books.checks if check["closed_at"] is None] == []
    assert sorted(verdict["check_id"] for verdict in books.verdicts) == [check["id"] for check in books.checks]
