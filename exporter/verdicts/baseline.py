"""Which runs are the norm: those of a growing baseline, of a frozen one, of a pin, and of questions that came later.

Everything is recomputed from stored runs; only a freeze or a pin is read back as it was decided.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from exporter.config import Decision
from exporter.records import BaselineEvent, BaselineState, Check, EventKind, Evidence, Question, Run, RunState, VerdictKind
from exporter.statistics.overdispersion import overdispersion_p_value
from exporter.verdicts.growth import Candidate, Growth, known_identities, score_table
from exporter.verdicts.history import Freeze, History, Subject, accepted_protocols, restart_of, standing_memberships
from exporter.verdicts.measured import MeasuredRun, measure


@dataclass(frozen=True)
class Baseline:
    """The norm that today is tested against.

    `runs` are the members, in order; `by_question` gives each question's own runs (members, or for a question that came
    later the runs that follow). `later` are the measured first runs after the last member, for the trend.
    `freezes` are memberships reached now that have to be recorded. `completed_later`: some question takes marks from `later`, or would.
    """

    runs: tuple[MeasuredRun, ...]
    left_out: tuple[MeasuredRun, ...]
    by_question: Mapping[str, tuple[MeasuredRun, ...]]
    later: tuple[MeasuredRun, ...]
    identities: frozenset[str]
    required: int
    frozen: bool
    pinned: bool
    freezes: tuple[Freeze, ...] = ()
    completed_later: bool = False

    @property
    def ready(self) -> bool:
        """Whether there are enough members to test against (a pin is always enough)."""
        return len(self.runs) >= self.required or self.pinned

    def scores(self, key: str) -> tuple[int, ...]:
        """The baseline's scores of one question."""
        return self._scores[key]

    @cached_property
    def _scores(self) -> Mapping[str, tuple[int, ...]]:
        """Asked for many times in one judging."""
        return {key: tuple([run.scores[key] for run in runs if key in run.scores]) for key, runs in self.by_question.items()}

    def tests(self, key: str) -> bool:
        """Whether a question has marks enough to be tested."""
        return self.ready and len(self.scores(key)) >= (1 if self.pinned else self.required)


def form_baseline(subject: Subject, history: History) -> Baseline:
    """The baseline as it stands after the history's last check."""
    decision = subject.decision
    memberships = standing_memberships(subject.protocol, history.events)
    whole = next((e for e in reversed(memberships) if e.suite is None and not e.question_keys), None)
    if whole is not None:
        stored = {run.id: run for run in (*_first_runs(history.checks), *history.baseline_runs)}
        runs = tuple(_measure(subject, stored[run_id]) for run_id in whole.run_ids if run_id in stored)
        identities = known_identities(runs, None if whole.kind is EventKind.PIN else decision.baseline_runs)
        runs = tuple(measure(stored[run.id], decision.tries, identities or None) for run in runs)
        left_out: tuple[MeasuredRun, ...] = ()
        candidates = _candidates(subject, history)
    else:
        candidates = _candidates(subject, history)
        growth = Growth(decision, [question.key for question in subject.questions])
        for candidate in candidates:
            growth.take(candidate)
        runs, left_out = tuple(growth.members), tuple(growth.left_out)
        identities = known_identities(runs, decision.baseline_runs)
    frozen = whole is not None or len(runs) >= decision.baseline_max_runs
    last_at = max((run.started_at for run in runs), default=float("-inf"))
    followers = [c.narrowed(identities) for c in candidates if not c.run.served_by_strangers(identities)] if frozen else []
    later = tuple(c.run for c in followers if c.run.started_at > last_at)
    by_question, own_freezes, completed_later = _runs_by_question(subject, memberships, runs, followers, history)
    freezes = own_freezes
    if frozen and whole is None:
        freezes = (Freeze(tuple(run.id for run in runs)), *own_freezes)
    return Baseline(
        runs=runs,
        left_out=left_out,
        by_question=by_question,
        later=later,
        identities=identities,
        required=decision.baseline_runs,
        frozen=frozen,
        pinned=whole is not None and whole.kind is EventKind.PIN,
        freezes=freezes,
        completed_later=completed_later,
    )


def describe_baseline(baseline: Baseline, questions: Iterable[Question], note: str = "") -> BaselineState:
    """The baseline as it is told and shown."""
    asked = {question.key: question.id for question in questions}
    sometimes = []
    for key, question_id in asked.items():
        right = [run.right[key] for run in baseline.by_question[key] if key in run.right]
        if right and 0 < sum(right) < len(right):
            sometimes.append(question_id)
    rights = [[run.right[key] for key in asked if key in run.right] for run in baseline.runs]
    accuracies = [math.fsum(right) / len(right) for right in rights if right]
    overdispersion = None
    if baseline.ready and len(baseline.runs) >= baseline.required:
        overdispersion = _overdispersion(score_table(baseline.runs, list(asked)))
    return BaselineState(
        runs=len(baseline.runs),
        runs_required=baseline.required,
        frozen=baseline.frozen,
        run_ids=tuple(run.id for run in baseline.runs),
        left_out_run_ids=tuple(run.id for run in baseline.left_out),
        started_at=baseline.runs[0].started_at if baseline.runs else None,
        sometimes=tuple(sometimes),
        overdispersion_p_value=overdispersion,
        pinned=baseline.pinned,
        identities=tuple(sorted(baseline.identities)),
        note=note,
        lowest_ratio=min(accuracies, default=None),
        highest_ratio=max(accuracies, default=None),
    )


@lru_cache(maxsize=64)
def _overdispersion(scores: tuple[tuple[int | None, ...], ...]) -> float | None:
    """Kept, since a judging describes its baseline before and after today, and most often it is the same: this is half of its time."""
    return overdispersion_p_value(scores)


def _first_runs(checks: Iterable[Check]) -> list[Run]:
    """Those whose grades are still there: a run without them has no marks, and is no member."""
    runs = [run for check in checks for run in check.runs if run.number == 1 and run.state is RunState.MEASURED]
    return [run for run in runs if run.grades_pruned_at is None]


def _candidates(subject: Subject, history: History) -> list[Candidate]:
    """Measured first runs under this protocol since the last restart, oldest first; none of a failed check."""
    protocols = accepted_protocols(subject.protocol, history.events)
    since = _start_at(subject, history)
    restart = restart_of(history.events)
    reset_id = restart.id if restart is not None and restart.kind is EventKind.RESET else 0
    candidates = []
    for check in history.checks:
        if check.verdict is not None and (check.verdict.kind is VerdictKind.MEASUREMENT_FAILED or check.verdict.event_id < reset_id):
            continue
        for run in _first_runs((check,)):
            if run.protocol not in protocols or run.started_at <= since:
                continue
            clean = check.verdict is None or not any(state.confirmed for state in check.verdict.signals)
            tries = subject.decision.tries
            candidates.append(Candidate(run, _measure(subject, run), clean, tries))
    return candidates


def _measure(subject: Subject, run: Run) -> MeasuredRun:
    """The run; without identities where they prove nothing, so that they keep no run out of the baseline."""
    return measure(run, subject.decision.tries, nameless=subject.evidence is Evidence.NONE)


def _start_at(subject: Subject, history: History) -> float:
    """Runs that started later than this may be members.

    An accepted identity's baseline starts with the runs it already served in a row before a person accepted it.
    """
    restart = restart_of(history.events)
    if restart is None:
        return float("-inf")
    start = restart.happened_at
    if restart.kind is EventKind.ACCEPT and restart.identity is not None:
        for run in reversed(_first_runs(history.checks)):
            if run.started_at > restart.happened_at:
                continue
            measured = measure(run, subject.decision.tries)
            if measured.majority_identity() != restart.identity:
                return run.started_at
            start = min(start, run.started_at - 1e-3)
    return start


def _runs_by_question(
    subject: Subject,
    memberships: Sequence[BaselineEvent],
    members: tuple[MeasuredRun, ...],
    later: Sequence[Candidate],
    history: History,
) -> tuple[dict[str, tuple[MeasuredRun, ...]], tuple[Freeze, ...], bool]:
    """Each question's own baseline runs, the memberships of late questions that are complete now, and whether some question is late."""
    stored = {run.id: run for run in (*_first_runs(history.checks), *history.baseline_runs)}
    required = subject.decision.baseline_runs
    by_question: dict[str, tuple[MeasuredRun, ...]] = {}
    complete: dict[tuple[int, ...], list[str]] = {}
    is_any_late = False
    pinned_id = max((e.id for e in memberships if e.kind is EventKind.PIN and e.suite is None), default=0)
    parts = [e for e in memberships if e.id > pinned_id]
    for question in subject.questions:
        own = [e for e in parts if question.key in e.question_keys or (e.suite is not None and e.suite == question.suite)]
        if own:
            ids = [run_id for run_id in own[-1].run_ids if run_id in stored]
            by_question[question.key] = tuple(measure(stored[run_id], subject.decision.tries) for run_id in ids)
            continue
        runs = tuple(run for run in members if question.key in run.scores)
        is_late = len(runs) < min(required, len(members))
        is_any_late |= is_late
        if later and is_late:
            taken = {run.id for run in members}
            extra = [c.run for c in later if c.clean and c.run.id not in taken and question.key in c.run.scores]
            runs = (*runs, *_spaced(extra, subject.decision))[:required]
            if len(runs) >= required:
                complete.setdefault(tuple(run.id for run in runs), []).append(question.key)
        by_question[question.key] = runs
    return by_question, tuple(Freeze(ids, tuple(keys)) for ids, keys in complete.items()), is_any_late


def _spaced(runs: Iterable[MeasuredRun], decision: Decision) -> list[MeasuredRun]:
    spaced: list[MeasuredRun] = []
    for run in runs:
        if not spaced or decision.are_apart(spaced[-1].started_at, run.started_at):
            spaced.append(run)
    return spaced
