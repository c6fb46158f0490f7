"""Facts to put into a store."""

from __future__ import annotations

from typing import Any

from exporter.records import (
    Answer,
    BaselineState,
    Charge,
    CheckKind,
    Grade,
    Identity,
    Reason,
    Run,
    RunState,
    Signal,
    SignalState,
    SpendPeriod,
    Usage,
    Verdict,
    VerdictKind,
)
from exporter.store import Cap, Store

NOW = 1_800_000_000.0  # 2027-01-15 08:00:00 UTC
DAY_SECONDS = 86_400.0

NO_CAP: tuple[Cap, ...] = ()


def a_cap(period: str, usd: float | None = None, tokens: int | None = None, scope: str | None = "bot") -> Cap:
    return Cap(scope, SpendPeriod(period), limit_usd=usd, limit_tokens=tokens)


def an_answer(**changes: Any) -> Answer:
    usage = Usage(input_tokens=100, output_tokens=40, reasoning_tokens=30)
    fields = {"usage": usage, "charge": Charge.REPORTED, "identity": Identity("gpt-5.5-2027", fingerprint="fp_1")}
    return Answer(**{**fields, **changes})


def a_failed_answer(reason: Reason, message: str = "") -> Answer:
    return Answer(charge=Charge.NOTHING, reason=reason, message=message)


def a_grade(question: str = "q1", **changes: Any) -> Grade:
    fields: dict[str, Any] = {
        "question_key": f"key-{question}",
        "question_id": question,
        "suite": "core",
        "area": "reasoning",
        "sample": 0,
        "attempt": 1,
        "right": True,
        "graded_at": NOW,
        "input_tokens": 100,
        "output_tokens": 40,
        "identity": "gpt-5.5-2027",
        "fingerprint": "fp_1",
        "answer_hash": "2f1c",
        "latency_seconds": 1.25,
    }
    return Grade(**{**fields, **changes})


def a_verdict(kind: VerdictKind = VerdictKind.STABLE, **changes: Any) -> Verdict:
    fields: dict[str, Any] = {
        "target": "bot",
        "check_id": 1,
        "decided_at": NOW,
        "kind": kind,
        "standing": kind,
        "protocol": "p1",
        "runs": 1,
        "questions_asked": 2,
        "signals": tuple(SignalState(signal) for signal in Signal),
        "baseline": BaselineState(runs=5, runs_required=5, frozen=False, run_ids=(1, 2, 3, 4, 5)),
    }
    return Verdict(**{**fields, **changes})


def start_run(store: Store, target: str = "bot", due_at: float = NOW) -> Run:
    """A check claimed at its due time, and its first run."""
    check = store.claim_check(target, CheckKind.SCHEDULED, due_at, due_at)
    assert check is not None
    return store.open_run(check.id, 1, "p1", due_at, due_at + 600)


def reserve(store: Store, run: Run, tokens: int = 1000, usd: float | None = 0.10, caps: tuple[Cap, ...] = NO_CAP, now: float = NOW) -> int:
    return store.reserve(run.id, "key-q1", 0, 1, tokens, usd, now, caps)


def settle(store: Store, reservation: int, **changes: Any) -> bool:
    fields: dict[str, Any] = {
        "answer": an_answer(),
        "usd": 0.04,
        "tokens": 140,
        "estimated": False,
        "identity": "gpt-5.5-2027",
        "grade": None,
        "now": NOW,
    }
    return store.settle(reservation, **{**fields, **changes})


def finish_check(store: Store, run: Run, kind: VerdictKind = VerdictKind.STABLE, now: float = NOW, **changes: Any) -> Verdict:
    """The run measured, its check closed with a verdict of this kind."""
    store.close_run(run.id, RunState.MEASURED, None, "", now)
    verdict = a_verdict(kind, target=run.target, check_id=run.check_id, decided_at=now, **changes)
    assert store.close_check(run.check_id, verdict, now)
    return verdict


def do_check(store: Store, target: str = "bot", due_at: float = NOW, kind: VerdictKind = VerdictKind.STABLE, **changes: Any) -> Verdict:
    """A whole check of two questions."""
    run = start_run(store, target, due_at)
    for question in ("q1", "q2"):
        reservation = store.reserve(run.id, f"key-{question}", 0, 1, 1000, 0.10, due_at, NO_CAP)
        settle(store, reservation, grade=a_grade(question, graded_at=due_at), now=due_at)
    return finish_check(store, run, kind, due_at + 60, **changes)
