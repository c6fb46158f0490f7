"""The plain counts of a check, laid onto its verdict."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from exporter.records import Question, QuestionCounts, Reason, Run, Verdict, VerdictKind
from exporter.verdicts.accuracy import by_area
from exporter.verdicts.baseline import Baseline
from exporter.verdicts.history import Subject
from exporter.verdicts.measured import MeasuredRun


def describe_run(verdict: Verdict, subject: Subject, run: MeasuredRun) -> Verdict:
    """Lay the first run's shares onto the verdict."""
    answers = max(1, run.answers)
    unmarked = sum(question.key not in run.scores for question in subject.questions)
    return replace(
        verdict,
        refusal_ratio=run.refused / answers,
        truncated_ratio=run.truncated / answers,
        reasoning_in_content_ratio=run.reasoning_in_content / answers,
        unusable_ratio=unmarked / max(1, len(subject.questions)),
        answer_line_missing=run.answer_line_missing,
    )


def describe_failure(verdict: Verdict, subject: Subject, run: Run, measured: MeasuredRun) -> Verdict:
    """The verdict of a run that could not be measured, with its reason: the run's own, else the most frequent one."""
    counts = Counter(measured.errors.values())
    reason = run.reason or (counts.most_common(1)[0][0] if counts else Reason.INTERRUPTED)
    message = run.message
    if not message:
        unmarked = sum(question.key not in measured.scores for question in subject.questions)
        message = f"{unmarked} of {len(subject.questions)} questions have no usable answer, most of them {reason}"
    described = describe_run(verdict, subject, measured)
    return replace(described, kind=VerdictKind.MEASUREMENT_FAILED, reason=reason, reason_message=message)


def count_questions(baseline: Baseline, run: MeasuredRun, questions: Sequence[Question]) -> tuple[QuestionCounts, ...]:
    """How many questions of each area are tested, pending or unusable in this run."""
    counts = []
    for area, members in by_area(questions).items():
        unusable = sum(question.key not in run.scores for question in members)
        tested = sum(question.key in run.scores and baseline.tests(question.key) for question in members)
        counts.append(QuestionCounts(area, tested, len(members) - unusable - tested, unusable))
    return tuple(counts)
