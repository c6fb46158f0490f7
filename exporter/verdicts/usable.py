"""Which runs of a check can be compared with a baseline: measured, by a model that the baseline knows, with marks enough."""

from __future__ import annotations

from collections.abc import Sequence

from exporter.records import Evidence, Run, RunState
from exporter.verdicts.baseline import Baseline
from exporter.verdicts.history import Subject
from exporter.verdicts.measured import MeasuredRun, measure


def known_to(subject: Subject, baseline: Baseline) -> frozenset[str] | None:
    """Identities of the baseline, whose answers alone have marks; None: all have, as nothing is known or proves anything."""
    return baseline.identities or None if subject.evidence is not Evidence.NONE else None


def is_changed(subject: Subject, baseline: Baseline, raw: MeasuredRun) -> bool:
    """Whether another model served most of a run that was measured without leaving any identity out."""
    return raw.served_by_strangers(known_to(subject, baseline) or frozenset())


def usable_run(subject: Subject, baseline: Baseline, run: Run) -> MeasuredRun | None:
    """The run without rerouted answers; None where too many questions are left without a mark."""
    measured = measure(run, subject.decision.tries, known_to(subject, baseline))
    unmarked = sum(question.key not in measured.scores for question in subject.questions)
    return measured if unmarked <= subject.decision.max_error_rate * len(subject.questions) else None


def usable_runs(subject: Subject, baseline: Baseline, runs: Sequence[Run]) -> tuple[MeasuredRun, ...]:
    """Those of the runs that are measured, usable, and not another model's."""
    found = []
    for run in runs:
        if run.state is RunState.MEASURED and not is_changed(subject, baseline, measure(run, subject.decision.tries)):
            measured = usable_run(subject, baseline, run)
            if measured is not None:
                found.append(measured)
    return tuple(found)
