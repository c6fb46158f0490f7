"""What the judge is given: the target as it is configured now, and what the store remembers of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from exporter.config import Decision
from exporter.records import BaselineEvent, Check, EventKind, Evidence, Question, Run, Signal, Verdict


@dataclass(frozen=True, slots=True)
class Subject:
    """A target as it is asked now. Questions that are not listed here are judged no more."""

    target: str
    protocol: str
    questions: tuple[Question, ...]
    decision: Decision
    evidence: Evidence = Evidence.NONE
    page_signals: tuple[Signal, ...] = (Signal.ACCURACY,)


@dataclass(frozen=True, slots=True)
class History:
    """Closed checks, oldest first, with their runs and grades; all events, oldest first; the verdict before today's.

    `checks` reaches back to where the baseline starts, or, once it is frozen, at least over the longest trend window.
    `baseline_runs` are the runs that freeze and pin events name, wherever they lie.
    """

    checks: tuple[Check, ...] = ()
    events: tuple[BaselineEvent, ...] = ()
    baseline_runs: tuple[Run, ...] = ()
    previous: Verdict | None = None


@dataclass(frozen=True, slots=True)
class Freeze:
    """A membership to be recorded: of the whole baseline, or (`question_keys`) of questions that came later."""

    run_ids: tuple[int, ...]
    question_keys: tuple[str, ...] = ()


def accepted_protocols(protocol: str, events: Sequence[BaselineEvent]) -> frozenset[str]:
    """The protocol itself and those that `baseline keep` carried over to it, through any number of steps."""
    accepted = {protocol}
    for event in reversed(events):
        if event.kind is EventKind.KEEP and event.protocol in accepted and event.from_protocol is not None:
            accepted.add(event.from_protocol)
    return frozenset(accepted)


def restart_of(events: Sequence[BaselineEvent]) -> BaselineEvent | None:
    """The newest reset or accept: what lies before it belongs to an older baseline."""
    return next((event for event in reversed(events) if event.kind in (EventKind.RESET, EventKind.ACCEPT)), None)


def standing_memberships(protocol: str, events: Sequence[BaselineEvent]) -> tuple[BaselineEvent, ...]:
    """The freeze and pin events that hold now, oldest first: those after the last restart, for an accepted protocol."""
    accepted = accepted_protocols(protocol, events)
    restart = restart_of(events)
    return tuple(
        event
        for event in events
        if event.kind in (EventKind.FREEZE, EventKind.PIN) and event.protocol in accepted and (restart is None or event.id > restart.id)
    )


def clears_holds(event: BaselineEvent) -> bool:
    """Whether a person's word ends what was held: reset, pin and accept do, keep and the freeze do not."""
    return event.kind in (EventKind.RESET, EventKind.PIN, EventKind.ACCEPT)
