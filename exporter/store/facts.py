"""What a store is asked: each method sees one state of it, and changes nothing."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager

from exporter.errors import Problem
from exporter.records import BaselineEvent, Check, CheckProgress, Counters, Run, SpendPeriod, Verdict
from exporter.store import amounts, events, ledger, progress, renames, replicas, sightings, standings
from exporter.store.audit import audit
from exporter.store.books import read_books, require_room
from exporter.store.database import Database
from exporter.store.nouns import (
    Activity,
    Booked,
    BookedDay,
    Cap,
    GradesOf,
    KnownConfig,
    PastCheck,
    RecordedError,
    Replica,
    ServedIdentity,
    Spent,
    Standing,
)
from exporter.store.past import read_past
from exporter.store.reading import Reader
from exporter.store.tallies import read_counters


class Facts:
    """Facts out. Times are Unix seconds. `holder` names this program among those that share the store."""

    def __init__(self, database: Database, holder: str) -> None:
        self._database = database
        self._holder = holder

    @property
    def where(self) -> str:
        """The store as messages name it, without a password."""
        return self._database.where

    @property
    def error_counts(self) -> Mapping[str, int]:
        """Failures of the database in this process, by operation; every operation is present from the start."""
        return self._database.error_counts

    def reading(self) -> AbstractContextManager[None]:
        """Let all that this thread asks inside see one state, in one transaction: over a network that is half of the waiting."""
        return self._database.reading()

    def require_room(
        self, target: str, caps: Sequence[Cap], *, tokens: int, usd: float | None, now: float, check_id: int | None = None
    ) -> None:
        """Raise BudgetExceededError unless `tokens` and `usd` more (a whole run, say) fit under all `caps` now. Reserves nothing."""
        with self._database.read() as connection:
            require_room(read_books(connection, target, check_id, now), caps, tokens, usd)

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
        self,
        target: str,
        *,
        since: float | None = None,
        limit: int | None = None,
        grades: GradesOf = GradesOf.FIRST_RUNS,
        brief: bool = False,
    ) -> list[Check]:
        """Closed checks claimed at `since` or later, the newest `limit` of them, oldest first, with all runs and some runs' grades.

        `brief`: their verdicts tell only what later ones rest on: kind, standing, protocol, signals and event; months of them are
        read in half the time.
        """
        with self._database.read() as connection:
            return Reader(connection, self.where).history(target, since, limit, grades, brief=brief)

    def last_closed(self, target: str, limit: int, *, brief: bool = False) -> list[Check]:
        """Closed checks, newest first, with their verdicts (see `history`) but without their runs: what the schedule goes by."""
        with self._database.read() as connection:
            return Reader(connection, self.where).last_closed(target, limit, brief=brief)

    def first_runs(self, target: str, limit: int) -> list[Run]:
        """The first runs of the newest `limit` closed checks, oldest first, with their grades: what an estimate rests on."""
        with self._database.read() as connection:
            return Reader(connection, self.where).first_runs(target, limit)

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

    def decided_since(self, version: int) -> list[str]:
        """Targets of which an event came after that `events_version` of an Activity."""
        with self._database.read() as connection:
            return events.decided_since(connection, version)

    def counters(self, target: str) -> Counters:
        """Totals since the store began."""
        with self._database.read() as connection:
            return read_counters(connection, target)

    def spend(self, target: str | None, now: float) -> dict[SpendPeriod, Spent]:
        """Spend of the last check, of the day and of the month of `now`; for all targets (None) of the day and the month."""
        with self._database.read() as connection:
            last = None if target is None else progress.newest_check(connection, target)
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

    def open_reservations(self) -> Mapping[str, tuple[int, ...]]:
        """Runs in which something is reserved that has not been settled, by target."""
        with self._database.read() as connection:
            return ledger.open_reservations(connection)

    def targets(self) -> list[str]:
        """Every target that was ever checked, sorted."""
        with self._database.read() as connection:
            return renames.target_names(connection)

    def verify(self) -> tuple[Problem, ...]:
        """Everything in the store that is damaged or does not add up; empty where all is well. Scans all of it."""
        with self._database.read("verify") as connection:
            return tuple(audit(connection, self.where))

    def activity(self) -> Activity:
        """What happened anywhere, of all targets: cheap enough to ask every second, and to be compared with the time before."""
        with self._database.read() as connection:
            return replicas.read_activity(connection)

    def replicas(self) -> list[Replica]:
        """Programs with this store that were heard of in the last 35 seconds, the one that is there longest first."""
        with self._database.read() as connection:
            return replicas.read_replicas(connection, self._holder)

    def newest_config(self) -> KnownConfig | None:
        """The config that was loaded last, of those that `replicas` run; None where there is none."""
        with self._database.read() as connection:
            return replicas.read_newest_config(connection)
