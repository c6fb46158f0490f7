"""What happened to a target, as the store keeps it: checks, runs and what a person decided about the baseline."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from exporter.records.reason import Reason
from exporter.records.request import Grade
from exporter.records.verdict import Verdict


class RunState(StrEnum):
    """Where a run stands. A failed run has a reason and is judged no further."""

    OPEN = "open"
    MEASURED = "measured"
    FAILED = "failed"


class CheckKind(StrEnum):
    """Why a check is made. Only scheduled ones and their retries count for `failed_checks`."""

    SCHEDULED = "scheduled"
    RETRY = "retry"
    RECHECK = "recheck"
    MANUAL = "manual"


class CheckState(StrEnum):
    """Where a check stands. `confirming`: the second run is waited for (Check.confirm_at)."""

    RUNNING = "running"
    CONFIRMING = "confirming"
    CLOSED = "closed"


class EventKind(StrEnum):
    """What was decided about a baseline. `freeze` is written by the program, the others by a person."""

    RESET = "reset"
    PIN = "pin"
    ACCEPT = "accept"
    KEEP = "keep"
    FREEZE = "freeze"


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Run:
    """All questions once. `number` is 1 for a check's first run, 2 for its second. `protocol` is the protocol hash.

    `grades_pruned_at`: since when its grades are gone, because they grew too old.
    """

    id: int
    check_id: int
    target: str
    number: int
    protocol: str
    started_at: float
    deadline_at: float
    state: RunState
    ended_at: float | None = None
    reason: Reason | None = None
    message: str = ""
    grades: tuple[Grade, ...] = ()
    grades_pruned_at: float | None = None


@dataclass(frozen=True, slots=True)
class Check:
    """One check: its runs in order and, once closed, its verdict."""

    id: int
    target: str
    kind: CheckKind
    due_at: float
    claimed_at: float
    state: CheckState
    runs: tuple[Run, ...] = ()
    confirm_at: float | None = None
    closed_at: float | None = None
    verdict: Verdict | None = None


@dataclass(frozen=True, slots=True)
class BaselineEvent:
    """A row written by `baseline reset|pin|accept|keep`, or by the program at the freeze.

    pin and freeze name the runs (`run_ids`); keep names the protocol it carries over (`from_protocol`) to `protocol`;
    accept names the identity; pin may be for one suite only (`suite`). A freeze with `question_keys` holds for those
    questions alone: they were edited or added later and collected marks of their own.
    """

    id: int
    target: str
    kind: EventKind
    happened_at: float
    protocol: str | None = None
    from_protocol: str | None = None
    run_ids: tuple[int, ...] = ()
    identity: str | None = None
    suite: str | None = None
    question_keys: tuple[str, ...] = ()
    note: str = ""
