"""What the page of one target shows of its snapshot and details, put together. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from exporter.records import QuestionCounts, Snapshot, TestName, TestResult, Verdict, VerdictKind
from exporter.reports.advice import ADVICE
from exporter.store.nouns import RecordedError
from exporter.web.state import Details


@dataclass(frozen=True, slots=True)
class ServedRow:
    """An identity that has answered. None is not known: no check has ended, or the last one tells nothing of it."""

    identity: str
    fingerprint: str | None
    in_baseline: bool | None
    share_ratio: float | None
    rerouted: bool = False
    first_seen_at: float | None = None
    last_seen_at: float | None = None


def served_rows(snapshot: Snapshot, details: Details) -> list[ServedRow]:
    """Everybody who answered, those of the last check with their share of it; whom only the verdict names comes last."""
    verdict = snapshot.verdict
    now = {} if verdict is None else {model.identity: model for model in verdict.served}
    known = set() if verdict is None else set(verdict.baseline.identities)
    rows = []
    for seen in details.served:
        model = now.pop(seen.identity, None)
        in_baseline = model.in_baseline if model is not None else seen.identity in known if known else None
        share, rerouted = (None, False) if model is None else (model.share_ratio, model.rerouted)
        rows.append(ServedRow(seen.identity, seen.fingerprint or None, in_baseline, share, rerouted, seen.first_seen_at, seen.last_seen_at))
    rest = [ServedRow(one.identity, one.fingerprint, one.in_baseline, one.share_ratio, one.rerouted) for one in now.values()]
    return rows + rest


def advices(errors: Iterable[RecordedError]) -> list[tuple[str, str]]:
    """Each reason once, with what to do about it."""
    return [(reason.value, ADVICE[reason]) for reason in dict.fromkeys(error.reason for error in errors)]


def kinds_of(verdicts: Iterable[Verdict], order: Sequence[VerdictKind]) -> list[VerdictKind]:
    """The kinds that there are among them, in this order."""
    there = {verdict.kind for verdict in verdicts}
    return [kind for kind in order if kind in there]


def questions_in(verdict: Verdict, area: str) -> QuestionCounts | None:
    """How many questions of an area were tested; None for the whole set, or where nothing is told."""
    return next((counts for counts in verdict.questions if counts.area == area), None)


def accuracy_test(verdict: Verdict, area: str) -> TestResult | None:
    """The accuracy test of an area; None where it was not tested by itself."""
    return next((result for result in verdict.tests if result.test is TestName.ACCURACY and result.area == area), None)


def is_conclusive(snapshot: Snapshot) -> bool:
    """Whether a signal is."""
    return snapshot.verdict is not None and any(state.conclusive for state in snapshot.verdict.signals)
