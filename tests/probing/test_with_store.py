"""The runner's needs and the store's offers are the same: a run against a real file."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

from exporter.probing.ledger import Ledger
from exporter.probing.runner import run_questions
from exporter.records import Answer, CheckKind, Grade, Reason, RunState, SpendPeriod
from exporter.store import Cap, Store, Writer, open_store
from tests.fakes import FakeClock
from tests.probing.builders import plan
from tests.probing.fakes import FakeProvider, failed, grade_by_text, right, wrong


class StoreLedger:
    def __init__(self, store: Store, writer: Writer) -> None:
        self._store = store
        self._writer = writer

    async def reserve(
        self, run_id: int, question_key: str, sample: int, attempt: int, tokens: int, usd: float | None, now: float, caps: Sequence[Cap]
    ) -> int:
        return await self._writer.call(self._store.reserve, run_id, question_key, sample, attempt, tokens, usd, now, caps)

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
        return await self._writer.call(
            self._store.settle,
            reservation_id,
            answer=answer,
            usd=usd,
            tokens=tokens,
            estimated=estimated,
            identity=identity,
            grade=grade,
            now=now,
            question_id=question_id,
        )


def test_a_run_against_a_store_keeps_every_grade_and_books_every_request(tmp_path: Path) -> None:
    script = {"q1": [wrong(), right()], "q2": [failed(Reason.OVERLOADED, "busy"), right()], "q3": [failed(Reason.REFUSAL, "no")]}
    clock, provider, planned = FakeClock(), FakeProvider(script), plan(6, concurrency=6)
    caps = [Cap("bot", SpendPeriod.CHECK, limit_tokens=planned.costs["key of q1"].worst_tokens + 6 * 30)]
    store = open_store(f"sqlite:///{tmp_path}/history.db")

    async def go() -> None:
        writer = Writer()
        ledger: Ledger = StoreLedger(store, writer)
        check = store.claim_check("bot", CheckKind.MANUAL, clock.now(), clock.now())
        assert check is not None
        run = store.open_run(check.id, 1, "p", clock.now(), clock.now() + 600)
        outcome = await run_questions(planned, provider, ledger, clock, run=run, caps=caps, grade_answer=grade_by_text)
        assert outcome.state is RunState.MEASURED
        stored = store.runs("bot", [run.id])[0].grades
        assert {grade.question_id: grade for grade in stored if grade.attempt == 1} == {
            grade.question_id: grade for grade in outcome.grades if grade.attempt == 1
        }
        assert len(stored) == len(outcome.grades) == 7
        await writer.close()

    try:
        asyncio.run(go())
        spent = store.spend("bot", clock.now())[SpendPeriod.CHECK]
        assert (spent.tokens, spent.reserved_tokens, spent.requests) == (6 * 30, 0, 8)
        assert sorted((error.question_id, error.reason, error.message) for error in store.errors("bot", 10)) == [
            ("q2", Reason.OVERLOADED, "busy"),
            ("q3", Reason.REFUSAL, "no"),
        ]
    finally:
        store.close()
