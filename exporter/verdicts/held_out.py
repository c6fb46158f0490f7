"""Suites that anybody can read, set against suites that nobody outside has seen: who pulls ahead may have been trained on."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import gcd

from exporter.records import HeldOutComparison, Question
from exporter.statistics.stratified import Stratum, exact_test
from exporter.verdicts.compare import Side, by_suite, mean_right
from exporter.verdicts.history import Subject
from exporter.verdicts.measured import MeasuredRun

CHANGE_STEPS = 60
"""Steps of a question's change of accuracy in the test: exact for references of up to 6, of 10, 12 and 15 runs."""


def compare_held_out(
    subject: Subject, references: Mapping[str, Side], runs: Sequence[MeasuredRun], held_out: Collection[str]
) -> HeldOutComparison | None:
    """Whether the public suites of a check pulled ahead of those in `held_out`; None where the target is asked none of these.

    `references` are the sides of the suites that can be compared. The exact test with one stratum: while both sides change
    alike, it is of no account to the questions' changes which of them are public (E. J. G. Pitman 1937, as in
    `statistics.stratified`; with changes of one size it is R. A. Fisher's exact test). Ahead at `improved_alpha`.
    """
    suites = by_suite(subject.questions)
    hidden = tuple(suite for suite in suites if suite in held_out)
    if not hidden:
        return None
    public = tuple(suite for suite in suites if suite not in held_out)
    public_changes = [change for suite in public for change in _changes(suites[suite], references.get(suite), runs)]
    hidden_changes = [change for suite in hidden for change in _changes(suites[suite], references.get(suite), runs)]
    if not public_changes or not hidden_changes:
        return HeldOutComparison(public, hidden)
    public_change, hidden_change = (sum(changes) / len(changes) for changes in (public_changes, hidden_changes))
    p_value = exact_test([_deal(hidden_changes, public_changes)]).upper
    return HeldOutComparison(
        public=public,
        held_out=hidden,
        public_change_ratio=public_change,
        held_out_change_ratio=hidden_change,
        ahead_ratio=public_change - hidden_change,
        p_value=p_value,
        is_ahead=public_change > hidden_change and p_value <= subject.decision.improved_alpha,
    )


def _changes(questions: Sequence[Question], side: Side | None, runs: Sequence[MeasuredRun]) -> list[float]:
    """Each question's share right at the first try now, less that in its reference."""
    changes = []
    for key in (question.key for question in questions):
        before = side.runs_of.get(key, ()) if side is not None else ()
        if any(key in run.right for run in before) and any(key in run.right for run in runs):
            changes.append(mean_right(runs, key) - mean_right(before, key))
    return changes


def _deal(hidden_changes: Sequence[float], public_changes: Sequence[float]) -> Stratum:
    """Changes as whole steps from the smallest one, of the largest size that fits all of them: the test's time grows with their range."""
    sides = [[round(CHANGE_STEPS * change) for change in changes] for changes in (hidden_changes, public_changes)]
    smallest = min(map(min, sides))
    size = gcd(*(score - smallest for side in sides for score in side)) or 1
    hidden, public = (tuple((score - smallest) // size for score in side) for side in sides)
    return Stratum(hidden, public)
