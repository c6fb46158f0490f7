"""Which series of the past are worth their room: those that dashboards, alerts and queries use, unless all are asked for."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from exporter.metrics.catalogue import FAMILIES
from exporter.metrics.family import PREFIX, Origin
from exporter.metrics.samples import Sheet
from exporter.records import INFORMING, OVERALL, Snapshot, SpendPeriod, TestName, VerdictKind

Wanted = Mapping[str, Mapping[str, Collection[str]]]
"""Families by their names without prefix, each with the values that some of its labels may have."""

_WHOLE_SET = {"area": (OVERALL,)}
_DECIDING = {"test": tuple(test for test in TestName if test not in INFORMING)}
_MONTH = {"period": (SpendPeriod.MONTH,)}

USUAL: Wanted = {
    "target_info": {},
    "verdict": {},
    "verdict_changed_timestamp_seconds": {},
    "confirmed": {},
    "conclusive": {},
    "confirmation_pending": {},
    "failed_checks": {},
    "accuracy_ratio": {},
    "baseline_accuracy_ratio": {},
    "accuracy_change_ratio": _WHOLE_SET,
    "p_value": {**_WHOLE_SET, **_DECIDING},
    "significance_threshold": _DECIDING,
    "token_shift_ratio": {},
    "input_token_shift_ratio": {},
    "questions_flipped": {},
    "served_model_info": {},
    "served_ratio": {},
    "served_model_changed_timestamp_seconds": {},
    "measurement_errors_total": {},
    "unusable_answers_ratio": {},
    "checks_total": {},
    "input_tokens_total": {},
    "output_tokens_total": {},
    "spend_usd_total": {},
    "budget_limit_usd": _MONTH,
    "budget_spent_usd": _MONTH,
    "baseline_runs": {},
    "baseline_runs_required": {},
    "baseline_frozen": {},
    "last_check_timestamp_seconds": {},
    "next_check_timestamp_seconds": {},
    "last_check_duration_seconds": {},
}
"""What is exported unless all is asked for."""

NOT_KEPT = frozenset({family.name for family in FAMILIES if family.origin is Origin.PROCESS} | {PREFIX + "reasoning_tokens_total"})
"""Families, with prefix, whose past the store does not tell."""


def choose_usual(present: Snapshot) -> Wanted:
    """The usual series of a target, without the verdicts and reasons that it never had: they would be 0 throughout."""
    had = {*present.counters.checks, VerdictKind.COLLECTING}
    if present.verdict is not None:
        had.add(present.verdict.standing)
    return {
        **USUAL,
        "verdict": {"verdict": had},
        "checks_total": {"result": had},
        "measurement_errors_total": {"reason": set(present.counters.measurement_errors)},
    }


def keep_wanted(sheet: Sheet, wanted: Wanted | None) -> None:
    """Take from a sheet all samples that are not wanted (None: all are), or whose past nobody knows."""
    for name in list(sheet.metrics):
        limits = {} if wanted is None else wanted.get(name.removeprefix(PREFIX))
        if limits is None or name in NOT_KEPT:
            del sheet.metrics[name]
        elif limits:
            metric = sheet.metrics[name]
            metric.samples = [
                sample for sample in metric.samples if all(sample.labels[label] in values for label, values in limits.items())
            ]
