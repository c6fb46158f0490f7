"""Money: reserved before a request is sent, settled once with what came of it, booked as an estimate where nothing did.

A reservation and its settlement count for the UTC day of the reservation, so that a day that kept its caps keeps them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Row, Select, bindparam, insert, select, update

from exporter.errors import Problem, StoreError
from exporter.records import Answer, Grade, Reason, RunState, SpendPeriod, Usage
from exporter.store import tables
from exporter.store.books import read_books, require_room
from exporter.store.locks import locking, needs_locks
from exporter.store.nouns import Cap
from exporter.store.pending import pending_of
from exporter.store.rows import write_grade
from exporter.store.sightings import note_error
from exporter.store.tallies import Family, count
from exporter.store.units import day_of, sums_of, to_nanos
from exporter.store.upserts import insert_new

# Every request goes through these: a statement that is made anew each time costs several times what the database takes for it.
_RUN = select(*tables.runs.c["check_id", "target", "state"]).where(tables.runs.c.id == bindparam("run_id")).with_for_update(read=True)
_RUN_ALONE = _RUN.add_columns(locking(tables.runs.c.target))
_RUN_ALONE_OF_ALL = _RUN_ALONE.add_columns(locking(tables.ALL_TARGETS))
_RESERVE = insert(tables.requests).returning(tables.requests.c.id)
_END = update(tables.requests).where(tables.requests.c.id == bindparam("request_id"), tables.requests.c.settled_at.is_(None))
_SETTLE = _END.returning(*tables.requests.c["run_id", "check_id", "target", "day"])


def reserve(
    connection: Connection,
    run_id: int,
    *,
    question_key: str,
    sample: int,
    attempt: int,
    tokens: int,
    usd: float | None,
    now: float,
    caps: Sequence[Cap],
) -> int:
    """Write a reservation that fits under all `caps`; its id. Raises BudgetExceededError, and StoreError where the run has ended."""
    _require_amounts(tokens)
    run = connection.execute(_find_run(connection, caps), {"run_id": run_id}).one_or_none()
    if run is None or run.state != RunState.OPEN:
        raise StoreError(Problem(f"run {run_id}", "is not open", "nothing can be asked in it"))
    pending_of(connection).targets.add(run.target)
    if caps:
        require_room(read_books(connection, run.target, run.check_id, now), caps, tokens, usd)
    row = {
        "run_id": run_id,
        "check_id": run.check_id,
        "target": run.target,
        "question_key": question_key,
        "sample": sample,
        "attempt": attempt,
        "day": day_of(now),
        "reserved_at": now,
        "reserved_tokens": tokens,
        "reserved_usd_nanos": None if usd is None else to_nanos(usd),
        "orphan": False,
    }
    return int(connection.execute(_RESERVE, row).scalar_one())


def settle(
    connection: Connection,
    reservation_id: int,
    *,
    answer: Answer,
    usd: float | None,
    tokens: int,
    estimated: bool,
    identity: str | None,
    grade: Grade | None,
    question_id: str | None,
    now: float,
) -> bool:
    """Book what a request cost and keep its grade. False where it was booked before: then no figure moves.

    The grade of a request that was booked as an orphan is still kept, as long as its run is open: it was paid for.
    """
    usage = answer.usage or Usage(0, 0)
    _require_amounts(tokens, usage.input_tokens, usage.output_tokens, usage.reasoning_tokens)
    nanos = None if usd is None else to_nanos(usd)
    outcome = {"settled_at": now, "tokens": tokens, "usd_nanos": nanos, "estimated": estimated, "reason": answer.reason}
    request = connection.execute(_SETTLE, {"request_id": reservation_id, **outcome}).one_or_none()
    if request is None:
        _keep_late_grade(connection, reservation_id, grade)
        return False
    amounts = {
        (Family.INPUT_TOKENS, ""): usage.input_tokens,
        (Family.OUTPUT_TOKENS, ""): usage.output_tokens,
        (Family.REASONING_TOKENS, ""): usage.reasoning_tokens,
    }
    _book(connection, request, tokens=tokens, nanos=nanos, estimated=estimated, reason=answer.reason, amounts=amounts)
    if identity is not None:
        pending_of(connection).see(request.target, identity, answer.identity.fingerprint, now)
    if grade is not None:
        insert_new(connection, tables.grades, write_grade(request.run_id, grade))
    reason, message = answer.reason, answer.message
    if reason is None and grade is not None:
        reason, message = grade.reason, grade.message
    if reason is not None:
        note_error(connection, request.target, reason, message, grade.question_id if grade else question_id, now)
    return True


def book_orphans(connection: Connection, now: float, run_ids: Collection[int] | None = None) -> int:
    """Book every open reservation (of `run_ids`, or of all) at its reserved amount, as an estimate; how many there were."""
    is_open = tables.requests.c.settled_at.is_(None)
    wanted = is_open if run_ids is None else is_open & tables.requests.c.run_id.in_(list(run_ids))
    in_order = tables.requests.c.run_id, tables.requests.c.id  # of the index of open reservations: in another one SQLite walks through all
    orphans = connection.execute(select(tables.requests).where(wanted).order_by(*in_order).with_for_update()).all()
    for orphan in orphans:
        pending_of(connection).targets.add(orphan.target)
        tokens, nanos = orphan.reserved_tokens, orphan.reserved_usd_nanos
        outcome = {"settled_at": now, "tokens": tokens, "usd_nanos": nanos, "estimated": True, "orphan": True, "reason": Reason.INTERRUPTED}
        connection.execute(_END, {"request_id": orphan.id, **outcome})
        _book(connection, orphan, tokens=tokens, nanos=nanos, estimated=True, reason=Reason.INTERRUPTED, amounts={})
    return len(orphans)


def _book(
    connection: Connection,
    request: Row[Any],
    *,
    tokens: int,
    nanos: int | None,
    estimated: bool,
    reason: Reason | None,
    amounts: Mapping[tuple[Family, str], int],
) -> None:
    """Add one attempt to the totals of its day (its target's and all targets'), of its check, and to the counters."""
    sums = spent, estimated_spent, *_ = sums_of(tokens, nanos, estimated=estimated)
    pending = pending_of(connection)
    pending.add(tables.checks, (request.check_id,), sums)
    for target in (request.target, tables.ALL_TARGETS):
        pending.add(tables.spend_days, (target, request.day), sums)
    counted = {
        **amounts,
        (Family.REQUESTS, ""): 1,
        (Family.SPEND_USD_NANOS, ""): spent,
        (Family.SPEND_ESTIMATED_USD_NANOS, ""): estimated_spent,
    }
    if reason is not None:
        counted[Family.REQUEST_FAILURES, reason.value] = 1
    count(connection, request.target, counted)


def _find_run(connection: Connection, caps: Sequence[Cap]) -> Select[Any]:
    """The query for a run. Where several programs write at once, those that share a cap reserve one after the other."""
    if not caps or not needs_locks(connection):
        return _RUN
    of_all = any(cap.scope is None and cap.period is not SpendPeriod.CHECK for cap in caps)
    return _RUN_ALONE_OF_ALL if of_all else _RUN_ALONE


def _keep_late_grade(connection: Connection, reservation_id: int, grade: Grade | None) -> None:
    """The grade of a request that was booked as an orphan, as long as its run is open. Raises StoreError for a request never reserved."""
    late = select(tables.requests.c.run_id, tables.requests.c.orphan, tables.runs.c.state)
    late = late.join_from(tables.requests, tables.runs, tables.runs.c.id == tables.requests.c.run_id)
    request = connection.execute(late.where(tables.requests.c.id == reservation_id).with_for_update(read=True)).one_or_none()
    if request is None:
        raise StoreError(Problem(f"reservation {reservation_id}", "is not known", "reserve before a request is sent"))
    if request.orphan and grade is not None and request.state == RunState.OPEN:
        insert_new(connection, tables.grades, write_grade(request.run_id, grade))


def _require_amounts(*amounts: int) -> None:
    if any(amount < 0 for amount in amounts):
        raise ValueError(f"{min(amounts)} is not a number of tokens")
