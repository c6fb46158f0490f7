"""How a run ended: measured, failed with a reason and what to do about it, or interrupted. Pure."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from exporter.probing.plan import Ask, Plan
from exporter.records import Answer, Grade, Reason, RunState
from exporter.records.marks import mark_of, next_attempt


@dataclass(frozen=True, slots=True)
class Halt:
    """Why nothing more is sent in a run."""

    reason: Reason
    message: str


@dataclass(frozen=True, slots=True)
class RunOutcome:
    """The end of a run. `grades` are all of it, in the order of the plan, those from before a restart included.

    `unsent` are the ones among them that the ledger has not got, as no request was sent for them. An interrupted run stays
    open (state open, reason interrupted) and lacks the grades that are still to come.
    """

    state: RunState
    reason: Reason | None
    message: str
    grades: tuple[Grade, ...]
    unsent: tuple[Grade, ...] = ()


def conclude(
    plan: Plan,
    grades: Mapping[tuple[str, int], Sequence[Grade]],
    halt: Halt | None,
    failed: Mapping[tuple[str, int], Answer],
    now: float,
) -> RunOutcome:
    """How the run ended, from its grades by question key and sample, and from what halted it.

    What is still to be asked becomes a grade without an answer: its reason is that of the last failed answer (`failed`),
    which was to be sent again, else that of the halt. More than max_error_rate of questions without a mark in every sample:
    the run has failed, for the reason that most of them have.
    """
    unfinished = [ask for ask in plan.asks if next_attempt(grades.get(ask.key, ()), plan.target.decision.tries) is not None]
    if unfinished and (halt is None or halt.reason is Reason.INTERRUPTED):
        return RunOutcome(RunState.OPEN, Reason.INTERRUPTED, halt.message if halt is not None else "", _in_order(plan, grades))
    unsent = tuple(_unsent_grade(ask, grades, halt, failed, now) for ask in unfinished if halt is not None)
    whole = defaultdict(list, {key: list(listed) for key, listed in grades.items()})
    for grade in unsent:
        whole[grade.question_key, grade.sample].append(grade)
    lost = _lost_questions(plan, whole)
    questions_count = len(plan.costs)
    limit = plan.target.decision.max_error_rate
    listed = _in_order(plan, whole)
    if not lost or len(lost) / questions_count <= limit:
        return RunOutcome(RunState.MEASURED, None, "", listed, unsent)
    reason, count = most_frequent(grade.reason for grade in lost if grade.reason is not None)
    if halt is not None and halt.reason is reason:
        said = halt.message
    else:
        said = next((grade.message for grade in lost if grade.reason is reason and grade.message), "")
    extent = f"{len(lost)} of {questions_count} questions have no mark"
    if count < len(lost):
        extent += f", {count} of them for {reason}"
    return RunOutcome(RunState.FAILED, reason, "; ".join(part for part in (said, extent) if part), listed, unsent)


def most_frequent(reasons: Iterable[Reason]) -> tuple[Reason, int]:
    """The reason met most often, and how often; of equals, the first in the list of reasons. Raises ValueError for none."""
    counted = Counter(reasons)
    reason = max(sorted(counted, key=list(Reason).index), key=lambda one: counted[one])
    return reason, counted[reason]


def _lost_questions(plan: Plan, grades: Mapping[tuple[str, int], Sequence[Grade]]) -> list[Grade]:
    """For each question without a mark in some sample, the grade that says why, in the order of the plan."""
    lost: dict[str, Grade] = {}
    for ask in plan.asks:
        listed = grades.get(ask.key, ())
        if mark_of(listed, plan.target.decision.tries) is None:
            lost.setdefault(ask.question.key, min(listed, key=lambda grade: grade.attempt))
    return list(lost.values())


def _in_order(plan: Plan, grades: Mapping[tuple[str, int], Sequence[Grade]]) -> tuple[Grade, ...]:
    return tuple(grade for ask in plan.asks for grade in sorted(grades.get(ask.key, ()), key=lambda grade: grade.attempt))


def _unsent_grade(
    ask: Ask,
    grades: Mapping[tuple[str, int], Sequence[Grade]],
    halt: Halt,
    failed: Mapping[tuple[str, int], Answer],
    now: float,
) -> Grade:
    answer = failed.get(ask.key)
    return Grade(
        question_key=ask.question.key,
        question_id=ask.question.id,
        suite=ask.question.suite,
        area=ask.question.area,
        sample=ask.sample,
        attempt=len(grades.get(ask.key, ())) + 1,
        right=None,
        graded_at=now,
        reason=answer.reason if answer is not None else halt.reason,
        message=answer.message if answer is not None else halt.message,
    )
