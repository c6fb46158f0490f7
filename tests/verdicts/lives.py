"""A made-up target whose life is told day by day: each day a first run and, where the judge asks for it, a second one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from exporter.config import Decision
from exporter.records import (
    BaselineEvent,
    Check,
    CheckKind,
    CheckState,
    EventKind,
    Evidence,
    Extract,
    Grade,
    Question,
    Reason,
    Run,
    RunState,
    Signal,
    Verdict,
)
from exporter.verdicts import History, Subject, judge, needs_second_run, refresh

DAY = 86400.0
START = 1_800_000_000.0


def make_questions(sizes: Mapping[str, int]) -> tuple[Question, ...]:
    """Questions named area-1, area-2, … whose key is their id."""
    return tuple(make_question(f"{area}-{number + 1}", area) for area, size in sizes.items() for number in range(size))


def make_question(question_id: str, area: str) -> Question:
    return Question(
        key=question_id,
        id=question_id,
        suite="made-up",
        area=area,
        prompt=question_id,
        extract=Extract.FULL,
        grader={"kind": "exact"},
        reference="",
        wrong_reference=None,
        max_tokens=64,
    )


def make_grades(
    question: Question,
    mark: int | Reason,
    tries: int,
    *,
    tokens: int = 100,
    input_tokens: int = 50,
    identity: str | None = "model-1",
    host: str | None = None,
    reasoning_in_content: bool = False,
) -> tuple[Grade, ...]:
    """The grades that give this mark; a Reason gives one unusable answer."""

    def grade(attempt: int, right: bool | None, reason: Reason | None = None) -> Grade:
        return Grade(
            question_key=question.key,
            question_id=question.id,
            suite=question.suite,
            area=question.area,
            sample=0,
            attempt=attempt,
            right=right,
            graded_at=0.0,
            reason=reason,
            output_tokens=tokens,
            input_tokens=input_tokens,
            identity=identity,
            host=host,
            reasoning_in_content=reasoning_in_content,
        )

    if isinstance(mark, Reason):
        return (grade(1, None, mark),)
    wrong = tuple(grade(attempt, False) for attempt in range(1, mark + 1))
    return wrong if mark >= tries else (*wrong, grade(mark + 1, True))


@dataclass
class Life:
    """What the store would remember, and the judge's word on each check."""

    questions: tuple[Question, ...] = field(default_factory=lambda: make_questions({"reasoning": 13, "instruction": 10, "japanese": 11}))
    decision: Decision = field(default_factory=Decision)
    evidence: Evidence = Evidence.WEAK
    page_signals: tuple[Signal, ...] = (Signal.ACCURACY,)
    protocol: str = "protocol-1"
    now: float = START
    checks: list[Check] = field(default_factory=list)
    events: list[BaselineEvent] = field(default_factory=list)
    runs: dict[int, Run] = field(default_factory=dict)
    marks: Callable[[Question, int], int | Reason] = lambda question, run_id: 0
    tokens: Callable[[Question, int], int] = lambda question, run_id: 100
    input_tokens: Callable[[Question, int], int] = lambda question, run_id: 50
    identity: Callable[[Question], str | None] = lambda question: "model-1"
    host: Callable[[Question], str | None] = lambda question: None
    reasons_aloud: Callable[[Question], bool] = lambda question: False

    @property
    def subject(self) -> Subject:
        return Subject("bot", self.protocol, self.questions, self.decision, self.evidence, self.page_signals)

    @property
    def history(self) -> History:
        members = {run_id for event in self.events for run_id in event.run_ids}
        return History(
            checks=tuple(self.checks),
            events=tuple(self.events),
            baseline_runs=tuple(run for run_id, run in self.runs.items() if run_id in members),
            previous=self.last,
        )

    @property
    def last(self) -> Verdict | None:
        return self.checks[-1].verdict if self.checks else None

    def lose(self, *question_ids: str) -> None:
        """From now on these are never right, all others always."""
        self.marks = lambda question, run_id: self.decision.tries if question.id in question_ids else 0

    def run(self, number: int, *, failed: Reason | None = None) -> Run:
        run_id = len(self.runs) + 1
        grades = tuple(
            grade
            for question in self.questions
            for grade in make_grades(
                question,
                self.marks(question, run_id),
                self.decision.tries,
                tokens=self.tokens(question, run_id),
                input_tokens=self.input_tokens(question, run_id),
                identity=self.identity(question),
                host=self.host(question),
                reasoning_in_content=self.reasons_aloud(question),
            )
        )
        run = Run(
            id=run_id,
            check_id=len(self.checks) + 1,
            target="bot",
            number=number,
            protocol=self.protocol,
            started_at=self.now,
            deadline_at=self.now + 600,
            state=RunState.FAILED if failed else RunState.MEASURED,
            reason=failed,
            message="" if failed is None else f"the provider says {failed}",
            grades=() if failed else grades,
        )
        self.runs[run_id] = run
        return run

    def check(
        self,
        *,
        after: float = DAY,
        failed: Reason | None = None,
        second_possible: bool = True,
        kind: CheckKind = CheckKind.SCHEDULED,
    ) -> Verdict:
        """One more check, `after` seconds later; returns its verdict."""
        self.now += after
        runs = [self.run(1, failed=failed)]
        if second_possible and failed is None and needs_second_run(self.subject, self.history, runs[0]):
            runs.append(replace(self.run(2), started_at=self.now + 3600))
        check = Check(
            id=len(self.checks) + 1,
            target="bot",
            kind=kind,
            due_at=self.now,
            claimed_at=self.now,
            state=CheckState.CLOSED,
            runs=tuple(runs),
        )
        judgement = judge(self.subject, self.history, check, self.now + 7200)
        self.checks.append(replace(check, closed_at=self.now + 7200, verdict=judgement.verdict))
        for freeze in judgement.freezes:
            self.decide(EventKind.FREEZE, run_ids=freeze.run_ids, question_keys=freeze.question_keys)
        return judgement.verdict

    def live(self, days: int) -> Verdict:
        """Check once a day for some days; returns the last verdict."""
        for _ in range(days):
            verdict = self.check()
        return verdict

    def decide(self, kind: EventKind, **fields: object) -> None:
        """What a person (or the freeze) decided just now."""
        event = BaselineEvent(id=len(self.events) + 1, target="bot", kind=kind, happened_at=self.now + 7300, protocol=self.protocol)
        self.events.append(replace(event, **fields))  # type: ignore[arg-type]  # fields of BaselineEvent by name

    def shown(self) -> Verdict | None:
        """What is published now."""
        return refresh(self.subject, self.history)
