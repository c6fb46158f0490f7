"""Questions, a target, a plan and a run for tests, each with one line to change what matters."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

from exporter.config import Price, Target
from exporter.probing.limiter import Limiter
from exporter.probing.outcome import RunOutcome
from exporter.probing.plan import Plan, plan_run
from exporter.probing.runner import run_questions
from exporter.records import Extract, Grade, Question, Run, RunState
from exporter.store import Cap
from tests.fakes import FakeClock
from tests.probing.fakes import FakeLedger, FakeProvider, grade_by_text

PRICE = Price(input_usd_per_mtok=1.0, output_usd_per_mtok=10.0)


def question(prompt: str, max_tokens: int = 100, **changes: object) -> Question:
    usual = {
        "key": f"key of {prompt}",
        "id": prompt,
        "suite": "core",
        "area": "reasoning",
        "extract": Extract.FULL,
        "grader": {"kind": "exact", "answers": ["right"]},
        "reference": "right",
        "wrong_reference": None,
    }
    return Question(prompt=prompt, max_tokens=max_tokens, **{**usual, **changes})  # type: ignore[arg-type]  # fields of a Question, by name


def questions(count: int, max_tokens: int = 100) -> list[Question]:
    return [question(f"q{number}", max_tokens) for number in range(1, count + 1)]


def target(**settings: object) -> Target:
    return Target.model_validate({"name": "bot", "api": "openai_chat", "model": "m", "concurrency": 2, **settings})


def plan(count: int | Sequence[Question] = 4, price: Price | None = PRICE, **settings: object) -> Plan:
    return plan_run(target(**settings), questions(count) if isinstance(count, int) else count, price)


def run_of(clock: FakeClock, seconds: float = 600.0) -> Run:
    return Run(
        id=7,
        check_id=3,
        target="bot",
        number=1,
        protocol="p",
        started_at=clock.now(),
        deadline_at=clock.now() + seconds,
        state=RunState.OPEN,
    )


@dataclass
class Scene:
    """All that a run needs, ready to be run once, or again after a restart."""

    plan: Plan
    provider: FakeProvider = field(default_factory=FakeProvider)
    ledger: FakeLedger = field(default_factory=FakeLedger)
    clock: FakeClock = field(default_factory=FakeClock)
    caps: Sequence[Cap] = ()
    seconds: float = 600.0
    grace_seconds: float = 10.0
    progress: list[tuple[int, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.provider.ledger = self.ledger
        self.run = run_of(self.clock, self.seconds)

    async def go(self, done: Sequence[Grade] = (), limiter: Limiter | None = None) -> RunOutcome:
        return await run_questions(
            self.plan,
            self.provider,
            self.ledger,
            self.clock,
            run=self.run,
            caps=self.caps,
            done=done,
            limiter=limiter,
            grade_answer=grade_by_text,
            grace_seconds=self.grace_seconds,
            on_progress=lambda finished, total: self.progress.append((finished, total)),
        )

    def outcome(self, done: Sequence[Grade] = ()) -> RunOutcome:
        return asyncio.run(self.go(done))
