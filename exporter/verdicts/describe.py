"""The plain counts of a check, laid onto its verdict."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from exporter.records import Question, QuestionCounts, Reason, Run, Verdict, VerdictKind
from exporter.verdicts.accuracy import by_area
from exporter.verdicts.baseline import Baseline
from exporter.verdicts.habits import examine_habits
from exporter.verdicts.history import Subject
from exporter.verdicts.measured import MeasuredRun


def describe_run(verdict: Verdict, subject: Subject, baseline: Baseline, run: MeasuredRun) -> Verdict:
    """Lay the first run's shares onto the verdict, beside those of the baseline once it is ready."""
    answers = max(1, run.answers)
    unmarked = sum(question.key not in run.scores for question in subject.questions)
    return replace(
        verdict,
        refusal_ratio=sum(run.refused.values()) / answers,
        truncated_ratio=sum(run.truncated.values()) / answers,
        reasoning_in_content_ratio=sum(run.reasoning_in_content.values()) / answers,
        baseline_refusal_ratio=_baseline_share(baseline, [member.refused for member in baseline.runs]),
        baseline_truncated_ratio=_baseline_share(baseline, [member.truncated for member in baseline.runs]),
        baseline_reasoning_in_content_ratio=_baseline_share(baseline, [member.reasoning_in_content for member in baseline.runs]),
        unusable_ratio=unmarked / max(1, len(subject.questions)),
        answer_line_missing=run.answer_line_missing,
    )


def describe_failure(verdict: Verdict, subject: Subject, baseline: Baseline, run: Run, measured: MeasuredRun) -> Verdict:
    """The verdict of a run that could not be measured, with its reason: the run's own, else the most frequent one.

    The tests that decide are not made; those that inform are.
    """
    counts = Counter(measured.errors.values())
    reason = run.reason or (counts.most_common(1)[0][0] if counts else Reason.INTERRUPTED)
    message = run.message
    if not message:
        unmarked = sum(question.key not in measured.scores for question in subject.questions)
        message = f"{unmarked} of {len(subject.questions)} questions have no usable answer, most of them {reason}"
    described = describe_run(verdict, subject, baseline, measured)
    tests = examine_habits(baseline, measured, subject.questions)
    return replace(described, kind=VerdictKind.MEASUREMENT_FAILED, reason=reason, reason_message=message, tests=tests)


def _baseline_share(baseline: Baseline, flagged: Sequence[Mapping[str, int]]) -> float | None:
    """The share of the baseline's first answers that bear a mark; None before there is a baseline."""
    answers = sum(member.answers for member in baseline.runs)
    return sum(sum(counts.values()) for counts in flagged) / answers if baseline.ready and answers else None


def count_questions(baseline: Baseline, run: MeasuredRun, questions: Sequence[Question]) -> tuple[QuestionCounts, ...]:
    """How many questions of each area are tested, pending or unusable in this run."""
    counts = []
    for area, members in by_area(questions).items():
        unusable = sum(question.key not in run.scores for question in members)
        tested = sum(question.key in run.scores and baseline.tests(question.key) for question in members)
        counts.append(QuestionCounts(area, tested, len(members) - unusable - tested, unusable))
    return tuple(counts)
