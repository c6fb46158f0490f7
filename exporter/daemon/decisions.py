"""What a person may decide about a baseline, as events; refused with a UsageError where it would do nothing or the wrong thing. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from exporter.daemon.live import LiveTarget
from exporter.errors import Problem, UsageError
from exporter.records import BaselineEvent, EventKind, Run, RunState, Signal, Verdict, VerdictKind
from exporter.verdicts import History, accepted_protocols
from exporter.verdicts.baseline import form_baseline


def reset_baseline(live: LiveTarget, now: float) -> BaselineEvent:
    """Start anew with the next check."""
    return BaselineEvent(0, live.name, EventKind.RESET, now, live.protocol)


def pin_runs(
    live: LiveTarget, events: Sequence[BaselineEvent], found: Sequence[Run], run_ids: Sequence[int], suite: str | None, now: float
) -> BaselineEvent:
    """Take these runs as the baseline, of all questions or of one suite's. `found` are those of `run_ids` that the target has."""
    wanted = tuple(dict.fromkeys(run_ids))
    by_id = {run.id: run for run in found}
    protocols = accepted_protocols(live.protocol, events)
    problems = [problem for run_id in wanted if (problem := _unfit(run_id, by_id.get(run_id), protocols, live.name))]
    known = list(dict.fromkeys(question.suite for question in live.questions))
    if suite is not None and suite not in known:
        problems.append(Problem("--suite", f"{suite!r} is not asked of {live.name}", f"choose from: {', '.join(known)}"))
    required = live.target.decision.baseline_runs
    if suite is not None and len(wanted) < required:
        problems.append(
            Problem("--run", f"{len(wanted)} are too few: one suite by itself is tested from {required} runs on", "name more runs")
        )
    if not problems:
        keys = {question.key for question in live.questions if suite in (None, question.suite)}
        if not any(grade.question_key in keys for run in found for grade in run.grades):
            problems.append(Problem("--run", "holds no answer to any question that is asked now", "choose runs of today's questions"))
    if problems:
        raise UsageError(problems)
    return BaselineEvent(0, live.name, EventKind.PIN, now, live.protocol, run_ids=wanted, suite=suite)


def accept_model(
    live: LiveTarget, standing: Verdict | None, newest_change: Verdict | None, seen: Sequence[str], identity: str | None, now: float
) -> BaselineEvent:
    """Start a new baseline on another model: on `identity`, else on the one that answers since the model was said to have changed.

    `standing` is the verdict that stands now, `newest_change` the newest one that said model_changed, `seen` who ever answered.
    """
    where = f"target {live.name}"
    if identity is not None and identity not in seen:
        known = f"choose from: {', '.join(seen)}" if seen else "make a check first"
        raise UsageError(Problem("--identity", f"{identity!r} has never answered for {live.name}", known))
    if identity is None:
        if standing is None or newest_change is None or not standing.signal(Signal.IDENTITY).confirmed:
            said = "it was never checked" if standing is None else f"its last check said {standing.kind}, not {VerdictKind.MODEL_CHANGED}"
            raise UsageError(Problem(where, said, "nothing is to be accepted; name a model with --identity if you know better"))
        identity = next(model.identity for model in newest_change.served if not model.in_baseline)
    return BaselineEvent(0, live.name, EventKind.ACCEPT, now, live.protocol, identity=identity)


def keep_baseline(live: LiveTarget, history: History, now: float) -> BaselineEvent:
    """Carry the baseline of the former protocol over to the present one. `history` reaches back to before the change."""
    where = f"target {live.name}"
    present = form_baseline(live.subject, history)
    if present.ready:
        what = f"its baseline of {len(present.runs)} runs is for the way it is asked now"
        raise UsageError(Problem(where, what, "there is nothing to carry over"))
    known = accepted_protocols(live.protocol, history.events)
    runs = [run for check in reversed(history.checks) for run in check.runs if run.state is RunState.MEASURED]
    former = next((run.protocol for run in runs if run.protocol not in known), None)
    if former is None:
        raise UsageError(Problem(where, "has never been asked in another way than now", "there is nothing to carry over"))
    event = BaselineEvent(0, live.name, EventKind.KEEP, now, live.protocol, from_protocol=former)
    kept = form_baseline(live.subject, replace(history, events=(*history.events, event)))
    if not any(run.protocol == former for run in kept.runs):
        raise UsageError(Problem(where, "has no baseline from before the change", "there is nothing to carry over"))
    return event


def _unfit(run_id: int, run: Run | None, protocols: frozenset[str], target: str) -> Problem | None:
    where, choose = f"run {run_id}", f"choose from those that baseline show {target} lists"
    if run is None:
        return Problem(where, f"is no run of {target}", choose)
    if run.state is not RunState.MEASURED:
        return Problem(where, "was not measured" if run.state is RunState.FAILED else "has not ended", choose)
    if run.grades_pruned_at is not None:
        return Problem(where, "has no grades any more, they grew too old (retention in the config)", choose)
    if run.number != 1:
        return Problem(where, "is the second run of its check, made because the first looked bad", choose)
    if run.protocol not in protocols:
        return Problem(where, "was asked in another way than now, its marks cannot be compared", choose)
    return None
