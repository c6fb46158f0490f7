"""Records as the JSON that the API hands out. Times are Unix seconds; null is not known. docs/api.md tells of every field."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from exporter.records import Check, Grade, Run, Snapshot, Spend, Verdict
from exporter.reports import as_dict, as_row, describe
from exporter.store.nouns import Booked, BookedDay, RecordedError, Spent, Standing
from exporter.store.units import day_text
from exporter.web.links import Links
from exporter.web.overview import standing

Document = dict[str, Any]


def target_document(snapshot: Snapshot, links: Links) -> Document:
    """A target as it is listed."""
    progress = snapshot.progress
    return {
        "target": snapshot.target,
        "provider": snapshot.provider,
        "api": snapshot.api,
        "model": snapshot.model,
        "suites": snapshot.suites,
        "protocol": snapshot.protocol,
        "identity_evidence": snapshot.evidence,
        "labels": dict(snapshot.labels),
        "page": links.target(snapshot.target),
        "link": links.target_api(snapshot.target),
        "standing": standing(snapshot),
        "verdict": None if snapshot.verdict is None else verdict_line(snapshot.verdict),
        "verdict_changed_at": snapshot.verdict_changed_at,
        "last_check_at": progress.last_check_at,
        "last_success_at": progress.last_success_at,
        "next_check_at": progress.next_check_at,
        "check_in_progress": progress.in_progress,
        "confirmation_pending": progress.confirmation_pending,
    }


def whole_target(snapshot: Snapshot, links: Links) -> Document:
    """The same with all that is known of it, the verdict with every figure that it rests on."""
    name, progress = snapshot.target, snapshot.progress
    return target_document(snapshot, links) | {
        "verdict": None if snapshot.verdict is None else as_dict(snapshot.verdict),
        "confirm_at": progress.confirm_at,
        "last_duration_seconds": progress.last_duration_seconds,
        "areas": snapshot.areas,
        "question_ids": snapshot.question_ids,
        "runs_required": snapshot.runs_required,
        "served": [
            {
                "identity": model.identity,
                "fingerprint": model.fingerprint,
                "share_ratio": model.share_ratio,
                "in_baseline": model.in_baseline,
            }
            for model in snapshot.served
        ],
        "served_changed_at": snapshot.served_changed_at,
        "price_known": snapshot.price_known,
        "check_estimate_usd": snapshot.check_estimate_usd,
        "spend": spend_documents(snapshot.spend),
        "counters": asdict(snapshot.counters),
        "read_at": snapshot.read_at,
        "links": {below: links.target_api(name, below) for below in ("checks", "verdicts", "errors", "spend")},
    }


def verdict_line(verdict: Verdict) -> Document:
    """What a verdict says, and its figures over the whole set."""
    report = describe(verdict)
    states = {
        "confirmed": [state.signal for state in verdict.signals if state.confirmed],
        "conclusive": [state.signal for state in verdict.signals if state.conclusive],
    }
    row = {name: cell for name, cell in as_row(verdict).items() if name not in ("target", "check_id")}
    return {"headline": report.headline, "next_step": report.next_step, **row, **states}


def check_document(check: Check, spent: Spent | None, links: Links) -> Document:
    """A check as it is listed."""
    return {
        "id": check.id,
        "kind": check.kind,
        "state": check.state,
        "due_at": check.due_at,
        "claimed_at": check.claimed_at,
        "confirm_at": check.confirm_at,
        "closed_at": check.closed_at,
        "runs": [_run(run) for run in check.runs],
        "spend": None if spent is None else _spent(spent),
        "verdict": None if check.verdict is None else verdict_line(check.verdict),
        "link": links.target_api(check.target, "checks", str(check.id)),
    }


def whole_check(check: Check, spent: Spent | None, links: Links) -> Document:
    """The same with the whole verdict and every grade. Nothing that a model or a question says is in it."""
    return check_document(check, spent, links) | {
        "runs": [
            _run(run) | {"grades_pruned_at": run.grades_pruned_at, "counts": _counts(run.grades), "grades": _grades(run)}
            for run in check.runs
        ],
        "verdict": None if check.verdict is None else as_dict(check.verdict),
    }


def standing_document(stood: Standing, target: str, links: Links) -> Document:
    """A verdict that stood for a while."""
    return {
        "standing": stood.kind,
        "since_at": stood.since_at,
        "until_at": stood.until_at,
        "check_id": stood.check_id,
        "link": links.target_api(target, "checks", str(stood.check_id)),
    }


def error_document(error: RecordedError) -> Document:
    """Something that could not be measured."""
    return {"happened_at": error.happened_at, "reason": error.reason, "message": error.message, "question_id": error.question_id}


def spend_documents(spends: Sequence[Spend]) -> list[Document]:
    """Periods with their caps, and what these leave."""
    return [
        {
            **asdict(spend),
            "remaining_usd": _left(spend.limit_usd, spend.spent_usd),
            "remaining_tokens": _left(spend.limit_tokens, spend.spent_tokens),
        }
        for spend in spends
    ]


def period_document(spent: Spent, caps: Spend | None) -> Document:
    """What is spent of a period at this moment, and what its caps leave."""
    limit_usd, limit_tokens = (None, None) if caps is None else (caps.limit_usd, caps.limit_tokens)
    return {
        "period": spent.period,
        "spent_usd": spent.usd,
        "spent_tokens": spent.tokens,
        "reserved_usd": spent.reserved_usd,
        "reserved_tokens": spent.reserved_tokens,
        "estimated_usd": spent.estimated_usd,
        "requests": spent.requests,
        "limit_usd": limit_usd,
        "limit_tokens": limit_tokens,
        "remaining_usd": _left(limit_usd, spent.usd),
        "remaining_tokens": _left(limit_tokens, spent.tokens),
    }


def booked_document(booked: Booked) -> Document:
    """What was booked."""
    return {"usd": booked.usd, "estimated_usd": booked.estimated_usd, "tokens": booked.tokens, "requests": booked.requests}


def day_document(day: BookedDay) -> Document:
    """What was booked on a day, UTC."""
    return {"day": day_text(day.day), **booked_document(day.booked)}


def _left(limit: float | None, spent: float | None) -> float | None:
    return None if limit is None or spent is None else max(0, limit - spent)


def _spent(spent: Spent) -> Document:
    return {"usd": spent.usd, "estimated_usd": spent.estimated_usd, "tokens": spent.tokens, "requests": spent.requests}


def _run(run: Run) -> Document:
    return {
        "id": run.id,
        "number": run.number,
        "protocol": run.protocol,
        "state": run.state,
        "started_at": run.started_at,
        "deadline_at": run.deadline_at,
        "ended_at": run.ended_at,
        "reason": run.reason,
        "message": run.message,
    }


def _counts(grades: Sequence[Grade]) -> Document:
    first = [grade for grade in grades if grade.attempt == 1]
    return {
        "tries": len(grades),
        "right": sum(grade.right is True for grade in grades),
        "wrong": sum(grade.right is False for grade in grades),
        "unusable": sum(grade.right is None for grade in grades),
        "first_tries": len(first),
        "right_at_first_try": sum(grade.right is True for grade in first),
        "reasons": dict(sorted(Counter(grade.reason for grade in grades if grade.reason is not None).items())),
        "input_tokens": sum(grade.input_tokens or 0 for grade in grades),
        "output_tokens": sum(grade.output_tokens or 0 for grade in grades),
    }


def _grades(run: Run) -> list[Document]:
    return [
        {
            "question_id": grade.question_id,
            "suite": grade.suite,
            "area": grade.area,
            "sample": grade.sample,
            "attempt": grade.attempt,
            "right": grade.right,
            "reason": grade.reason,
            "graded_at": grade.graded_at,
            "input_tokens": grade.input_tokens,
            "output_tokens": grade.output_tokens,
            "latency_seconds": grade.latency_seconds,
            "identity": grade.identity,
        }
        for grade in run.grades
    ]
