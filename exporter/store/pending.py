"""What a transaction keeps for its end: grades, sums that every program adds to, and who answered.

Each is written once, by the transaction's last statements and always in the same order. So a row that all programs share is
locked for a moment only, no two transactions wait for each other, and a batch of answers takes hardly more statements than one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from operator import add
from typing import Any

from sqlalchemy import Connection, Table

from exporter.records import Grade
from exporter.store.carried import Carried
from exporter.store.rows import GRADE_COLUMNS, write_grade
from exporter.store.sightings import note_identities
from exporter.store.statements import Rows, raise_rows
from exporter.store.tables import ALL_TARGETS, SUMS, checks, counters, grades, spend_days
from exporter.store.units import safe_text
from exporter.store.upserts import add_new, add_up

Key = tuple[str | int, ...]
"""A primary key."""

_INFO = "exporter_pending"
_GRADE_NAMES = tuple(column.name for column in GRADE_COLUMNS)


class Pending:
    """What one transaction has yet to write; `targets`, whose checks it works on; and the books that it has `carried` on."""

    def __init__(self) -> None:
        self.targets: set[str] = set()
        self.carried: Carried | None = None
        self._grades: list[tuple[Any, ...]] = []
        self._sums: defaultdict[Table, dict[Key, tuple[int, ...]]] = defaultdict(dict)
        self._seen: dict[tuple[str, str, str], float] = {}

    def grade(self, run_id: int, grade: Grade) -> None:
        """A try was graded. The first grade of a try stands."""
        self._grades.append(write_grade(run_id, grade))

    def add(self, table: Table, key: Key, amounts: Sequence[int]) -> None:
        """Add `amounts` to the running totals of the row at `key`."""
        sums = self._sums[table]
        known = sums.get(key)
        sums[key] = tuple(amounts) if known is None else tuple(map(add, known, amounts))

    def see(self, target: str, identity: str, fingerprint: str | None, now: float) -> None:
        """An identity answered."""
        self._seen[target, safe_text(identity), safe_text(fingerprint or "")] = now

    def sums(self, table: Table) -> Mapping[Key, tuple[int, ...]]:
        """What is to be added to the rows of a table."""
        return self._sums.get(table, {})

    def write(self, connection: Connection) -> None:
        """Write it all. The row of all targets comes last: everybody waits for it."""
        add_new(connection, grades, _GRADE_NAMES, self._grades)
        note_identities(connection, self._seen)
        raise_rows(connection, checks, SUMS, self._ordered(checks))
        add_up(connection, counters, ("target", "family", "label"), ("value",), self._ordered(counters))
        add_up(connection, spend_days, ("target", "day"), SUMS, self._ordered(spend_days))
        self._grades, self._sums, self._seen = [], defaultdict(dict), {}

    @contextmanager
    def part(self) -> Iterator[None]:
        """Forget what is added inside where that ends badly. Whatever is done there, the books have to be read again."""
        sums = defaultdict(dict, {table: dict(sums) for table, sums in self._sums.items()})
        before = list(self._grades), sums, dict(self._seen), set(self.targets)
        try:
            yield
        except BaseException:
            self._grades, self._sums, self._seen, self.targets = before
            raise
        finally:
            self.carried = None

    def _ordered(self, table: Table) -> Rows:
        ordered = sorted(self.sums(table).items(), key=lambda item: (item[0][0] == ALL_TARGETS, item[0]))
        return [(*key, *amounts) for key, amounts in ordered]


@contextmanager
def pending_in(connection: Connection) -> Iterator[Pending]:
    """What the transaction of `connection` keeps for its end, for as long as the block lasts."""
    info = connection.info  # not to be asked of a connection that was cut meanwhile
    pending = info[_INFO] = Pending()
    try:
        yield pending
    finally:
        info.pop(_INFO, None)


def pending_of(connection: Connection) -> Pending:
    """What the transaction of `connection` keeps for its end; nothing in one that only reads."""
    pending: Pending = connection.info.get(_INFO) or Pending()
    return pending
