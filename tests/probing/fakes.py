"""Fakes for the runner: a provider that follows a script, and a ledger that keeps caps and counts what is wrong with its use."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from exporter.errors import BudgetExceededError
from exporter.records import Answer, Charge, Evidence, Grade, Identity, Question, Reason, Request, Ruling, Usage
from exporter.store import Cap


def right(**changes: object) -> Answer:
    return answer("right", **changes)


def wrong(**changes: object) -> Answer:
    return answer("wrong", **changes)


def answer(text: str, **changes: object) -> Answer:
    usual = {
        "usage": Usage(20, 10),
        "charge": Charge.REPORTED,
        "identity": Identity(served_model="m-1", fingerprint="fp-1"),
        "latency_seconds": 0.5,
    }
    return Answer(text=text, **{**usual, **changes})  # type: ignore[arg-type]  # the fields of an Answer, by name


def failed(reason: Reason, message: str = "", **changes: object) -> Answer:
    return Answer(reason=reason, message=message or f"it said {reason}", **{"charge": Charge.NOTHING, **changes})  # type: ignore[arg-type]  # as above


def grade_by_text(question: Question, answered: Answer) -> Ruling:
    return Ruling(right=answered.text == "right", answer_hash=f"hash of {answered.text}")


@dataclass
class FakeProvider:
    """Answers each prompt with its script's answers in order, the last one again and again; what has no script is right.

    `turns` is how often the loop turns before an answer, a number or a function of prompt and request number. An exception in
    a script is raised.
    """

    script: Mapping[str, Sequence[Answer | Exception]] = field(default_factory=dict)
    turns: int | Callable[[str, int], int] = 3
    before_answer: Callable[[str], object] | None = None
    ledger: FakeLedger | None = None
    asked: list[Request] = field(default_factory=list)
    under_way: int = 0
    most_under_way: int = 0
    evidence: Evidence = Evidence.WEAK
    host: str = "localhost"

    @property
    def prompts(self) -> list[str]:
        return [request.prompt for request in self.asked]

    async def ask(self, request: Request) -> Answer:
        if self.ledger is not None:
            assert self.ledger.is_reserved(request.prompt), "sent without a reservation"
        number = self.prompts.count(request.prompt)
        self.asked.append(request)
        self.under_way += 1
        self.most_under_way = max(self.most_under_way, self.under_way)
        try:
            for _ in range(self.turns if isinstance(self.turns, int) else self.turns(request.prompt, number)):
                await asyncio.sleep(0)
        finally:
            self.under_way -= 1
        if self.before_answer is not None:
            self.before_answer(request.prompt)
        answers = self.script.get(request.prompt, [right()])
        said = answers[min(number, len(answers) - 1)]
        if isinstance(said, Exception):
            raise said
        return said

    async def aclose(self) -> None: ...


@dataclass
class Reservation:
    question_key: str
    sample: int
    attempt: int
    tokens: int
    usd: float | None


@dataclass
class FakeLedger:
    """Keeps what it is told, `turns` turns of the loop before and after each entry. Money is whole nano-dollars, as in the store."""

    turns: int = 1
    spent_tokens: int = 0
    spent_nanos: int = 0
    estimated_tokens: int = 0
    most_tokens: int = 0
    most_nanos: int = 0
    open: dict[int, Reservation] = field(default_factory=dict)
    settled: list[int] = field(default_factory=list)
    taken_back: list[int] = field(default_factory=list)
    answers: list[Answer] = field(default_factory=list)
    grades: list[Grade] = field(default_factory=list)
    identities: list[str | None] = field(default_factory=list)
    refusals: int = 0
    failure: Exception | None = None
    fails_for: str | None = None

    def is_reserved(self, prompt: str) -> bool:
        return any(reservation.question_key == f"key of {prompt}" for reservation in self.open.values())

    async def reserve(
        self, run_id: int, question_key: str, sample: int, attempt: int, tokens: int, usd: float | None, now: float, caps: Sequence[Cap]
    ) -> int:
        await self._turn()
        reserved = sum(reservation.tokens for reservation in self.open.values())
        reserved_nanos = sum(_nanos(reservation.usd) for reservation in self.open.values())
        for cap in caps:
            if cap.limit_tokens is not None:
                self._require_room(cap, "tokens", cap.limit_tokens, self.spent_tokens, reserved, tokens)
            if cap.limit_usd is not None:
                self._require_room(cap, "usd", _nanos(cap.limit_usd), self.spent_nanos, reserved_nanos, _nanos(usd))
        number = max((0, *self.open, *self.settled, *self.taken_back)) + 1
        self.open[number] = Reservation(question_key, sample, attempt, tokens, usd)
        self._note_most()
        await self._turn()
        return number

    async def settle(
        self,
        reservation_id: int,
        *,
        answer: Answer,
        usd: float | None,
        tokens: int,
        estimated: bool,
        identity: str | None,
        grade: Grade | None,
        now: float,
        question_id: str | None = None,
    ) -> bool:
        await self._turn()
        if self.failure is not None and self.fails_for in (None, question_id):
            raise self.failure
        assert reservation_id in self.open, "settled twice, or never reserved"
        reservation = self.open.pop(reservation_id)
        if grade is not None:
            taken = (grade.question_key, grade.sample, grade.attempt)
            assert taken == (reservation.question_key, reservation.sample, reservation.attempt)
            assert taken not in {(kept.question_key, kept.sample, kept.attempt) for kept in self.grades}, "graded twice"
            self.grades.append(grade)
        self.settled.append(reservation_id)
        self.answers.append(answer)
        self.identities.append(identity)
        self.spent_tokens += tokens
        self.spent_nanos += _nanos(usd)
        self.estimated_tokens += tokens if estimated else 0
        self._note_most()
        await self._turn()
        return True

    async def take_back(self, reservation_id: int) -> bool:
        await self._turn()
        del self.open[reservation_id]
        self.taken_back.append(reservation_id)
        await self._turn()
        return True

    def _note_most(self) -> None:
        held = self.open.values()
        self.most_tokens = max(self.most_tokens, self.spent_tokens + sum(reservation.tokens for reservation in held))
        self.most_nanos = max(self.most_nanos, self.spent_nanos + sum(_nanos(reservation.usd) for reservation in held))

    def _require_room(self, cap: Cap, unit: str, limit: int, spent: int, reserved: int, wanted: int) -> None:
        if spent + reserved + wanted <= limit:
            return
        self.refusals += 1
        scale = 1 if unit == "tokens" else 1e9
        raise BudgetExceededError(
            scope=cap.scope,
            period=cap.period,
            unit=unit,
            limit=limit / scale,
            spent=(spent + reserved) / scale,
            wanted=wanted / scale,
            may_pass=spent + wanted <= limit,
        )

    async def _turn(self) -> None:
        for _ in range(self.turns):
            await asyncio.sleep(0)


def _nanos(usd: float | None) -> int:
    return round((usd or 0.0) * 1e9)
