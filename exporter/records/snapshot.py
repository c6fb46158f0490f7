"""What /metrics, the page and `status` show of one target: the last verdict, counters, spend and the schedule."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from exporter.records.reason import Reason
from exporter.records.request import Evidence
from exporter.records.verdict import ServedModel, Verdict, VerdictKind


class SpendPeriod(StrEnum):
    """The periods a cap can be set for. Days and months are UTC."""

    CHECK = "check"
    DAY = "day"
    MONTH = "month"


@dataclass(frozen=True, slots=True)
class Spend:
    """Spend of one period and its caps; a cap of None is no cap, a spend_usd of None is a price not known."""

    period: SpendPeriod
    spent_usd: float | None
    spent_tokens: int
    limit_usd: float | None
    limit_tokens: int | None


@dataclass(frozen=True, slots=True)
class Counters:
    """Totals since the store began. They never go back."""

    measurement_errors: Mapping[Reason, int] = field(default_factory=dict)
    checks: Mapping[VerdictKind, int] = field(default_factory=dict)
    requests: int = 0
    request_failures: Mapping[Reason, int] = field(default_factory=dict)
    input_tokens: int = 0
    output_tokens: int = 0
    reasoning_tokens: int = 0
    spend_usd: float = 0.0
    spend_estimated_usd: float = 0.0


@dataclass(frozen=True, slots=True)
class CheckProgress:
    """Times of the last and the next check. `next_check_at` stays at a missed due time until that check runs."""

    last_check_at: float | None = None
    last_success_at: float | None = None
    last_duration_seconds: float | None = None
    next_check_at: float | None = None
    in_progress: bool = False
    confirmation_pending: bool = False
    confirm_at: float | None = None


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One target as it is shown. `verdict` is the last one stored, None before the first check has ended."""

    target: str
    provider: str
    api: str
    model: str
    suites: tuple[str, ...]
    protocol: str
    evidence: Evidence
    labels: Mapping[str, str]
    runs_required: int
    areas: tuple[str, ...]
    question_ids: tuple[str, ...]
    price_known: bool
    read_at: float
    verdict: Verdict | None = None
    verdict_changed_at: float | None = None
    served: tuple[ServedModel, ...] = ()
    served_changed_at: float | None = None
    counters: Counters = Counters()
    spend: tuple[Spend, ...] = ()
    check_estimate_usd: float | None = None
    progress: CheckProgress = CheckProgress()
