"""The store as everybody else sees it: one method, one transaction."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from uuid import uuid4

from exporter.errors import Problem, StoreLockedError
from exporter.records import (
    Answer,
    BaselineEvent,
    Check,
    CheckKind,
    Grade,
    Reason,
    Run,
    RunState,
    Verdict,
)
from exporter.store import claims, events, ledger, renames, replicas, retention
from exporter.store.again import made_again
from exporter.store.copies import copy_all
from exporter.store.database import Database, connect
from exporter.store.facts import Facts
from exporter.store.leases import open_turns
from exporter.store.nouns import Cap
from exporter.store.postgres import ReadPassword
from exporter.store.schema import migrate, require_newest
from exporter.store.sqlite import SqliteBackend
from exporter.store.turns import IsAlive


def open_store(url: str, *, read_only: bool = False, busy_timeout_seconds: float = 5.0, read_password: ReadPassword | None = None) -> Store:
    """The store at `url` (sqlite:///path, postgresql+psycopg://user@host/database), brought up to date; `read_only` changes nothing.

    A file is created where there is none, a database is not. `busy_timeout_seconds` is how long a method waits while another
    program writes; `read_password` is asked at each new connection. Raises StoreMissingError (read only, and there is none),
    StoreLockedError, StoreUnreachableError, StoreReadOnlyError, StoreFullError, StoreVersionError, StoreCorruptError, StoreError.
    """
    database = connect(url, read_only=read_only, busy_timeout_seconds=busy_timeout_seconds, read_password=read_password)
    try:
        if read_only:
            require_newest(database)
        else:
            migrate(database)
    except BaseException:
        database.engine.dispose()
        raise
    return Store(database)


def reach_store(url: str, *, read_password: ReadPassword | None = None) -> Store:
    """The same for who can wait: a server is not asked for anything before `Store.prepare` is called. A file is opened at once."""
    database = connect(url, read_only=False, busy_timeout_seconds=5.0, read_password=read_password)
    if isinstance(database.backend, SqliteBackend):
        return open_store(url)
    return Store(database, is_prepared=False)


class Store(Facts):
    """Facts in, facts out. Times are Unix seconds. Every method may raise the StoreErrors that `open_store` lists.

    A method that fails has changed nothing. Any thread may call; one writer at a time is served.
    """

    def __init__(self, database: Database, *, is_prepared: bool = True) -> None:
        super().__init__(database, uuid4().hex)
        self.is_prepared = is_prepared
        self._turns = open_turns(database, self._holder)
        database.require_turns = self._turns.require

    def prepare(self) -> None:
        """Bring the store up to date, where that is yet to be done."""
        if not self.is_prepared:
            migrate(self._database)
        self.is_prepared = True

    def close(self) -> None:
        """Let go of the file. What was written is there already."""
        self._database.engine.dispose()

    def copy_to(self, path: Path) -> None:
        """Copy everything, as it is at one moment, to a new file. Others may write in the store meanwhile."""
        with self._database.read() as connection:
            copy_all(connection, path)

    @contextmanager
    def turn(self, target: str, is_alive: IsAlive = lambda: True) -> Iterator[None]:
        """Be the only one, of all programs with this store, to work on a target's checks for as long as the block lasts.

        On a server the turn goes to others half a minute after it was last found that `is_alive`. Raises StoreLockedError where
        somebody else is at it; a program that died is not.
        """
        with self._turns.hold(target, is_alive) as mine:
            if not mine:
                what = "another program is checking it at this moment"
                raise StoreLockedError(Problem(f"target {target}", what, "wait until it is done, or stop that program"))
            yield

    def renew_turns(self) -> frozenset[str]:
        """Keep the turns of this program from running out; the targets that others have taken over. Done by itself while a turn is held."""
        return self._turns.renew()

    @made_again
    def announce(self, version: str, config_hash: str, targets: Mapping[str, str]) -> None:
        """The program has loaded a config just now, which is the newest from now on; `targets` is a hash for each by name."""
        with self._database.write("claim") as connection:
            replicas.announce(connection, self._holder, version, config_hash, targets)

    @made_again
    def beat(self) -> bool:
        """The program is still there. False where it has been forgotten: announce it again."""
        with self._database.write("claim") as connection:
            return replicas.beat(connection, self._holder)

    def leave(self) -> None:
        """The program goes: the others need not wait until it is not heard of."""
        with self._database.write("claim") as connection:
            replicas.leave(connection, self._holder)

    def batch(self) -> AbstractContextManager[None]:
        """For the writer: all that this thread writes inside is one transaction. Raises BatchError and keeps nothing where that fails."""
        return self._database.batch()

    @made_again
    def claim_check(self, target: str, kind: CheckKind, due_at: float, now: float) -> Check | None:
        """A new check, running; None where the target has one for this due time, whoever made it."""
        with self._database.write("claim", refuses_early=True) as connection:
            return claims.claim_check(connection, target, kind, due_at, now)

    @made_again
    def open_run(self, check_id: int, number: int, protocol: str, now: float, deadline_at: float) -> Run:
        """A new run of a check. Raises StoreError where the check is closed or has a run of this number."""
        with self._database.write("claim", refuses_early=True) as connection:
            return claims.open_run(connection, check_id, number, protocol, now, deadline_at)

    @made_again
    def refuse_run(self, check_id: int, number: int, protocol: str, now: float, deadline_at: float, reason: Reason, message: str) -> Run:
        """A new run in which nothing is asked: opened and failed, both or neither. Raises as `open_run` does."""
        with self._database.write("claim", refuses_early=True) as connection:
            return claims.refuse_run(connection, check_id, number, protocol, now, deadline_at, reason, message)

    @made_again
    def set_confirming(self, check_id: int, confirm_at: float) -> None:
        """The check waits for its second run, due at `confirm_at`."""
        with self._database.write("claim", refuses_early=True) as connection:
            claims.set_confirming(connection, check_id, confirm_at)

    @made_again
    def reserve(
        self,
        run_id: int,
        question_key: str,
        sample: int,
        attempt: int,
        tokens: int,
        usd: float | None,
        now: float,
        caps: Sequence[Cap],
    ) -> int:
        """A reservation for one request that is about to be sent; its id. `usd` None: the price is not known.

        Raises BudgetExceededError where what is spent and reserved leaves too little room under a cap, and StoreError where
        the run has ended. Caps are for the run's target or for all targets.
        """
        with self._database.write("reserve", refuses_early=True) as connection:
            return ledger.reserve(
                connection,
                run_id,
                question_key=question_key,
                sample=sample,
                attempt=attempt,
                tokens=tokens,
                usd=usd,
                now=now,
                caps=caps,
            )

    @made_again
    def settle(
        self,
        reservation_id: int,
        *,
        answer: Answer,
        usd: float | None,
        tokens: int,
        estimated: bool,
        identity: str | None,
        grade: Grade | None,
        now: float,
        question_id: str | None = None,
    ) -> bool:
        """Book what a request cost and keep its grade (None: a retry follows), all at once.

        False where the reservation was settled or booked before: no figure moves then. `question_id` names the question in
        the list of errors where there is no grade. Of `answer` only usage, fingerprint, reason and message are kept.
        """
        with self._database.write("settle", refuses_early=True) as connection:
            return ledger.settle(
                connection,
                reservation_id,
                answer=answer,
                usd=usd,
                tokens=tokens,
                estimated=estimated,
                identity=identity,
                grade=grade,
                question_id=question_id,
                now=now,
            )

    @made_again
    def take_back(self, reservation_id: int) -> bool:
        """Undo a reservation whose request was not sent. False where it was booked before: that stands."""
        with self._database.write("settle", refuses_early=True) as connection:
            return ledger.take_back(connection, reservation_id)

    @made_again
    def book_orphans(self, now: float, run_ids: Collection[int] | None = None) -> int:
        """Book every reservation (of `run_ids`, or of all) that was never settled as estimated spend; how many there were."""
        with self._database.write("settle") as connection:
            return ledger.book_orphans(connection, now, run_ids)

    @made_again
    def close_run(self, run_id: int, state: RunState, reason: Reason | None, message: str, now: float) -> bool:
        """End a run, and book its orphans. False where it had ended before: nothing changes then."""
        with self._database.write("close", refuses_early=True) as connection:
            return claims.close_run(connection, run_id, state, reason, message, now)

    @made_again
    def close_check(self, check_id: int, verdict: Verdict, now: float, freezes: Sequence[BaselineEvent] = ()) -> bool:
        """Keep the verdict of a check and the baseline memberships reached with it, and count both it and its measurement errors.

        False where the check has a verdict: that one stands. Raises StoreError where a run of it is still open.
        """
        with self._database.write("close", refuses_early=not freezes) as connection:
            return claims.close_check(connection, check_id, verdict, now, freezes)

    @made_again
    def add_event(self, event: BaselineEvent) -> BaselineEvent:
        """Write an event; the same with its id. The id that it comes with is not looked at."""
        with self._database.write("event") as connection:
            return events.add_event(connection, event)

    @made_again
    def rename_target(self, old: str, new: str) -> bool:
        """Move everything of `old` to `new`. False where `old` has nothing. Raises StoreError where `new` has a history of its own."""
        with self._database.write("rename") as connection:
            return renames.rename_target(connection, old, new)

    def old_runs(self, target: str, before: float) -> list[int]:
        """Runs of checks closed before then that still have grades, oldest first; none that a freeze or a pin names."""
        with self._database.read() as connection:
            return retention.find_old_runs(connection, target, before)

    @made_again
    def prune_grades(self, target: str, run_ids: Sequence[int], now: float) -> int:
        """Remove the grades of these runs, but of none that a freeze or a pin names or whose check is open; how many there were."""
        with self._database.write("prune") as connection:
            return retention.prune_grades(connection, target, run_ids, now)

    def old_requests(self, before: float, after: int, limit: int) -> list[int]:
        """Settled requests of checks closed before then, with ids above `after`, in the order of their ids; at most `limit`."""
        with self._database.read() as connection:
            return retention.find_old_requests(connection, before, after, limit)

    @made_again
    def condense_requests(self, request_ids: Sequence[int]) -> int:
        """Replace these requests by their sums, but none that is open or whose check is; how many were replaced."""
        with self._database.write("prune") as connection:
            return retention.condense_requests(connection, request_ids)

    @made_again
    def prune_errors(self, before: float) -> int:
        """Remove the errors from before then; how many there were."""
        with self._database.write("prune") as connection:
            return retention.prune_errors(connection, before)
