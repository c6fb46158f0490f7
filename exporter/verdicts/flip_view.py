"""The newest check beside the reference and the run before, suite by suite."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from exporter.records import (
    Check,
    Question,
    Reason,
    Skip,
    SkipKind,
    SkippedComparison,
    SuiteComparison,
    TargetComparison,
    VerdictKind,
)
from exporter.verdicts.anchors import Present, previous_of, reference_of, stand
from exporter.verdicts.compare import PREVIOUS, REFERENCE, Side, by_suite, compare_suite
from exporter.verdicts.held_out import compare_held_out
from exporter.verdicts.history import History, Subject
from exporter.verdicts.measured import MeasuredRun, measure
from exporter.verdicts.usable import usable_runs


def compare_check(
    subject: Subject,
    history: History,
    recent: Sequence[Check],
    *,
    held_out: Collection[str] = (),
    medium_flip_count: int | None = None,
) -> TargetComparison:
    """Compare the newest of `recent` (closed checks, oldest first; that one with the grades of all its runs).

    Suites named in `held_out` are set against the others. Nothing is compared where there is no check, or it was not measured.
    """
    if not recent:
        return TargetComparison(subject.target)
    last = recent[-1]
    verdict = last.verdict
    if verdict is None or verdict.kind is VerdictKind.MEASUREMENT_FAILED or not last.runs:
        reason = verdict.reason if verdict is not None and verdict.reason is not None else Reason.INTERRUPTED
        return TargetComparison(
            target=subject.target,
            check_id=last.id,
            run_ids=tuple(run.id for run in last.runs),
            started_at=last.runs[0].started_at if last.runs else last.claimed_at,
            reason=reason,
            reason_message=verdict.reason_message if verdict is not None else "",
        )
    present = stand(subject, history, recent)
    runs = _runs_to_compare(present)
    found: list[SuiteComparison | SkippedComparison] = []
    references: dict[str, Side] = {}
    for suite, members in by_suite(subject.questions).items():
        reference = reference_of(present, suite, members)
        if isinstance(reference, Side):
            references[suite] = reference
        found.append(_compare(present, suite, members, reference, REFERENCE, runs, medium_flip_count))
        found.append(_compare(present, suite, members, previous_of(present, suite, members), PREVIOUS, runs, medium_flip_count))
    return TargetComparison(
        target=subject.target,
        check_id=last.id,
        run_ids=tuple(run.id for run in runs),
        started_at=present.run.started_at,
        suites=tuple(found),
        held_out=compare_held_out(subject, references, runs, held_out),
    )


def _compare(
    present: Present,
    suite: str,
    members: Sequence[Question],
    side: Side | Skip,
    versus: str,
    runs: Sequence[MeasuredRun],
    medium_flip_count: int | None,
) -> SuiteComparison | SkippedComparison:
    if isinstance(side, Skip):
        return SkippedComparison(suite, versus, side)
    raw = measure(present.run, present.subject.decision.tries)
    compared = compare_suite(
        suite,
        side,
        runs,
        sorted(raw.identities, key=lambda name: (-raw.identities[name], name)),
        members,
        evidence=present.subject.evidence,
        is_changed=raw.served_by_strangers(side.identities),
        medium_flip_count=medium_flip_count,
    )
    return compared or SkippedComparison(suite, versus, Skip(SkipKind.NO_MARKS))


def _runs_to_compare(present: Present) -> tuple[MeasuredRun, ...]:
    """The runs of the check as they were judged: rerouted answers left out; another model's run is taken whole."""
    usable = usable_runs(present.subject, present.baseline, present.recent[-1].runs)
    return usable or (measure(present.run, present.subject.decision.tries),)
