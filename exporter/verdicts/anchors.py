"""What a check is compared with, suite by suite: the reference and the run before, or the reason why not."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from exporter.records import Anchor, BaselineEvent, Check, EventKind, Question, Run, RunState, Skip, SkipKind, VerdictKind
from exporter.verdicts.baseline import Baseline, form_baseline
from exporter.verdicts.compare import Side
from exporter.verdicts.history import History, Subject, accepted_protocols, restart_of, standing_memberships
from exporter.verdicts.measured import measure


@dataclass(frozen=True, slots=True)
class Present:
    """The newest check as it is to be compared.

    `baseline` is the norm that it was held against (none where it is foreign), `completed` the one that it became a part of.
    `recent` are closed checks, oldest first, this one the last. `is_foreign`: it was asked in another way than the target is now.
    """

    subject: Subject
    history: History
    recent: tuple[Check, ...]
    baseline: Baseline
    completed: Baseline
    is_foreign: bool

    @property
    def run(self) -> Run:
        """Its first run."""
        return self.recent[-1].runs[0]


def stand(subject: Subject, history: History, recent: Sequence[Check]) -> Present:
    """The newest of `recent` with the baseline before and after it."""
    last = recent[-1]
    is_foreign = last.runs[0].protocol not in accepted_protocols(subject.protocol, history.events)
    past = tuple(check for check in history.checks if check.id < last.id)
    upto = tuple(check for check in history.checks if check.id <= last.id)
    # a later question's marks that were complete with this check have it as a member
    events = tuple(event for event in history.events if not event.question_keys or event.id <= _event_id(last))
    before = form_baseline(subject, History() if is_foreign else replace(history, checks=past, events=events))
    after = form_baseline(subject, replace(history, checks=upto))
    return Present(subject, history, tuple(recent), before, after, is_foreign)


def reference_of(present: Present, suite: str, members: Sequence[Question]) -> Side | Skip:
    """The pinned runs, else the baseline, that hold the marks of a suite's questions."""
    changed = _changed_since_check(present, suite, members)
    if present.is_foreign:
        return Skip(SkipKind.PROTOCOL_CHANGED)
    if changed is not None:
        return changed
    baseline, subject = present.baseline, present.subject
    pin = _pin_of(present, suite)
    if pin is None and not baseline.ready:
        return _why_not_ready(present)
    own_ids = set(pin.run_ids) if pin is not None else {run.id for run in baseline.runs}
    if present.run.id in own_ids:
        return Skip(SkipKind.OWN_REFERENCE)
    sources = [run for run in _first_runs(present) if run.id in own_ids]
    asked = {grade.question_key for run in sources for grade in run.grades}
    tested = [q for q in members if (bool(baseline.scores(q.key)) if pin is not None else baseline.tests(q.key))]
    new = [q.key for q in members if q not in tested and q.key not in asked]
    if new and not tested:
        marks, required = max(len(present.completed.scores(q.key)) for q in members), subject.decision.baseline_runs
        return Skip(SkipKind.NO_REFERENCE, runs=marks, runs_required=required) if marks < required else Skip(SkipKind.OWN_REFERENCE)
    if new:
        return _suite_changed(new, _gone(sources, suite, {q.key for q in subject.questions}))
    identities = baseline.identities
    if pin is not None:
        identities = frozenset(name for run in sources for name in measure(run, subject.decision.tries).identities)
    is_pinned = pin is not None or baseline.pinned
    anchor = Anchor.PINNED if is_pinned else Anchor.FROZEN if baseline.frozen else Anchor.GROWING
    return Side(anchor, {q.key: baseline.by_question[q.key] for q in tested}, identities)


def previous_of(present: Present, suite: str, members: Sequence[Question]) -> Side | Skip:
    """The last measured first run before the check."""
    changed = _changed_since_check(present, suite, members)
    if changed is not None:
        return changed
    last, events = present.recent[-1], present.history.events
    before = next((check for check in reversed(present.recent[:-1]) if _is_measured(check)), None)
    if before is None:
        return Skip(SkipKind.NO_PREVIOUS)
    run = before.runs[0]
    accepted = accepted_protocols(present.subject.protocol, events)
    if run.protocol != present.run.protocol and not {run.protocol, present.run.protocol} <= accepted:
        return Skip(SkipKind.PROTOCOL_CHANGED)
    between = [event for event in events if _event_id(before) < event.id <= _event_id(last) and event.kind is EventKind.RESET]
    if between:
        return Skip(SkipKind.BASELINE_RESET, between[-1].happened_at)
    earlier = {grade.question_key for grade in run.grades}
    now = {grade.question_key for grade in present.run.grades}
    asked = [q.key for q in members if q.key in now]
    new = [key for key in asked if key not in earlier]
    gone = _gone((run,), suite, now)
    if new and (gone or len(new) == len(asked)):
        return _suite_changed(new, gone)
    measured = measure(run, present.subject.decision.tries)
    return Side(Anchor.PREVIOUS, dict.fromkeys(asked, (measured,)), frozenset(measured.identities))


def _changed_since_check(present: Present, suite: str, members: Sequence[Question]) -> Skip | None:
    """Whether the suite is another one now than when it was asked. A question without a grade may just not have been reached."""
    asked = {grade.question_key for grade in present.run.grades}
    new = [q.key for q in members if q.key not in asked]
    gone = _gone((present.run,), suite, {q.key for q in present.subject.questions})
    return _suite_changed(new, gone) if new and (gone or len(new) == len(members)) else None


def _suite_changed(new: Sequence[str], gone: Collection[str]) -> Skip:
    replaced = min(len(new), len(gone))
    return Skip(SkipKind.SUITE_CHANGED, replaced=replaced, added=len(new) - replaced, removed=len(gone) - replaced)


def _gone(runs: Iterable[Run], suite: str, known: Collection[str]) -> set[str]:
    """Questions of the suite that these runs were asked and that are in it no more."""
    return {grade.question_key for run in runs for grade in run.grades if grade.suite == suite} - set(known)


def _why_not_ready(present: Present) -> Skip:
    after, events = present.completed, present.history.events
    if after.ready:
        return Skip(SkipKind.OWN_REFERENCE)
    restart = restart_of(events)
    accepted = accepted_protocols(present.subject.protocol, events)
    since = [check for check in present.recent if _is_measured(check) and (restart is None or _event_id(check) >= restart.id)]
    kind, happened_at = SkipKind.NO_REFERENCE, None
    if any(check.runs[0].protocol not in accepted for check in since):
        foreign = max(number for number, check in enumerate(since) if check.runs[0].protocol not in accepted)
        kind, happened_at = SkipKind.PROTOCOL_CHANGED, since[foreign + 1].runs[0].started_at
    elif restart is not None:
        kind = SkipKind.BASELINE_RESET if restart.kind is EventKind.RESET else SkipKind.MODEL_ACCEPTED
        happened_at = restart.happened_at
    return Skip(kind, happened_at, runs=len(after.runs), runs_required=after.required)


def _pin_of(present: Present, suite: str) -> BaselineEvent | None:
    """The pin of this suite alone that holds: the newest, unless the whole baseline was pinned after it."""
    memberships = standing_memberships(present.subject.protocol, present.history.events)
    pins = [event for event in memberships if event.kind is EventKind.PIN and event.suite in (None, suite)]
    return pins[-1] if pins and pins[-1].suite is not None else None


def _first_runs(present: Present) -> list[Run]:
    checks = (*present.history.checks, *present.recent)
    by_id = {run.id: run for run in present.history.baseline_runs}
    return list((by_id | {run.id: run for check in checks for run in check.runs if run.number == 1}).values())


def _is_measured(check: Check) -> bool:
    failed = check.verdict is None or check.verdict.kind is VerdictKind.MEASUREMENT_FAILED
    return not failed and bool(check.runs) and check.runs[0].state is RunState.MEASURED


def _event_id(check: Check) -> int:
    return check.verdict.event_id if check.verdict is not None else 0
