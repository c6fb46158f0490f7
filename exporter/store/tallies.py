"""Counters that never go back, each raised in the transaction of the fact that it counts."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from sqlalchemy import Connection, bindparam, func, select

from exporter.records import Counters, Reason, VerdictKind
from exporter.store.pending import Pending
from exporter.store.statements import Statement
from exporter.store.tables import counters
from exporter.store.units import to_usd


class Family(StrEnum):
    """What is counted. Those with a label count by it, the others under ""."""

    REQUESTS = "requests"
    REQUEST_FAILURES = "request_failures"
    INPUT_TOKENS = "input_tokens"
    OUTPUT_TOKENS = "output_tokens"
    REASONING_TOKENS = "reasoning_tokens"
    SPEND_USD_NANOS = "spend_usd_nanos"
    SPEND_ESTIMATED_USD_NANOS = "spend_estimated_usd_nanos"
    MEASUREMENT_ERRORS = "measurement_errors"
    CHECKS = "checks"


_OF_TARGET = Statement(select(counters.c.family, counters.c.label, counters.c.value).where(counters.c.target == bindparam("target")))


def count(pending: Pending, target: str, amounts: Mapping[tuple[Family, str], int]) -> None:
    """Raise the counters of `target` by `amounts`, keyed by family and label, at the end of the transaction."""
    for (family, label), amount in amounts.items():
        if amount > 0:
            pending.add(counters, (target, family.value, label), (amount,))


def count_checks(connection: Connection) -> dict[str, int]:
    """Closed checks by target, of the verdicts that this version knows."""
    of_checks = counters.c.family == Family.CHECKS, counters.c.label.in_([kind.value for kind in VerdictKind])
    rows = connection.execute(select(counters.c.target, func.sum(counters.c.value)).where(*of_checks).group_by(counters.c.target)).all()
    return {target: int(value) for target, value in rows}


def read_counters(connection: Connection, target: str) -> Counters:
    """All counters of `target`. Labels that this version does not know are passed over."""
    values = {(family, label): value for family, label, value in _OF_TARGET.run(connection, {"target": target})}

    def total(family: Family) -> int:
        return int(values.get((family, ""), 0))

    return Counters(
        measurement_errors={reason: n for reason in Reason if (n := values.get((Family.MEASUREMENT_ERRORS, reason)))},
        checks={kind: n for kind in VerdictKind if (n := values.get((Family.CHECKS, kind)))},
        requests=total(Family.REQUESTS),
        request_failures={reason: n for reason in Reason if (n := values.get((Family.REQUEST_FAILURES, reason)))},
        input_tokens=total(Family.INPUT_TOKENS),
        output_tokens=total(Family.OUTPUT_TOKENS),
        reasoning_tokens=total(Family.REASONING_TOKENS),
        spend_usd=to_usd(total(Family.SPEND_USD_NANOS)),
        spend_estimated_usd=to_usd(total(Family.SPEND_ESTIMATED_USD_NANOS)),
    )
