"""The life of a check: claimed once for its due time, its runs opened and closed, its verdict said once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from sqlalchemy import Connection, bindparam, insert, select, update

from exporter.errors import Problem, StoreError
from exporter.records import BaselineEvent, Check, CheckKind, CheckState, Reason, Run, RunState, Verdict
from exporter.store.codec import encode_verdict
from exporter.store.events import add_event
from exporter.store.ledger import book_orphans
from exporter.store.pending import pending_of
from exporter.store.sightings import note_error
from exporter.store.statements import Statement
from exporter.store.tables import SUMS, checks, runs, verdicts
from exporter.store.tallies import Family, count
from exporter.store.units import safe_text
from exporter.store.upserts import insert_new

# Whoever changes a check or a run waits for whoever changes it; what refers to it may be written meanwhile.
_CHECK = Statement(select(checks.c.target, checks.c.closed_at).where(checks.c.id == bindparam("check_id")).with_for_update(key_share=True))
_RUN = Statement(select(runs.c.target, runs.c.state).where(runs.c.id == bindparam("run_id")).with_for_update(key_share=True))
_OPEN_RUN = Statement(select(runs.c.id).where(runs.c.check_id == bindparam("check_id"), runs.c.state == RunState.OPEN.value).limit(1))

_THIS_CHECK = update(checks).where(checks.c.id == bindparam("check_id"))
_GO_ON = Statement(_THIS_CHECK, ("state",))
_WAIT = Statement(_THIS_CHECK, ("state", "confirm_at"))
_CLOSE = Statement(_THIS_CHECK, ("state", "closed_at"))
_END_RUN = Statement(update(runs).where(runs.c.id == bindparam("run_id")), ("state", "ended_at", "reason", "message"))
_SAY = Statement(insert(verdicts), ("check_id", "target", "decided_at", "kind", "standing", "record"))


def claim_check(connection: Connection, target: str, kind: CheckKind, due_at: float, now: float) -> Check | None:
    """Write a new check. None where the target has one for this due time."""
    state, sums = CheckState.RUNNING, dict.fromkeys(SUMS, 0)
    row = {"target": target, "kind": kind.value, "due_at": due_at, "claimed_at": now, "state": state.value, **sums}
    check_id = insert_new(connection, checks, row)
    return None if check_id is None else Check(check_id, target, kind, due_at, now, state)


def open_run(connection: Connection, check_id: int, number: int, protocol: str, now: float, deadline_at: float) -> Run:
    """Write a new run of a check, which runs from now on."""
    target, state = _unclosed(connection, check_id), RunState.OPEN
    row = {
        "check_id": check_id,
        "target": target,
        "number": number,
        "protocol": protocol,
        "started_at": now,
        "deadline_at": deadline_at,
        "state": state.value,
        "message": "",
    }
    run_id = insert_new(connection, runs, row)
    if run_id is None:
        raise StoreError(Problem(f"check {check_id}", f"its run {number} was opened before", "go on with that one"))
    pending_of(connection).targets.add(target)
    _GO_ON.run(connection, {"check_id": check_id, "state": CheckState.RUNNING.value})
    return Run(run_id, check_id, target, number, protocol, now, deadline_at, state)


def refuse_run(
    connection: Connection, check_id: int, number: int, protocol: str, now: float, deadline_at: float, reason: Reason, message: str
) -> Run:
    """Write a run that is over before it begins."""
    run = open_run(connection, check_id, number, protocol, now, deadline_at)
    close_run(connection, run.id, RunState.FAILED, reason, message, now)
    return replace(run, state=RunState.FAILED, reason=reason, message=message, ended_at=now)


def set_confirming(connection: Connection, check_id: int, confirm_at: float) -> None:
    """The check waits for its second run, due at `confirm_at`."""
    pending_of(connection).targets.add(_unclosed(connection, check_id))
    _WAIT.run(connection, {"check_id": check_id, "state": CheckState.CONFIRMING.value, "confirm_at": confirm_at})


def close_run(connection: Connection, run_id: int, state: RunState, reason: Reason | None, message: str, now: float) -> bool:
    """End a run; what was reserved in it and never settled is booked as an estimate. False where it had ended before."""
    found = _RUN.run(connection, {"run_id": run_id})
    if not found:
        raise StoreError(Problem(f"run {run_id}", "is not known", "open a run before it is closed"))
    target, state_before = found[0]
    if state_before != RunState.OPEN:
        return False
    pending_of(connection).targets.add(target)
    book_orphans(connection, now, (run_id,))
    ended = {"state": state.value, "ended_at": now, "reason": None if reason is None else reason.value, "message": safe_text(message)}
    _END_RUN.run(connection, {"run_id": run_id, **ended})
    if state is RunState.FAILED and reason is not None:
        note_error(connection, target, reason, message, None, now)
    return True


def close_check(connection: Connection, check_id: int, verdict: Verdict, now: float, freezes: Sequence[BaselineEvent]) -> bool:
    """Keep a check's verdict, and the memberships reached with it. False where it has one: that one stands."""
    target, closed_at = _find(connection, check_id)
    if closed_at is not None:
        return False
    if _OPEN_RUN.run(connection, {"check_id": check_id}):
        raise StoreError(Problem(f"check {check_id}", "a run of it is still open", "close the run first"))
    said = {
        "check_id": check_id,
        "target": target,
        "decided_at": verdict.decided_at,
        "kind": verdict.kind.value,
        "standing": verdict.standing.value,
        "record": encode_verdict(verdict),
    }
    pending_of(connection).targets.add(target)
    _SAY.run(connection, said)
    _CLOSE.run(connection, {"check_id": check_id, "state": CheckState.CLOSED.value, "closed_at": now})
    amounts = Counter({(Family.CHECKS, verdict.kind.value): 1})
    amounts.update({(Family.MEASUREMENT_ERRORS, reason.value): n for reason, n in verdict.measurement_errors})
    count(pending_of(connection), target, amounts)
    for freeze in freezes:
        add_event(connection, freeze)
    return True


def _find(connection: Connection, check_id: int) -> tuple[str, float | None]:
    """The target of a check, and when it was closed."""
    found = _CHECK.run(connection, {"check_id": check_id})
    if not found:
        raise StoreError(Problem(f"check {check_id}", "is not known", "claim a check before it is run"))
    target, closed_at = found[0]
    return target, closed_at


def _unclosed(connection: Connection, check_id: int) -> str:
    target, closed_at = _find(connection, check_id)
    if closed_at is not None:
        raise StoreError(Problem(f"check {check_id}", "is closed", "claim another one"))
    return target
