"""What the store is handed and hands back beside the records: caps, spend, sightings, errors."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from exporter.records import Check, Counters, Reason, SpendPeriod, VerdictKind


class GradesOf(StrEnum):
    """Which runs are read with their grades: the costly part of a history."""

    NO_RUN = "no_run"
    FIRST_RUNS = "first_runs"
    ALL_RUNS = "all_runs"


@dataclass(frozen=True, slots=True)
class Cap:
    """A limit on spend. `scope` is a target, or None for all targets together. Days and months are UTC; None is no limit.

    For the period `check` the spend is that of the one check that is asking, whatever the scope.
    """

    scope: str | None
    period: SpendPeriod
    limit_usd: float | None = None
    limit_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class Spent:
    """Spend of one period; open reservations are part of `usd` and `tokens`, and told apart by the `reserved_` fields.

    `usd` is None where requests were made and the price of none of them was known. `estimated_usd` is the share that no
    provider reported. `requests` counts attempts, the open ones included.
    """

    period: SpendPeriod
    usd: float | None = 0.0
    estimated_usd: float = 0.0
    tokens: int = 0
    reserved_usd: float = 0.0
    reserved_tokens: int = 0
    requests: int = 0


@dataclass(frozen=True, slots=True)
class Booked:
    """What was booked, without open reservations. `usd` is None where requests were made and the price of none of them was known."""

    usd: float | None
    estimated_usd: float
    tokens: int
    requests: int


@dataclass(frozen=True, slots=True)
class BookedDay:
    """The same for one day: days since 1970-01-01, UTC."""

    day: int
    booked: Booked


@dataclass(frozen=True, slots=True)
class Standing:
    """A verdict that stood from the check `check_id` until another one did; `until_at` is None for the one that stands."""

    kind: VerdictKind
    check_id: int
    since_at: float
    until_at: float | None


@dataclass(frozen=True, slots=True)
class ServedIdentity:
    """An identity key that answered for a target, with the fingerprint that came with it ("" where none did)."""

    target: str
    identity: str
    fingerprint: str
    first_seen_at: float
    last_seen_at: float


@dataclass(frozen=True, slots=True)
class RecordedError:
    """Something that could not be measured, in the provider's or our own few words. `question_id` is None for a whole run."""

    target: str
    happened_at: float
    reason: Reason
    message: str
    question_id: str | None


@dataclass(frozen=True, slots=True)
class PastCheck:
    """A closed check, without grades, and what it added to its target's counters and spend.

    Of `added` input and output tokens are those of the answers that were graded, reasoning tokens are not kept. `tokens` is
    all that was booked, as caps count.
    """

    check: Check
    added: Counters
    tokens: int


@dataclass(frozen=True, slots=True)
class Replica:
    """A program with this store, by its own word. Times are by the clock of the database. `is_self` for the one that asks."""

    holder: str
    started_at: float
    seen_at: float
    version: str
    config_hash: str
    config_loaded_at: float
    is_self: bool


@dataclass(frozen=True, slots=True)
class KnownConfig:
    """A config that some program loaded: its hash, and a hash for each of its targets by name."""

    hash: str
    loaded_at: float
    targets: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class UnderWay:
    """How far an open check is: compared with what it was before, it tells whether something happened. `requests` were settled."""

    check_id: int
    state: str
    requests: int


@dataclass(frozen=True, slots=True)
class Activity:
    """What happened anywhere, to be compared with the time before: open checks by target, closed checks by target, the events' version."""

    under_way: Mapping[str, tuple[UnderWay, ...]]
    closed: Mapping[str, int]
    events_version: int
