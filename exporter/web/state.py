"""What the web asks of whoever runs it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from exporter.metrics import MetricsView
from exporter.records import Check, SpendPeriod, Verdict
from exporter.store.nouns import Booked, BookedDay, RecordedError, ServedIdentity, Spent, Standing


@dataclass(frozen=True, slots=True)
class Details:
    """What the page of one target shows beside its snapshot, newest first.

    `checks` are those of one page of its history, closed ones with their verdict; `has_older`: there are more behind them.
    `past` are the last verdicts, for the charts. `served` are all identities that are known, the one seen last first.
    """

    checks: Sequence[Check] = ()
    errors: Sequence[RecordedError] = ()
    past: Sequence[Verdict] = ()
    served: Sequence[ServedIdentity] = ()
    has_older: bool = False


class OutcomeKind(StrEnum):
    """What came of something that a person asked for. `unavailable`: the store does not do its part, or the program stops."""

    DONE = "done"
    UNKNOWN_TARGET = "unknown_target"
    UNDER_WAY = "under_way"
    UNAVAILABLE = "unavailable"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The same with a sentence for the person, without a full stop. `check_id`: the check that was begun, or is under way."""

    kind: OutcomeKind
    sentence: str
    check_id: int | None = None


class StoreReader(Protocol):
    """The store, for readers: see `exporter.store.Store`. Every method waits for a disk and may raise StoreError: call it in a thread."""

    def checks(self, target: str, limit: int, before: int | None = None) -> Sequence[Check]:
        """Checks, newest first, without grades."""
        ...

    def check(self, check_id: int) -> Check:
        """One check with all its grades."""
        ...

    def spent_on_checks(self, check_ids: Sequence[int]) -> Mapping[int, Spent]:
        """What each check cost."""
        ...

    def standings(self, target: str, limit: int, *, since: float, until: float, before: int | None) -> Sequence[Standing]:
        """Which verdict stood from when to when, newest first."""
        ...

    def errors(self, target: str, limit: int) -> Sequence[RecordedError]:
        """What could not be measured, newest first."""
        ...

    def spend(self, target: str | None, now: float) -> Mapping[SpendPeriod, Spent]:
        """Spend of the periods of `now`; None is all targets."""
        ...

    def booked_days(self, target: str | None, first_day: int) -> Sequence[BookedDay]:
        """What was booked on each day."""
        ...

    def booked_in_all(self, target: str | None) -> Booked:
        """What was booked since the store began."""
        ...


class State(Protocol):
    """The running exporter. Nothing here may wait for a provider."""

    @property
    def lifecycle(self) -> bool:
        """Whether reloading over HTTP is allowed (--web.enable-lifecycle)."""
        ...

    @property
    def store(self) -> StoreReader:
        """What the past is read from."""
        ...

    def view(self) -> MetricsView:
        """What is shown now. Called at every scrape, in the event loop: it must only hand over what is already there."""
        ...

    def ready(self) -> tuple[bool, str]:
        """Whether the config is loaded, the store open and the last values restored; if not, what is missing."""
        ...

    def config_text(self) -> str:
        """The config in use as YAML, without secrets. May take a while; called in a thread."""
        ...

    async def reload(self) -> str | None:
        """Load the config file again. None if it worked, else what is wrong with it: the config of before is then still in use."""
        ...

    async def details(self, target: str, before: int | None = None) -> Details | None:
        """More about a target, read from the store; None for a target that there is not.

        With `before` the checks are those older than the check of that id.
        """
        ...

    async def check_now(self, target: str, asked_by: str) -> Outcome:
        """Begin a check of a target at once. It is under way once this returns; nobody waits for its end.

        `asked_by` says who wants it, for the log. Refused as under way also while the last check waits for its second run.
        """
        ...

    async def reset(self, target: str, asked_by: str) -> Outcome:
        """Collect a new baseline for a target from its next check on, as `baseline reset` does."""
        ...
