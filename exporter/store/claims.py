"""The life of a check: claimed once for its due time, its runs opened and closed, its verdict said once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Row, select, update

from exporter.errors import Problem, StoreError
from exporter.records import BaselineEvent, CheckKind, CheckState, Reason, RunState, Verdict
from exporter.store.codec import encode_verdict
from exporter.store.events import add_event
from exporter.store.ledger import book_orphans
from exporter.store.pending import pending_of
from exporter.store.sightings import note_error
from exporter.store.tables import SUMS, checks, runs, verdicts
from exporter.store.tallies import Family, count
from exporter.store.units import safe_text
from exporter.store.upserts import insert_new


def claim_check(connection: Connection, target: str, kind: CheckKind, due_at: float, now: float) -> int | None:
    """Write a new check; its id. None where the target has one for this due time."""
    sums = dict.fromkeys(SUMS, 0)
    row = {"target": target, "kind": kind, "due_at": due_at, "claimed_at": now, "state": CheckState.RUNNING, **sums}
    if not insert_new(connection, checks, row):
        return None
    return int(connection.execute(select(checks.c.id).where(checks.c.target == target, checks.c.due_at == due_at)).scalar_one())


def open_run(connection: Connection, check_id: int, number: int, protocol: str, now: float, deadline_at: float) -> int:
    """Write a new run of a check, which runs from now on; its id."""
    check = _unclosed(connection, check_id)
    pending_of(connection).targets.add(check.target)
    row = {
        "check_id": check_id,
        "target": check.target,
        "number": number,
        "protocol": protocol,
        "started_at": now,
        "deadline_at": deadline_at,
        "state": RunState.OPEN,
        "message": "",
    }
    if not insert_new(connection, runs, row):
        raise StoreError(Problem(f"check {check_id}", f"its run {number} was opened before", "go on with that one"))
    connection.execute(update(checks).where(checks.c.id == check_id).values(state=CheckState.RUNNING))
    return int(connection.execute(select(runs.c.id).where(runs.c.check_id == check_id, runs.c.number == number)).scalar_one())


def set_confirming(connection: Connection, check_id: int, confirm_at: float) -> None:
    """The check waits for its second run, due at `confirm_at`."""
    pending_of(connection).targets.add(_unclosed(connection, check_id).target)
    connection.execute(update(checks).where(checks.c.id == check_id).values(state=CheckState.CONFIRMING, confirm_at=confirm_at))


def close_run(connection: Connection, run_id: int, state: RunState, reason: Reason | None, message: str, now: float) -> bool:
    """End a run; what was reserved in it and never settled is booked as an estimate. False where it had ended before."""
    run = connection.execute(select(runs).where(runs.c.id == run_id).with_for_update(key_share=True)).one_or_none()
    if run is None:
        raise StoreError(Problem(f"run {run_id}", "is not known", "open a run before it is closed"))
    if run.state != RunState.OPEN:
        return False
    pending_of(connection).targets.add(run.target)
    book_orphans(connection, now, (run_id,))
    ended = {"state": state, "ended_at": now, "reason": reason, "message": safe_text(message)}
    connection.execute(update(runs).where(runs.c.id == run_id).values(**ended))
    if state is RunState.FAILED and reason is not None:
        note_error(connection, run.target, reason, message, None, now)
    return True


def close_check(connection: Connection, check_id: int, verdict: Verdict, now: float, freezes: Sequence[BaselineEvent]) -> bool:
    """Keep a check's verdict, and the memberships reached with it. False where it has one: that one stands."""
    check = _find(connection, check_id)
    if check.closed_at is not None:
        return False
    if connection.execute(select(runs.c.id).where(runs.c.check_id == check_id, runs.c.state == RunState.OPEN)).first():
        raise StoreError(Problem(f"check {check_id}", "a run of it is still open", "close the run first"))
    pending_of(connection).targets.add(check.target)
    said = {
        "check_id": check_id,
        "target": check.target,
        "decided_at": verdict.decided_at,
        "kind": verdict.kind,
        "standing": verdict.standing,
        "record": encode_verdict(verdict),
    }
    connection.execute(verdicts.insert().values(**said))
    connection.execute(update(checks).where(checks.c.id == check_id).values(state=CheckState.CLOSED, closed_at=now))
    amounts = Counter({(Family.CHECKS, verdict.kind.value): 1})
    amounts.update({(Family.MEASUREMENT_ERRORS, reason.value): n for reason, n in verdict.measurement_errors})
    count(pending_of(connection), check.target, amounts)
    for freeze in freezes:
        add_event(connection, freeze)
    return True


def _find(connection: Connection, check_id: int) -> Row[Any]:
    # Whoever changes a check waits for whoever changes it; what refers to it may be written meanwhile.
    row = connection.execute(select(checks).where(checks.c.id == check_id).with_for_update(key_share=True)).one_or_none()
    if row is None:
        raise StoreError(Problem(f"check {check_id}", "is not known", "claim a check before it is run"))
    return row


def _unclosed(connection: Connection, check_id: int) -> Row[Any]:
    row = _find(connection, check_id)
    if row.closed_at is not None:
        raise StoreError(Problem(f"check {check_id}", "is closed", "claim another one"))
    return row
