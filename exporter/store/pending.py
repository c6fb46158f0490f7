"""What a transaction keeps for its end: sums that every program adds to, and who answered.

Each is written once, by the transaction's last statements and always in the same order. So a row that all programs share is
locked for a moment only, no two transactions wait for each other, and a batch of answers takes hardly more statements than one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from sqlalchemy import Connection, Table, bindparam, update

from exporter.store.sightings import note_identity
from exporter.store.tables import ALL_TARGETS, SUMS, checks, counters, spend_days
from exporter.store.upserts import add_up

Key = tuple[str | int, ...]
"""A primary key."""

_INFO = "exporter_pending"
_RAISE_CHECK = (
    update(checks).where(checks.c.id == bindparam("this_id")).values({name: checks.c[name] + bindparam(f"more_{name}") for name in SUMS})
)


class Pending:
    """What one transaction has yet to write, and `targets`, whose checks it works on."""

    def __init__(self) -> None:
        self.targets: set[str] = set()
        self._sums: dict[Table, dict[Key, tuple[int, ...]]] = {}
        self._seen: dict[tuple[str, str, str | None], float] = {}

    def add(self, table: Table, key: Key, amounts: Sequence[int]) -> None:
        """Add `amounts` to the running totals of the row at `key`."""
        sums = self._sums.setdefault(table, {})
        known = sums.get(key)
        sums[key] = tuple(amounts) if known is None else tuple(map(sum, zip(known, amounts, strict=True)))

    def see(self, target: str, identity: str, fingerprint: str | None, now: float) -> None:
        """An identity answered."""
        self._seen[target, identity, fingerprint] = now

    def sums(self, table: Table) -> Mapping[Key, tuple[int, ...]]:
        """What is to be added to the rows of a table."""
        return self._sums.get(table, {})

    def write(self, connection: Connection) -> None:
        """Write it all. The row of all targets comes last: everybody waits for it."""
        for (target, identity, fingerprint), now in sorted(self._seen.items(), key=str):
            note_identity(connection, target, identity, fingerprint, now)
        if raised := self.sums(checks):
            more = [f"more_{name}" for name in SUMS]
            rows = [dict(zip(("this_id", *more), (*key, *amounts), strict=True)) for key, amounts in sorted(raised.items())]
            connection.execute(_RAISE_CHECK, rows)
        self._add_up(connection, counters, ("target", "family", "label"), ("value",))
        self._add_up(connection, spend_days, ("target", "day"), SUMS)
        self._sums, self._seen = {}, {}

    @contextmanager
    def part(self) -> Iterator[None]:
        """Forget what is added inside where that ends badly."""
        before = {table: dict(sums) for table, sums in self._sums.items()}, dict(self._seen), set(self.targets)
        try:
            yield
        except BaseException:
            self._sums, self._seen, self.targets = before
            raise

    def _add_up(self, connection: Connection, table: Table, key: Sequence[str], sums: Sequence[str]) -> None:
        ordered = sorted(self.sums(table).items(), key=lambda item: (item[0][0] == ALL_TARGETS, item[0]))
        if ordered:
            add_up(connection, table, [dict(zip((*key, *sums), (*of, *amounts), strict=True)) for of, amounts in ordered], sums)


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
