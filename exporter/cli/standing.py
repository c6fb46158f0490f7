"""How targets stand: as a table, as a headline for each that needs a person, and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.table import Table
from rich.text import Text

from exporter.cli.forecast import DAY_SECONDS
from exporter.cli.styles import STYLES
from exporter.cli.tables import plain_table
from exporter.records import AreaAccuracy, Snapshot, Spend, SpendPeriod, VerdictKind
from exporter.reports import as_dict, notices, summarise
from exporter.web.texts import UNKNOWN, dollars, percent, points, span

_QUIET = (
    VerdictKind.COLLECTING,
    VerdictKind.BASELINE_READY,
    VerdictKind.STABLE,
    VerdictKind.IMPROVED,
    VerdictKind.UNCONFIRMED,
)


def standing_table(snapshots: Sequence[Snapshot], now: float) -> Table:
    """A row a target, its cells as lines."""
    table = plain_table("target", "verdict", "accuracy", "checks", "spend")
    for snapshot in snapshots:
        table.add_row(_target(snapshot), _verdict(snapshot, now), _accuracy(snapshot), _checks(snapshot, now), _spend(snapshot))
    return table


def headlines(snapshots: Sequence[Snapshot]) -> list[tuple[str, str]]:
    """A sentence, with its style, for each target that a person should look at."""
    return [
        (f"{snapshot.target}: {summarise(snapshot.verdict)}", STYLES[snapshot.verdict.standing])
        for snapshot in snapshots
        if snapshot.verdict is not None and not {snapshot.verdict.standing, snapshot.verdict.kind} <= set(_QUIET)
    ]


def informing_lines(snapshots: Sequence[Snapshot]) -> list[tuple[str, str]]:
    """What is worth knowing and needs nobody, a line each, without a style."""
    return [
        (f"{snapshot.target}: {notice}", "")
        for snapshot in snapshots
        if snapshot.verdict is not None
        for notice in notices(snapshot.verdict)
    ]


def as_document(snapshots: Sequence[Snapshot]) -> dict[str, Any]:
    """Everything that is shown and the whole verdict; times are Unix seconds, null is not known."""
    return {"targets": [_as_dict(snapshot) for snapshot in snapshots]}


def _target(snapshot: Snapshot) -> str:
    return f"{snapshot.target}\n{snapshot.provider}/{snapshot.model}\nidentity {snapshot.evidence}"


def _verdict(snapshot: Snapshot, now: float) -> Text:
    verdict = snapshot.verdict
    if verdict is None:
        return Text("not checked yet")
    lines = [verdict.standing.replace("_", " ")]
    if verdict.kind is not verdict.standing:
        lines.append(f"last check: {verdict.kind.replace('_', ' ')}")
    if verdict.standing in (VerdictKind.COLLECTING, VerdictKind.BASELINE_READY):
        lines.append(f"{verdict.baseline.runs} of {verdict.baseline.runs_required} runs")
    for word, states in _signals(snapshot).items():
        if states:
            lines.append(f"{word}: {', '.join(states)}")
    if snapshot.verdict_changed_at is not None:
        lines.append(f"for {_time(now - snapshot.verdict_changed_at)}")
    text = Text("\n".join(lines))
    text.stylize(STYLES[verdict.standing], 0, len(lines[0]))
    return text


def _accuracy(snapshot: Snapshot) -> str:
    overall = _overall(snapshot)
    if overall is None:
        return UNKNOWN
    if overall.baseline_ratio is None:
        return percent(overall.accuracy_ratio)
    return f"{percent(overall.accuracy_ratio)}\nwas {percent(overall.baseline_ratio)}\n{points(overall.change_ratio)} points"


def _checks(snapshot: Snapshot, now: float) -> str:
    progress = snapshot.progress
    lines = [UNKNOWN if progress.last_check_at is None else f"last {_time(now - progress.last_check_at)} ago"]
    if progress.in_progress:
        lines.append("one is under way")
    elif progress.confirm_at is not None:
        lines.append(f"second run {_ahead(progress.confirm_at, now)}")
    if progress.next_check_at is not None:
        lines.append(f"next {_ahead(progress.next_check_at, now)}")
    return "\n".join(lines)


def _ahead(at: float, now: float) -> str:
    return f"in {_time(at - now)}" if at > now else "due"


def _time(seconds: float) -> str:
    """A duration; days from two of them on."""
    days = int(seconds // DAY_SECONDS)
    return f"{days} days" if days >= 2 else span(max(0.0, seconds))


def _spend(snapshot: Snapshot) -> str:
    periods = ((SpendPeriod.DAY, "today"), (SpendPeriod.MONTH, "month"))
    return "\n".join(f"{_amount(snapshot, period)} {word}" for period, word in periods)


def _amount(snapshot: Snapshot, period: SpendPeriod) -> str:
    spend = _spend_of(snapshot, period)
    return dollars(spend.spent_usd) if spend.spent_usd is not None else f"{spend.spent_tokens:,} tokens"


def _spend_of(snapshot: Snapshot, period: SpendPeriod) -> Spend:
    return next(spend for spend in snapshot.spend if spend.period is period)


def _overall(snapshot: Snapshot) -> AreaAccuracy | None:
    return None if snapshot.verdict is None else snapshot.verdict.overall


def _signals(snapshot: Snapshot) -> dict[str, list[str]]:
    """Signals that stand, each under the strongest word for it."""
    states = snapshot.verdict.signals if snapshot.verdict is not None else ()
    return {
        "conclusive": [state.signal.value for state in states if state.conclusive],
        "confirmed": [state.signal.value for state in states if state.confirmed and not state.conclusive],
    }


def _as_dict(snapshot: Snapshot) -> dict[str, Any]:
    progress, verdict = snapshot.progress, snapshot.verdict
    return {
        "target": snapshot.target,
        "provider": snapshot.provider,
        "api": snapshot.api,
        "model": snapshot.model,
        "identity_evidence": snapshot.evidence,
        "standing": None if verdict is None else verdict.standing,
        "standing_since_at": snapshot.verdict_changed_at,
        "signals": _signals(snapshot),
        "last_check_at": progress.last_check_at,
        "next_check_at": progress.next_check_at,
        "check_in_progress": progress.in_progress,
        "second_run_at": progress.confirm_at,
        "spend": {spend.period.value: {"usd": spend.spent_usd, "tokens": spend.spent_tokens} for spend in snapshot.spend},
        "verdict": None if verdict is None else as_dict(verdict),
    }
