"""A check beside runs from before it, suite by suite, as those want it who know snapshot checks. For people; it decides nothing."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from exporter.records.reason import Reason
from exporter.records.request import Evidence
from exporter.records.verdict import Flips


class FlipClass(StrEnum):
    """How strongly a comparison speaks for a change: nothing flipped, few did, many did, or the model proves to be another."""

    NONE = "none"
    WEAK = "weak"
    MEDIUM = "medium"
    STRONG = "strong"


class Anchor(StrEnum):
    """What a check is compared with: runs that a person pinned, those of a baseline (frozen or growing), or the run before."""

    PINNED = "pinned"
    FROZEN = "frozen"
    GROWING = "growing"
    PREVIOUS = "previous"


class SkipKind(StrEnum):
    """Why a comparison was not made: the first four mean that there is nothing to compare, the others that it would be wrong to."""

    NO_REFERENCE = "no_reference"
    OWN_REFERENCE = "own_reference"
    NO_PREVIOUS = "no_previous"
    NO_MARKS = "no_marks"
    SUITE_CHANGED = "suite_changed"
    BASELINE_RESET = "baseline_reset"
    MODEL_ACCEPTED = "model_accepted"
    PROTOCOL_CHANGED = "protocol_changed"


@dataclass(frozen=True, slots=True)
class Skip:
    """A comparison that was not made. `happened_at` is when what stands against it was done, where that is known.

    `replaced`, `added` and `removed` count questions; `runs` of `runs_required` are there of the baseline that is being
    collected.
    """

    kind: SkipKind
    happened_at: float | None = None
    replaced: int = 0
    added: int = 0
    removed: int = 0
    runs: int = 0
    runs_required: int = 0


@dataclass(frozen=True, slots=True)
class IdentityChange:
    """Who served before and now. `changed`: most answers came from an identity that was not there before.

    It is False where the evidence is none: then a name proves nothing.
    """

    evidence: Evidence
    before: tuple[str, ...]
    now: tuple[str, ...]
    changed: bool


@dataclass(frozen=True, slots=True)
class SuiteComparison:
    """One suite of a check against one anchor.

    `questions` were compared, `uncompared` lack marks on one side. `accuracy_ratio` and `before_ratio` are shares right at
    the first try, over the questions compared. `p_value` is the share of days that are as bad as this one, or worse, while
    nothing changes; `better_p_value` that of days as good, or better.
    """

    suite: str
    anchor: Anchor
    run_ids: tuple[int, ...]
    started_at: float
    questions: int
    uncompared: int
    flips: Flips
    flip_class: FlipClass
    p_value: float
    better_p_value: float
    identity: IdentityChange
    accuracy_ratio: float
    before_ratio: float


@dataclass(frozen=True, slots=True)
class SkippedComparison:
    """One suite that could not be compared with the reference or the run before (`versus`)."""

    suite: str
    versus: str
    skip: Skip


@dataclass(frozen=True, slots=True)
class HeldOutComparison:
    """What became of accuracy in suites that are public, against suites that nobody else has seen, each by its own reference.

    Changes are in shares of 1. `p_value` is the share of ways to deal the questions out to the two sides in which the public
    side is as far ahead, or farther. All are None where one side has no comparison with its reference. `is_ahead`: chance
    does not explain it.
    """

    public: tuple[str, ...]
    held_out: tuple[str, ...]
    public_change_ratio: float | None = None
    held_out_change_ratio: float | None = None
    ahead_ratio: float | None = None
    p_value: float | None = None
    is_ahead: bool = False


@dataclass(frozen=True, slots=True)
class TargetComparison:
    """The newest check of a target beside what came before it.

    `check_id` is None where there is none; `reason` is set where it could not be measured: then nothing is compared.
    """

    target: str
    check_id: int | None = None
    run_ids: tuple[int, ...] = ()
    started_at: float | None = None
    reason: Reason | None = None
    reason_message: str = ""
    suites: tuple[SuiteComparison | SkippedComparison, ...] = ()
    held_out: HeldOutComparison | None = None
