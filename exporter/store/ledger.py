"""Money: reserved before a request is sent, settled once with what came of it, booked as an estimate where nothing did.

A reservation and its settlement count for the UTC day of the reservation, so that a day that kept its caps keeps them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from sqlalchemy import Connection, bindparam, delete, false, insert, select, update

from exporter.errors import Problem, StoreError
from exporter.records import Answer, Grade, Reason, RunState, SpendPeriod, Usage
from exporter.store import tables
from exporter.store.books import read_books, require_room
from exporter.store.carried import Carried
from exporter.store.locks import locking, needs_locks
from exporter.store.nouns import Cap
from exporter.store.pending import Pending, pending_of
from exporter.store.sightings import note_error
from exporter.store.statements import Statement
from exporter.store.sums import Books
from exporter.store.tallies import Family, count
from exporter.store.units import day_of, sums_of, to_nanos

_OPEN_RUN = select(*tables.runs.c["id", "check_id", "target"]).where(
    tables.runs.c.id == bindparam("run_id"), tables.runs.c.state == RunState.OPEN.value
)
_RUN = Statement(_OPEN_RUN)
_RUN_ALONE = Statement(_OPEN_RUN.add_columns(locking(tables.runs.c.target)))
_RUN_ALONE_OF_ALL = Statement(_OPEN_RUN.add_columns(locking(tables.runs.c.target), locking(tables.ALL_TARGETS)))

_RESERVED = ("question_key", "sample", "attempt", "day", "reserved_at", "reserved_tokens", "reserved_usd_nanos")
_RESERVATION = _OPEN_RUN.add_columns(*(bindparam(name, type_=tables.requests.c[name].type) for name in _RESERVED), false())
_RESERVE = Statement(
    insert(tables.requests)
    .from_select(["run_id", "check_id", "target", *_RESERVED, "orphan"], _RESERVATION.with_for_update(read=True))
    .returning(*tables.requests.c["id", "check_id", "target", "day"])
)
_END = (
    update(tables.requests)
    .where(tables.requests.c.id == bindparam("request_id"), tables.requests.c.settled_at.is_(None))
    .returning(*tables.requests.c["run_id", "check_id", "target", "day", "reserved_tokens", "reserved_usd_nanos"])
)
_TAKE_BACK = Statement(
    delete(tables.requests)
    .where(tables.requests.c.id == bindparam("request_id"), tables.requests.c.settled_at.is_(None))
    .returning(*tables.requests.c["check_id", "target", "day", "reserved_tokens", "reserved_usd_nanos"])
)
_OUTCOME = ("settled_at", "tokens", "usd_nanos", "estimated", "reason")
_SETTLE = Statement(_END, _OUTCOME)
_BOOK_ORPHAN = Statement(_END, (*_OUTCOME, "orphan"))

_OPEN = (
    select(*tables.requests.c["id", "target", "check_id", "day", "reserved_tokens", "reserved_usd_nanos"])
    .where(tables.requests.c.settled_at.is_(None))
    .order_by(tables.requests.c.run_id, tables.requests.c.id)  # as the index of open reservations: in another one SQLite walks through all
    .with_for_update()
)
_ORPHANS = Statement(_OPEN)
_HOLDERS = Statement(
    select(*tables.requests.c["target", "run_id"])
    .where(tables.requests.c.settled_at.is_(None))
    .distinct()
    .order_by(tables.requests.c.run_id)
)
_ORPHANS_OF_RUN = Statement(_OPEN.where(tables.requests.c.run_id == bindparam("run_id")))


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
    pending, nanos = pending_of(connection), None if usd is None else to_nanos(usd)
    books = _books_of_run(connection, run_id, caps, now) if caps else None
    if books is not None:
        require_room(books, caps, tokens, usd)
    row = {
        "run_id": run_id,
        "question_key": question_key,
        "sample": sample,
        "attempt": attempt,
        "day": day_of(now),
        "reserved_at": now,
        "reserved_tokens": tokens,
        "reserved_usd_nanos": nanos,
    }
    reserved = _RESERVE.run(connection, row)
    if not reserved:
        raise StoreError(Problem(f"run {run_id}", "is not open", "nothing can be asked in it"))
    reservation_id, check_id, target, day = reserved[0]
    pending.targets.add(target)
    if pending.carried is not None:
        pending.carried.reserve(target, check_id, day, tokens, nanos or 0)
    return int(reservation_id)


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
    failure = None if answer.reason is None else answer.reason.value
    outcome = {"settled_at": now, "tokens": tokens, "usd_nanos": nanos, "estimated": estimated, "reason": failure}
    settled = _SETTLE.run(connection, {"request_id": reservation_id, **outcome})
    if not settled:
        _keep_late_grade(connection, reservation_id, grade)
        return False
    run_id, check_id, target, day, reserved_tokens, reserved_nanos = settled[0]
    pending = pending_of(connection)
    if pending.carried is not None:
        pending.carried.reserve(target, check_id, day, -reserved_tokens, -(reserved_nanos or 0))
        pending.carried.book(target, check_id, day, tokens, nanos or 0)
    amounts = {
        (Family.INPUT_TOKENS, ""): usage.input_tokens,
        (Family.OUTPUT_TOKENS, ""): usage.output_tokens,
        (Family.REASONING_TOKENS, ""): usage.reasoning_tokens,
    }
    sums = sums_of(tokens, nanos, estimated=estimated)
    _book(pending, target, check_id, day, sums, answer.reason, amounts)
    if identity is not None:
        pending.see(target, identity, answer.identity.fingerprint, now)
    if grade is not None:
        pending.grade(run_id, grade)
    reason, message = answer.reason, answer.message
    if reason is None and grade is not None:
        reason, message = grade.reason, grade.message
    if reason is not None:
        note_error(connection, target, reason, message, grade.question_id if grade else question_id, now)
    return True


def take_back(connection: Connection, reservation_id: int) -> bool:
    """Undo a reservation whose request was not sent: nothing was asked, so nothing is counted. False where it was booked before."""
    pending = pending_of(connection)
    taken = _TAKE_BACK.run(connection, {"request_id": reservation_id})
    for check_id, target, day, tokens, nanos in taken:
        if pending.carried is not None:
            pending.carried.reserve(target, check_id, day, -tokens, -(nanos or 0))
    return bool(taken)


def open_reservations(connection: Connection) -> dict[str, tuple[int, ...]]:
    """Runs with reservations that are not settled, by target."""
    held: dict[str, tuple[int, ...]] = {}
    for target, run_id in _HOLDERS.run(connection, {}):
        held[target] = (*held.get(target, ()), run_id)
    return held


def book_orphans(connection: Connection, now: float, run_ids: Collection[int] | None = None) -> int:
    """Book every open reservation (of `run_ids`, or of all) at its reserved amount, as an estimate; how many there were."""
    if run_ids is None:
        orphans = _ORPHANS.run(connection, {})
    else:
        orphans = [orphan for run_id in sorted(run_ids) for orphan in _ORPHANS_OF_RUN.run(connection, {"run_id": run_id})]
    pending, reason = pending_of(connection), Reason.INTERRUPTED
    for request_id, target, check_id, day, tokens, nanos in orphans:
        pending.targets.add(target)
        outcome = {"settled_at": now, "tokens": tokens, "usd_nanos": nanos, "estimated": True, "orphan": True, "reason": reason.value}
        _BOOK_ORPHAN.run(connection, {"request_id": request_id, **outcome})
        if pending.carried is not None:
            pending.carried.reserve(target, check_id, day, -tokens, -(nanos or 0))
            pending.carried.book(target, check_id, day, tokens, nanos or 0)
        _book(pending, target, check_id, day, sums_of(tokens, nanos, estimated=True), reason, {})
    return len(orphans)


def _book(
    pending: Pending,
    target: str,
    check_id: int,
    day: int,
    sums: tuple[int, ...],
    reason: Reason | None,
    amounts: Mapping[tuple[Family, str], int],
) -> None:
    """Add one attempt to the totals of its day (its target's and all targets'), of its check, and to the counters."""
    pending.add(tables.checks, (check_id,), sums)
    pending.add(tables.spend_days, (target, day), sums)
    pending.add(tables.spend_days, (tables.ALL_TARGETS, day), sums)
    spent, estimated_spent, *_ = sums
    counted = {
        **amounts,
        (Family.REQUESTS, ""): 1,
        (Family.SPEND_USD_NANOS, ""): spent,
        (Family.SPEND_ESTIMATED_USD_NANOS, ""): estimated_spent,
    }
    if reason is not None:
        counted[Family.REQUEST_FAILURES, reason.value] = 1
    count(pending, target, counted)


def _books_of_run(connection: Connection, run_id: int, caps: Sequence[Cap], now: float) -> Books | None:
    """What `caps` are held against, read or carried on; None for a run that is not open.

    Where several programs write at once, those that share a cap reserve one after the other.
    """
    pending, today = pending_of(connection), day_of(now)
    of_all = any(cap.scope is None and cap.period is not SpendPeriod.CHECK for cap in caps)
    carried = pending.carried
    if carried is None or carried.today != today or (of_all and not carried.of_all):
        carried = pending.carried = Carried(today, of_all=of_all)
    books = carried.find(run_id)
    if books is not None:
        return books
    query = _RUN if not needs_locks(connection) else _RUN_ALONE_OF_ALL if carried.of_all else _RUN_ALONE
    for _, check_id, target, *_ in query.run(connection, {"run_id": run_id}):
        return carried.take(run_id, target, check_id, read_books(connection, target, check_id, now, of_all=carried.of_all))
    return None


def _keep_late_grade(connection: Connection, reservation_id: int, grade: Grade | None) -> None:
    """The grade of a request that was booked as an orphan, as long as its run is open. Raises StoreError for a request never reserved."""
    late = select(tables.requests.c.run_id, tables.requests.c.orphan, tables.runs.c.state)
    late = late.join_from(tables.requests, tables.runs, tables.runs.c.id == tables.requests.c.run_id)
    request = connection.execute(late.where(tables.requests.c.id == reservation_id).with_for_update(read=True)).one_or_none()
    if request is None:
        raise StoreError(Problem(f"reservation {reservation_id}", "is not known", "reserve before a request is sent"))
    if request.orphan and grade is not None and request.state == RunState.OPEN:
        pending_of(connection).grade(request.run_id, grade)


def _require_amounts(*amounts: int) -> None:
    if any(amount < 0 for amount in amounts):
        raise ValueError(f"{min(amounts)} is not a number of tokens")
