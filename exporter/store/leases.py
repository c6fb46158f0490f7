"""Turns on a server: a row that says who has a target, and until when. Whoever lives renews it; what ran out is free."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Collection, Iterator

from sqlalchemy import ColumnElement, Connection, Double, delete, literal, or_, select, update
from sqlalchemy.dialects import postgresql

from exporter.errors import Problem, StoreError, StoreTakenError
from exporter.store.database import Database
from exporter.store.now import database_now
from exporter.store.sqlite import SqliteBackend
from exporter.store.tables import turns
from exporter.store.turns import FileTurns, IsAlive, Turns

LEASE_SECONDS = 30.0
"""How long a program that is not heard of keeps its turns."""

_RENEWALS_A_LEASE = 3


def open_turns(database: Database, holder: str) -> Turns:
    """The turns of the program `holder` with this database."""
    if isinstance(database.backend, SqliteBackend):
        return FileTurns(database.backend.path)
    return LeaseTurns(database, holder)


class LeaseTurns(Turns):
    """Turns by rows of the table `turns`, renewed by a thread for as long as any is held, and its holder alive."""

    def __init__(self, database: Database, holder: str, lease_seconds: float = LEASE_SECONDS) -> None:
        self.holder = holder
        self._database = database
        self._lease_seconds = lease_seconds
        self._busy: set[str] = set()
        self._held: dict[str, IsAlive] = {}
        self._changing = threading.Lock()
        self._none_held = threading.Event()

    @contextlib.contextmanager
    def hold(self, target: str, is_alive: IsAlive) -> Iterator[bool]:
        """See `Turns`."""
        with self._changing:  # two threads of one program have one name on the server
            is_free = target not in self._busy
            self._busy.add(target)
        if not is_free:
            yield False
            return
        try:
            if not self._take(target):
                yield False
                return
            self._note(target, is_alive)
            try:
                yield True
            finally:
                self._forget(target)
                with contextlib.suppress(StoreError):  # a turn that cannot be given back runs out
                    self._give_back(target)
        finally:
            with self._changing:
                self._busy.discard(target)

    def find_held(self, connection: Connection, targets: Collection[str]) -> list[str]:
        """See `Turns`."""
        live = select(turns.c.target).where(turns.c.until > database_now(connection))
        return sorted(set(targets).intersection(connection.execute(live).scalars()))

    def renew(self) -> frozenset[str]:
        """See `Turns`. A turn that ran out and that nobody took is had again."""
        held = self._list_alive()
        if not held:
            return frozenset()
        # In the order of `require`, so that the two never wait for each other.
        mine = select(turns.c.target).where(turns.c.holder == self.holder, turns.c.target.in_(held)).order_by(turns.c.target)
        renewed = mine.with_for_update().cte("mine")
        with self._database.write("claim") as connection:
            longer = update(turns).where(turns.c.target == renewed.c.target).values(until=self._until(connection))
            return frozenset(held).difference(connection.execute(longer.returning(turns.c.target)).scalars())

    def require(self, connection: Connection, targets: Collection[str]) -> None:
        """See `Turns`. A target that nobody has may be worked on without a turn, as by a command that asks nothing."""
        is_live = (turns.c.until > database_now(connection)).label("is_live")
        asked = select(turns.c.target, turns.c.holder, is_live).where(turns.c.target.in_(sorted(targets))).order_by(turns.c.target)
        rows = {row.target: row for row in connection.execute(asked.with_for_update(read=True)).all()}
        held = self._list_held()
        for target in sorted(targets):
            row = rows.get(target)
            mine = row is not None and row.holder == self.holder
            if not mine and (target in held or (row is not None and row.is_live)):
                what = "another replica has taken it over"
                raise StoreTakenError(Problem(f"target {target}", what, "nothing is lost: what is missing is asked there"))

    def _take(self, target: str) -> bool:
        with self._database.write("claim") as connection:
            insert = postgresql.insert(turns).values(target=target, holder=self.holder, until=self._until(connection))
            mine = {"holder": insert.excluded.holder, "until": insert.excluded.until}
            free = or_(turns.c.holder == self.holder, turns.c.until < database_now(connection))
            taken = insert.on_conflict_do_update(index_elements=[turns.c.target], set_=mine, where=free)
            return connection.execute(taken.returning(turns.c.target)).first() is not None

    def _give_back(self, target: str) -> None:
        with self._database.write("claim") as connection:
            connection.execute(delete(turns).where(turns.c.target == target, turns.c.holder == self.holder))

    def _until(self, connection: Connection) -> ColumnElement[float]:
        return database_now(connection) + literal(self._lease_seconds, Double)

    def _list_held(self) -> list[str]:
        with self._changing:
            return sorted(self._held)

    def _list_alive(self) -> list[str]:
        with self._changing:
            held = dict(self._held)
        return sorted(target for target, is_alive in held.items() if is_alive())

    def _note(self, target: str, is_alive: IsAlive) -> None:
        with self._changing:
            self._held[target] = is_alive
            if len(self._held) == 1:
                self._none_held = threading.Event()
                threading.Thread(target=self._renew_until, args=(self._none_held,), name="store-turns", daemon=True).start()

    def _forget(self, target: str) -> None:
        with self._changing:
            self._held.pop(target, None)
            if not self._held:
                self._none_held.set()

    def _renew_until(self, none_held: threading.Event) -> None:
        while not none_held.wait(self._lease_seconds / _RENEWALS_A_LEASE):
            with contextlib.suppress(StoreError):  # tried again before the lease is over; it is counted
                self.renew()
