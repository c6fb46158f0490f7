"""How a confirmed signal stands from check to check: onset, hold, conclusive, and the end of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto

from exporter.config import Decision
from exporter.records import BaselineEvent, Signal, SignalState, VerdictKind
from exporter.verdicts.history import clears_holds

NEGATIVE_CHECKS_TO_END = 2
"""A hold ends with this many negative checks in a row."""

_STANDING = (
    (Signal.IDENTITY, VerdictKind.MODEL_CHANGED),
    (Signal.ACCURACY, VerdictKind.DRIFT),
    (Signal.TREND, VerdictKind.DRIFT),
    (Signal.TOKENS, VerdictKind.TOKEN_SHIFT),
)


class Outcome(Enum):
    """What one check says of one signal."""

    CONFIRMED = auto()
    NEGATIVE = auto()
    """Negative at the screen: one step towards the end of a hold."""
    CLEARED = auto()
    """The end of a hold at once (trend: armed again; identity: the old one is back)."""
    NEITHER = auto()
    """Measured, not confirmed, not negative."""
    UNKNOWN = auto()
    """Not tested in this check."""


@dataclass(frozen=True, slots=True)
class Finding:
    """An outcome with what counts towards conclusive: `ranked` (all runs worse than every baseline run), `overwhelming`."""

    outcome: Outcome
    ranked: bool = False
    overwhelming: bool = False


def advance(state: SignalState, finding: Finding, checked_at: float, decision: Decision, page_signals: Sequence[Signal]) -> SignalState:
    """The state after one more check. `checked_at` is when the check's first run began."""
    match finding.outcome:
        case Outcome.UNKNOWN:
            return state
        case Outcome.CLEARED:
            return SignalState(state.signal)
        case Outcome.NEITHER:
            return replace(state, confirmed_checks=0, ranked_checks=0, ranked_at=None, negative_checks=0, negative_at=None)
        case Outcome.NEGATIVE:
            return _count_negative(state, checked_at, decision)
        case Outcome.CONFIRMED:
            return _count_confirmed(state, finding, checked_at, decision, page_signals)


def _count_negative(state: SignalState, checked_at: float, decision: Decision) -> SignalState:
    state = replace(state, confirmed_checks=0, ranked_checks=0, ranked_at=None)
    if not state.confirmed:
        return SignalState(state.signal)
    if state.negative_at is not None and not decision.are_apart(state.negative_at, checked_at):
        return state
    if state.negative_checks + 1 >= NEGATIVE_CHECKS_TO_END:
        return SignalState(state.signal)
    return replace(state, negative_checks=state.negative_checks + 1, negative_at=checked_at)


def _count_confirmed(
    state: SignalState, finding: Finding, checked_at: float, decision: Decision, page_signals: Sequence[Signal]
) -> SignalState:
    ranked_checks, ranked_at = state.ranked_checks, state.ranked_at
    if not finding.ranked:
        ranked_checks, ranked_at = 0, None
    elif ranked_at is None or decision.are_apart(ranked_at, checked_at):
        ranked_checks, ranked_at = ranked_checks + 1, checked_at
    beyond_a_bad_day = ranked_checks >= decision.page_checks or (decision.page_same_day and finding.ranked and finding.overwhelming)
    pages = state.signal in page_signals and (state.signal is not Signal.ACCURACY or beyond_a_bad_day)
    return SignalState(
        signal=state.signal,
        confirmed=True,
        conclusive=state.conclusive or pages,
        confirmed_checks=state.confirmed_checks + 1,
        ranked_checks=ranked_checks,
        ranked_at=ranked_at,
        since_at=checked_at if state.since_at is None else state.since_at,
    )


def clear_by_events(states: Iterable[SignalState], events: Iterable[BaselineEvent], event_id: int) -> tuple[SignalState, ...]:
    """The states as they stand after what people decided since the event `event_id`."""
    if any(clears_holds(event) and event.id > event_id for event in events):
        return tuple(SignalState(signal) for signal in Signal)
    known = {state.signal: state for state in states}
    return tuple(known.get(signal, SignalState(signal)) for signal in Signal)


def standing_kind(kind: VerdictKind, states: Iterable[SignalState]) -> VerdictKind:
    """What is shown: the verdict of a held signal, the gravest first, else the check's own."""
    confirmed = {state.signal for state in states if state.confirmed}
    return next((held for signal, held in _STANDING if signal in confirmed), kind)
