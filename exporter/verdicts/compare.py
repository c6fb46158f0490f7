"""Questions lost and gained: for people to read, it decides nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from exporter.records import Flips, Question
from exporter.verdicts.baseline import Baseline
from exporter.verdicts.measured import MeasuredRun

REFERENCE = "reference"
PREVIOUS = "previous"


def find_flips(
    baseline: Baseline, runs: Sequence[MeasuredRun], previous: MeasuredRun | None, questions: Sequence[Question]
) -> tuple[Flips, ...]:
    """Flips against the baseline's majority (reference) and against the run before (previous), where there is one.

    A question is lost where it was right and is now wrong at the first try in every run of the check; gained likewise.
    """
    found = []
    if baseline.ready:
        majority = {}
        for question in questions:
            right = [run.right[question.key] for run in baseline.by_question[question.key] if question.key in run.right]
            if right:
                majority[question.key] = sum(right) * 2 > len(right)
        found.append(_flips(REFERENCE, majority, runs, questions))
    if previous is not None:
        before = {key: share > 0.5 for key, share in previous.right.items()}
        found.append(_flips(PREVIOUS, before, runs, questions))
    return tuple(found)


def _flips(versus: str, before: Mapping[str, bool], runs: Sequence[MeasuredRun], questions: Sequence[Question]) -> Flips:
    lost, gained = [], []
    for question in questions:
        now = [run.right[question.key] > 0.5 for run in runs if question.key in run.right]
        if question.key not in before or not now:
            continue
        if before[question.key] and not any(now):
            lost.append(question.id)
        if not before[question.key] and all(now):
            gained.append(question.id)
    return Flips(versus, tuple(lost), tuple(gained))
