"""The store as everybody else sees it: one method, one transaction."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from sqlalchemy import func, select

from exporter.errors import Problem, StoreLockedError
from exporter.records import (
    Answer,
    BaselineEvent,
    Check,
    CheckKind,
    CheckProgress,
    Counters,
    Grade,
    Reason,
    Run,
    RunState,
    SpendPeriod,
    Verdict,
)
from exporter.store import amounts, claims, events, ledger, progress, renames, retention, sightings, standings
from exporter.store.audit import audit
from exporter.store.books import read_books, require_room
from exporter.store.copies import copy_all
from exporter.store.database import Database, connect
from exporter.store.leases import open_turns
from exporter.store.nouns import Booked, BookedDay, Cap, GradesOf, PastCheck, RecordedError, ServedIdentity, Spent, Standing
from exporter.store.past import read_past
from exporter.store.postgres import ReadPassword
from exporter.store.reading import Reader
from exporter.store.schema import migrate, require_newest
from exporter.store.tables import checks
from exporter.store.tallies import count_checks, read_counters


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


class Store:
    """Facts in, facts out. Times are Unix seconds. Every method may raise the StoreErrors that `open_store` lists.

    A method that fails has changed nothing. Any thread may call; one writer at a time is served.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._turns = open_turns(database)
        database.require_turns = self._turns.require

    @property
    def where(self) -> str:
        """The store as messages name it, without a password."""
        return self._database.where

    @property
    def error_counts(self) -> Mapping[str, int]:
        """Failures of the database in this process, by operation; every operation is present from the start."""
        return self._database.error_counts

    def close(self) -> None:
        """Let go of the file. What was written is there already."""
        self._database.engine.dispose()

    def copy_to(self, path: Path) -> None:
        """Copy everything, as it is at one moment, to a new file. Others may write in the store meanwhile."""
        with self._database.read() as connection:
            copy_all(connection, path)

    @contextmanager
    def turn(self, target: str) -> Iterator[None]:
        """Be the only one, of all programs with this store, to work on a target's checks for as long as the block lasts.

        Raises StoreLockedError where somebody else is at it; a program that died is not.
        """
        with self._turns.hold(target) as mine:
            if not mine:
                what = "another program is checking it at this moment"
                raise StoreLockedError(Problem(f"target {target}", what, "wait until it is done, or stop that program"))
            yield

    def batch(self) -> AbstractContextManager[None]:
        """For the writer: all that this thread writes inside is one transaction. Raises BatchError and keeps nothing where that fails."""
        return self._database.batch()

    def claim_check(self, target: str, kind: CheckKind, due_at: float, now: float) -> Check | None:
        """A new check, running; None where the target has one for this due time, whoever made it."""
        with self._database.write("claim") as connection:
            check_id = claims.claim_check(connection, target, kind, due_at, now)
            return None if check_id is None else Reader(connection, self.where).check(check_id, GradesOf.NO_RUN)

    def open_run(self, check_id: int, number: int, protocol: str, now: float, deadline_at: float) -> Run:
        """A new run of a check. Raises StoreError where the check is closed or has a run of this number."""
        with self._database.write("claim") as connection:
            run_id = claims.open_run(connection, check_id, number, protocol, now, deadline_at)
            runs = Reader(connection, self.where).check(check_id, GradesOf.NO_RUN).runs
            return next(run for run in runs if run.id == run_id)

    def set_confirming(self, check_id: int, confirm_at: float) -> None:
        """The check waits for its second run, due at `confirm_at`."""
        with self._database.write("claim") as connection:
            claims.set_confirming(connection, check_id, confirm_at)

    def require_room(
        self, target: str, caps: Sequence[Cap], *, tokens: int, usd: float | None, now: float, check_id: int | None = None
    ) -> None:
        """Raise BudgetExceededError unless `tokens` and `usd` more (a whole run, say) fit under all `caps` now. Reserves nothing."""
        with self._database.read() as connection:
            require_room(read_books(connection, target, check_id, now), caps, tokens, usd)

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

    def book_orphans(self, now: float, run_ids: Collection[int] | None = None) -> int:
        """Book every reservation that was never settled as estimated spend; how many there were. For the start of the program."""
        with self._database.write("settle") as connection:
            return ledger.book_orphans(connection, now, run_ids)

    def close_run(self, run_id: int, state: RunState, reason: Reason | None, message: str, now: float) -> bool:
        """End a run, and book its orphans. False where it had ended before: nothing changes then."""
        with self._database.write("close") as connection:
            return claims.close_run(connection, run_id, state, reason, message, now)

    def close_check(self, check_id: int, verdict: Verdict, now: float, freezes: Sequence[BaselineEvent] = ()) -> bool:
        """Keep the verdict of a check and the baseline memberships reached with it, and count both it and its measurement errors.

        False where the check has a verdict: that one stands. Raises StoreError where a run of it is still open.
        """
        with self._database.write("close") as connection:
            return claims.close_check(connection, check_id, verdict, now, freezes)

    def add_event(self, event: BaselineEvent) -> BaselineEvent:
        """Write an event; the same with its id. The id that it comes with is not looked at."""
        with self._database.write("event") as connection:
            return events.add_event(connection, event)

    def rename_target(self, old: str, new: str) -> bool:
        """Move everything of `old` to `new`. False where `old` has nothing. Raises StoreError where `new` has a history of its own."""
        with self._database.write("rename") as connection:
            return renames.rename_target(connection, old, new)

    def old_runs(self, target: str, before: float) -> list[int]:
        """Runs of checks closed before then that still have grades, oldest first; none that a freeze or a pin names."""
        with self._database.read() as connection:
            return retention.find_old_runs(connection, target, before)

    def prune_grades(self, target: str, run_ids: Sequence[int], now: float) -> int:
        """Remove the grades of these runs, but of none that a freeze or a pin names or whose check is open; how many there were."""
        with self._database.write("prune") as connection:
            return retention.prune_grades(connection, target, run_ids, now)

    def old_requests(self, before: float, after: int, limit: int) -> list[int]:
        """Settled requests of checks closed before then, with ids above `after`, in the order of their ids; at most `limit`."""
        with self._database.read() as connection:
            return retention.find_old_requests(connection, before, after, limit)

    def condense_requests(self, request_ids: Sequence[int]) -> int:
        """Replace these requests by their sums, but none that is open or whose check is; how many were replaced."""
        with self._database.write("prune") as connection:
            return retention.condense_requests(connection, request_ids)

    def prune_errors(self, before: float) -> int:
        """Remove the errors from before then; how many there were."""
        with self._database.write("prune") as connection:
            return retention.prune_errors(connection, before)

    def check(self, check_id: int, grades: GradesOf = GradesOf.ALL_RUNS) -> Check:
        """One check. Raises StoreError where there is none of this id."""
        with self._database.read() as connection:
            return Reader(connection, self.where).check(check_id, grades)

    def open_checks(self, target: str | None = None) -> list[Check]:
        """Checks that have no verdict yet, oldest first, with their runs and grades."""
        with self._database.read() as connection:
            return Reader(connection, self.where).open_checks(target)

    def checks(self, target: str, limit: int, before: int | None = None) -> list[Check]:
        """Checks, newest first, without grades; with `before` only those older than the check of that id."""
        with self._database.read() as connection:
            return Reader(connection, self.where).newest_checks(target, limit, before)

    def history(
        self, target: str, *, since: float | None = None, limit: int | None = None, grades: GradesOf = GradesOf.FIRST_RUNS
    ) -> list[Check]:
        """Closed checks claimed at `since` or later, the newest `limit` of them, oldest first, with all runs and some runs' grades."""
        with self._database.read() as connection:
            return Reader(connection, self.where).history(target, since, limit, grades)

    def past(self, target: str, *, after: int = 0, limit: int) -> list[PastCheck]:
        """The oldest `limit` closed checks whose ids are above `after`, oldest first, with what each of them cost."""
        with self._database.read() as connection:
            return read_past(connection, self.where, target, after, limit)

    def runs(self, target: str, run_ids: Sequence[int]) -> list[Run]:
        """Those runs, oldest first, with their grades. Ids that are not the target's are passed over."""
        with self._database.read() as connection:
            return Reader(connection, self.where).runs(target, run_ids)

    def verdicts(self, target: str, limit: int) -> list[Verdict]:
        """Verdicts, newest first."""
        with self._database.read() as connection:
            return Reader(connection, self.where).newest_verdicts(target, limit)

    def last_verdict(self, target: str) -> Verdict | None:
        """The newest verdict; None before the first check has ended."""
        return next(iter(self.verdicts(target, 1)), None)

    def verdict_changed_at(self, target: str) -> float | None:
        """Since when the standing verdict is what it is; None before the first check has ended."""
        with self._database.read() as connection:
            return progress.verdict_changed_at(connection, target)

    def progress(self, target: str) -> CheckProgress:
        """Times of the last check and of what is under way; `next_check_at` is left None."""
        with self._database.read() as connection:
            return progress.read_progress(connection, target)

    def last_due_at(self, target: str, until: float = math.inf) -> float | None:
        """The newest due time, `until` at the latest, that a scheduled check was claimed for; None before the first.

        A clock that was ahead for a while has left due times in the future: they say nothing of what is due until then.
        """
        with self._database.read() as connection:
            return progress.last_due_at(connection, target, until)

    def events(self, target: str) -> list[BaselineEvent]:
        """All events, oldest first."""
        with self._database.read() as connection:
            return events.read_events(connection, target)

    def events_version(self, target: str | None = None) -> int:
        """A number that rises with each event (of `target`, or of any): cheap enough to ask every second."""
        with self._database.read() as connection:
            return events.events_version(connection, target)

    def counters(self, target: str) -> Counters:
        """Totals since the store began."""
        with self._database.read() as connection:
            return read_counters(connection, target)

    def checks_closed(self) -> Mapping[str, int]:
        """How many checks of each target were closed since the store began, by whatever program: cheap enough to ask every second."""
        with self._database.read() as connection:
            return count_checks(connection)

    def spend(self, target: str | None, now: float) -> dict[SpendPeriod, Spent]:
        """Spend of the last check, of the day and of the month of `now`; for all targets (None) of the day and the month."""
        with self._database.read() as connection:
            last = (
                None if target is None else connection.execute(select(func.max(checks.c.id)).where(checks.c.target == target)).scalar_one()
            )
            books = read_books(connection, target, last, now)
        periods = [period for period in SpendPeriod if target is not None or period is not SpendPeriod.CHECK]
        return {period: books[target, period].as_spent(period) for period in periods}

    def spent_on_checks(self, check_ids: Sequence[int]) -> dict[int, Spent]:
        """What each of at most 500 checks cost, open reservations included. Ids that are not known are left out."""
        with self._database.read() as connection:
            return amounts.spent_on_checks(connection, check_ids)

    def booked_days(self, target: str | None, first_day: int) -> list[BookedDay]:
        """What was booked on each day from `first_day` (days since 1970-01-01, UTC) on, the newest first; None is all targets."""
        with self._database.read() as connection:
            return amounts.booked_days(connection, target, first_day)

    def booked_in_all(self, target: str | None) -> Booked:
        """What was booked since the store began, for a target or for all of them."""
        with self._database.read() as connection:
            return amounts.booked_in_all(connection, target)

    def standings(
        self, target: str, limit: int, *, since: float = -math.inf, until: float = math.inf, before: int | None = None
    ) -> list[Standing]:
        """The verdicts that stood between `since` and `until`, newest first; with `before` those that began before the check of that id."""
        with self._database.read() as connection:
            return standings.read_standings(connection, target, since, until, before, limit)

    def errors(self, target: str, limit: int) -> list[RecordedError]:
        """The newest errors (50 are kept), newest first."""
        with self._database.read() as connection:
            return sightings.recent_errors(connection, target, limit)

    def served(self, target: str, limit: int = 5) -> list[ServedIdentity]:
        """Identities that answered (50 are kept), the one seen last first."""
        with self._database.read() as connection:
            return sightings.served(connection, target, limit)

    def targets(self) -> list[str]:
        """Every target that was ever checked, sorted."""
        with self._database.read() as connection:
            return renames.target_names(connection)

    def verify(self) -> tuple[Problem, ...]:
        """Everything in the store that is damaged or does not add up; empty where all is well. Scans all of it."""
        with self._database.read("verify") as connection:
            return tuple(audit(connection, self.where))
