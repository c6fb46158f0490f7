"""What was said about a target: the verdict of one check, with every figure that it rests on."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from exporter.records.reason import Reason

OVERALL = "overall"
"""The name of the whole set where areas are listed."""


class Signal(StrEnum):
    """What can be confirmed, each for itself."""

    ACCURACY = "accuracy"
    TREND = "trend"
    TOKENS = "tokens"
    IDENTITY = "identity"


class TestName(StrEnum):
    """The tests whose p-values are shown. Those of `INFORMING` are of no signal: they decide nothing."""

    ACCURACY = "accuracy"
    TREND = "trend"
    TOKENS = "tokens"
    INPUT_TOKENS = "input_tokens"
    REFUSALS = "refusals"
    TRUNCATED = "truncated"
    REASONING_IN_CONTENT = "reasoning_in_content"


INFORMING = frozenset({TestName.INPUT_TOKENS, TestName.REFUSALS, TestName.TRUNCATED, TestName.REASONING_IN_CONTENT})
"""Tests that tell people something and never make a verdict, a ticket or a page."""


class VerdictKind(StrEnum):
    """The one verdict of a check."""

    COLLECTING = "collecting"
    BASELINE_READY = "baseline_ready"
    STABLE = "stable"
    IMPROVED = "improved"
    UNCONFIRMED = "unconfirmed"
    SUSPECT = "suspect"
    DRIFT = "drift"
    TOKEN_SHIFT = "token_shift"
    MODEL_CHANGED = "model_changed"
    MEASUREMENT_FAILED = "measurement_failed"


@dataclass(frozen=True, slots=True)
class TestResult:
    """One test in one area (or OVERALL). `p_value` is the raw p there; for OVERALL `adjusted_p_value` is over all areas.

    `threshold` is the level that `adjusted_p_value` is held against at the check's last stage (screen or pooled).
    """

    test: TestName
    area: str
    p_value: float
    adjusted_p_value: float
    threshold: float
    passed: bool


@dataclass(frozen=True, slots=True)
class AreaAccuracy:
    """First-try accuracy in one area, last check against the same questions in the baseline; change with its 95 % bounds.

    `solved_ratio` is the share of questions that were right within all their tries, `baseline_solved_ratio` the baseline's.
    """

    area: str
    accuracy_ratio: float
    baseline_ratio: float | None
    change_ratio: float | None
    change_lower_ratio: float | None
    change_upper_ratio: float | None
    solved_ratio: float | None = None
    baseline_solved_ratio: float | None = None

    @property
    def drop_ratio(self) -> float:
        """What was lost, and has to be large enough to matter: of first tries, or of questions ever right, whichever is more.

        A lost question was often wrong at its first try before; that it is now wrong at every try is seen without that noise.
        """
        first_tries = -(self.change_ratio or 0.0)
        if self.solved_ratio is None or self.baseline_solved_ratio is None:
            return first_tries
        return max(first_tries, self.baseline_solved_ratio - self.solved_ratio)


@dataclass(frozen=True, slots=True)
class QuestionCounts:
    """How many questions of an area are tested, still collect their marks, or could not be used."""

    area: str
    tested: int
    pending: int
    unusable: int


@dataclass(frozen=True, slots=True)
class SignalState:
    """How one signal stands after a check. This is the hold of decision.md, kept from verdict to verdict.

    `confirmed_checks` counts the checks in a row whose own test confirmed. `ranked_checks` counts those among them, at
    least `baseline_min_gap` apart, whose runs were all worse than every baseline run (`ranked_at`: the last one).
    `negative_checks` counts the measured checks in a row, as far apart, that were negative at the screen (`negative_at`:
    the last one). `since_at` is the onset.
    """

    signal: Signal
    confirmed: bool = False
    conclusive: bool = False
    confirmed_checks: int = 0
    ranked_checks: int = 0
    ranked_at: float | None = None
    negative_checks: int = 0
    negative_at: float | None = None
    since_at: float | None = None


@dataclass(frozen=True, slots=True)
class BaselineState:
    """How the baseline stands: `run_ids` are its members, `left_out_run_ids` those out of line with the others.

    `identities` are the keys of those that served it. `lowest_ratio` and `highest_ratio` are the first-try accuracy of its
    worst and its best run over the whole set.
    `sometimes` lists the ids of questions right only some of the time (they carry the most information).
    """

    runs: int
    runs_required: int
    frozen: bool
    run_ids: tuple[int, ...] = ()
    left_out_run_ids: tuple[int, ...] = ()
    started_at: float | None = None
    sometimes: tuple[str, ...] = ()
    overdispersion_p_value: float | None = None
    pinned: bool = False
    identities: tuple[str, ...] = ()
    note: str = ""
    lowest_ratio: float | None = None
    highest_ratio: float | None = None


@dataclass(frozen=True, slots=True)
class Flips:
    """Ids of questions lost and gained against the reference or the previous run. For people; it decides nothing."""

    versus: str
    lost: tuple[str, ...]
    gained: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ServedModel:
    """A served identity, with its share of the usable answers of the check's first run and whether the baseline knows it.

    `rerouted`: its answers were left out, as a minority that the baseline never saw.
    """

    identity: str
    fingerprint: str | None
    share_ratio: float
    in_baseline: bool
    answers: int = 0
    rerouted: bool = False


@dataclass(frozen=True, slots=True)
class FacetShare:
    """How many usable answers of the check's first run came from one `value` of a facet (host, tier, region, fingerprint).

    A value of None stands for all further values together: only the most frequent are listed. `in_baseline` is True also
    where the baseline tells nothing of this facet.
    """

    facet: str
    value: str | None
    answers: int
    share_ratio: float
    in_baseline: bool


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a check said, and every figure it rests on. Stored whole, as a record of what was said.

    `kind` is this check's own verdict; `standing` is what is shown while a signal is held (equal to `kind` otherwise).
    `questions_asked` counts the tries that were graded; `measurement_errors` the questions left without a mark, by reason,
    over all runs of the check. Ratios of unusable, refused, truncated answers are shares of the first run's questions.
    `unnamed_answers` counts its usable answers that name no identity. `event_id` is the newest event of the target (a reset,
    a pin, ...) that was known to this check; clocks can be set back, so later decisions are told by their ids and not by time.
    """

    target: str
    check_id: int
    decided_at: float
    kind: VerdictKind
    standing: VerdictKind
    protocol: str
    runs: int
    questions_asked: int
    signals: tuple[SignalState, ...]
    baseline: BaselineState
    tests: tuple[TestResult, ...] = ()
    accuracy: tuple[AreaAccuracy, ...] = ()
    questions: tuple[QuestionCounts, ...] = ()
    flips: tuple[Flips, ...] = ()
    served: tuple[ServedModel, ...] = ()
    unnamed_answers: int = 0
    facets: tuple[FacetShare, ...] = ()
    token_shift_ratio: float | None = None
    input_token_shift_ratio: float | None = None
    refusal_ratio: float | None = None
    truncated_ratio: float | None = None
    reasoning_in_content_ratio: float | None = None
    baseline_refusal_ratio: float | None = None
    baseline_truncated_ratio: float | None = None
    baseline_reasoning_in_content_ratio: float | None = None
    unusable_ratio: float | None = None
    answer_line_missing: int = 0
    measurement_errors: tuple[tuple[Reason, int], ...] = ()
    reason: Reason | None = None
    reason_message: str = ""
    failed_checks: int = 0
    spend_usd: float | None = None
    estimate_usd: float | None = None
    estimate_tokens: int | None = None
    spend_tokens: int = 0
    event_id: int = 0
    notes: tuple[str, ...] = ()

    @property
    def overall(self) -> AreaAccuracy | None:
        """The accuracy over the whole set; None where nothing was measured."""
        return next((area for area in self.accuracy if area.area == OVERALL), None)

    def signal(self, signal: Signal) -> SignalState:
        """The state of one signal."""
        return next((state for state in self.signals if state.signal is signal), SignalState(signal))
