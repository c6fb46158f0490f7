"""A baseline laid open: its runs and those beside it, what was decided about it, and how it stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from statistics import fmean
from typing import Any

from rich.table import Table

from exporter.cli.tables import plain_table
from exporter.daemon.live import LiveTarget
from exporter.records import BaselineEvent, BaselineState, Check, Run, RunState, Verdict
from exporter.verdicts import History, accepted_protocols
from exporter.verdicts.baseline import describe_baseline, form_baseline
from exporter.verdicts.measured import measure
from exporter.web.texts import moment, percent

OTHERS_SHOWN = 10
"""Newest runs outside the baseline that are listed, to choose from for a pin."""

MEMBER, LEFT_OUT, BESIDE = "member", "left out", ""


@dataclass(frozen=True, slots=True)
class RunRow:
    """One measured first run. `part` is its part in the baseline, `said` the verdict of its check."""

    run: int
    started_at: float
    accuracy_ratio: float | None
    questions: int
    part: str
    said: str


@dataclass(frozen=True, slots=True)
class Membership:
    """All that is shown of a baseline. `max_runs` is the size at which it is frozen."""

    target: str
    max_runs: int
    state: BaselineState
    rows: tuple[RunRow, ...]
    events: tuple[BaselineEvent, ...]


def read_membership(live: LiveTarget, history: History, recent: Sequence[Check], standing: Verdict | None) -> Membership:
    """The baseline as it stands now. `history` has at least its runs; `recent` are the newest checks, older baselines' too."""
    baseline = form_baseline(live.subject, history)
    state = describe_baseline(baseline, live.questions, standing.baseline.note if standing else "")
    checks = (*recent, *history.checks)
    said = {run.id: check.verdict.kind.value for check in checks for run in check.runs if check.verdict is not None}
    protocols = accepted_protocols(live.protocol, history.events)
    parts = dict.fromkeys(state.run_ids, MEMBER) | dict.fromkeys(state.left_out_run_ids, LEFT_OUT)
    known = {run.id: run for run in (*history.baseline_runs, *(run for check in checks for run in check.runs if run.number == 1))}
    beside = [run.id for run in known.values() if run.state is RunState.MEASURED and run.protocol in protocols and run.id not in parts]
    shown = sorted([*(run_id for run_id in parts if run_id in known), *sorted(beside)[-OTHERS_SHOWN:]])
    tries = live.target.decision.tries
    rows = tuple(_row(known[run_id], tries, parts.get(run_id, BESIDE), said.get(run_id, "")) for run_id in shown)
    return Membership(live.name, live.target.decision.baseline_max_runs, state, rows, history.events)


def summary(membership: Membership) -> list[str]:
    """How the baseline stands, a line each."""
    state = membership.state
    lines = [f"{membership.target}: {_standing(state, membership.max_runs)}"]
    if state.note:
        lines.append(state.note)
    if state.identities:
        lines.append(f"served by {', '.join(state.identities)}")
    if state.runs >= state.runs_required or state.pinned:
        lines.append(f"right only some of the time: {', '.join(state.sometimes) or 'none; only losses can be seen'}")
    if state.overdispersion_p_value is not None:
        lines.append(f"its runs agree with p = {state.overdispersion_p_value:.2g} (small: days swing)")
    return lines


def run_table(rows: Sequence[RunRow]) -> Table:
    """Runs, oldest first."""
    table = plain_table("run", "started", "accuracy", "questions", "baseline", "its check said", right=(0, 2, 3), apart=False)
    for row in rows:
        said = row.said.replace("_", " ")
        table.add_row(str(row.run), moment(row.started_at), percent(row.accuracy_ratio), str(row.questions), row.part, said)
    return table


def event_table(events: Sequence[BaselineEvent]) -> Table:
    """Decisions, oldest first."""
    table = plain_table("decided", "what", "of what", apart=False)
    for event in events:
        table.add_row(moment(event.happened_at), event.kind.value, _object_of(event))
    return table


def as_document(membership: Membership) -> dict[str, Any]:
    """Everything under its own name; times are Unix seconds, null is not known."""
    return {
        "target": membership.target,
        "baseline": asdict(membership.state),
        "runs": [asdict(row) for row in membership.rows],
        "events": [asdict(event) for event in membership.events],
    }


def _row(run: Run, tries: int, part: str, said: str) -> RunRow:
    right = measure(run, tries).right
    return RunRow(run.id, run.started_at, fmean(right.values()) if right else None, len(right), part, said)


def _standing(state: BaselineState, max_runs: int) -> str:
    runs = f"{state.runs} run" if state.runs == 1 else f"{state.runs} runs"
    if state.pinned:
        return f"pinned to {runs}"
    if state.frozen:
        return f"frozen with {runs}"
    if state.runs < state.runs_required:
        return f"collecting, {state.runs} of {state.runs_required} runs"
    return f"ready with {runs}, grows to {max_runs}"


def _object_of(event: BaselineEvent) -> str:
    parts = []
    if event.run_ids:
        parts.append(f"runs {', '.join(map(str, event.run_ids))}")
    if event.suite is not None:
        parts.append(f"for suite {event.suite}")
    if event.question_keys:
        parts.append(f"for {len(event.question_keys)} later questions")
    if event.identity is not None:
        parts.append(event.identity)
    if event.from_protocol is not None:
        parts.append(f"protocol {event.from_protocol} as {event.protocol}")
    return " ".join(parts)
