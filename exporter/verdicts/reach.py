"""How far back a history has to reach. What is read of the past is most of what a judging takes."""

from __future__ import annotations

from exporter.records import RunState
from exporter.verdicts.baseline import form_baseline
from exporter.verdicts.history import History, Subject


def reaches_far_enough(subject: Subject, history: History) -> bool:
    """Whether the newest checks alone, which `history` has, come to the same verdict as all that there are.

    They do beside a frozen baseline whose questions have their marks in it, where they hold the longest trend window, or all that
    came after the baseline's last run; and a run for today's to be compared with.
    """
    baseline = form_baseline(subject, history)
    runs = [run for check in history.checks for run in check.runs if run.number == 1 and run.state is RunState.MEASURED]
    if not baseline.frozen or not baseline.runs or baseline.completed_later or not runs:
        return False
    is_window_full = len(baseline.later) >= max(subject.decision.trend_windows, default=0)
    return is_window_full or runs[0].started_at <= max(run.started_at for run in baseline.runs)
