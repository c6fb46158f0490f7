"""Who answered for a target, and what went wrong with it lately: short lists for people, never whole logs."""

from __future__ import annotations

from sqlalchemy import Connection, bindparam, delete, insert, select, update

from exporter.records import Reason
from exporter.store.nouns import RecordedError, ServedIdentity
from exporter.store.rows import read_reason
from exporter.store.tables import errors, identities
from exporter.store.units import safe_text
from exporter.store.upserts import insert_new

ERRORS_KEPT = 50
IDENTITIES_KEPT = 50

# Made once: every answer comes by here, and every snapshot.
_SEEN_AGAIN = update(identities).where(*(identities.c[name] == bindparam(f"this_{name}") for name in ("target", "identity", "fingerprint")))

_SERVED = (
    select(identities)
    .where(identities.c.target == bindparam("target"))
    .order_by(identities.c.last_seen_at.desc(), identities.c.first_seen_at.desc(), identities.c.identity, identities.c.fingerprint)
)
_SERVED_LATELY = _SERVED.limit(bindparam("limit"))


def note_identity(connection: Connection, target: str, identity: str, fingerprint: str | None, now: float) -> None:
    """Remember that `identity` answered. Only the 50 seen last are kept: some servers make up a new fingerprint each time."""
    key = {"target": target, "identity": safe_text(identity), "fingerprint": safe_text(fingerprint or "")}
    again = {**{f"this_{name}": value for name, value in key.items()}, "last_seen_at": now}
    if connection.execute(_SEEN_AGAIN, again).rowcount:
        return
    if not insert_new(connection, identities, {**key, "first_seen_at": now, "last_seen_at": now}):
        connection.execute(_SEEN_AGAIN, again)  # another program saw it first in this very moment
        return
    for stale in served(connection, target, limit=None)[IDENTITIES_KEPT:]:
        this = (identities.c.target == target, identities.c.identity == stale.identity, identities.c.fingerprint == stale.fingerprint)
        connection.execute(delete(identities).where(*this))


def served(connection: Connection, target: str, limit: int | None) -> list[ServedIdentity]:
    """Identities that answered for `target`, the one seen last first."""
    rows = connection.execute(_SERVED if limit is None else _SERVED_LATELY, {"target": target, "limit": limit}).all()
    return [ServedIdentity(row.target, row.identity, row.fingerprint, row.first_seen_at, row.last_seen_at) for row in rows]


def note_error(connection: Connection, target: str, reason: Reason, message: str, question_id: str | None, now: float) -> None:
    """Keep an error in the list of the newest 50 of its target. `question_id` is None for a whole run."""
    row = {"target": target, "happened_at": now, "reason": reason, "message": safe_text(message), "question_id": question_id}
    connection.execute(insert(errors).values(**row))
    last_out = select(errors.c.id).where(errors.c.target == target).order_by(errors.c.id.desc()).offset(ERRORS_KEPT).limit(1)
    connection.execute(delete(errors).where(errors.c.target == target, errors.c.id <= last_out.scalar_subquery()))


def recent_errors(connection: Connection, target: str, limit: int) -> list[RecordedError]:
    """The newest errors of `target`, newest first."""
    rows = connection.execute(select(errors).where(errors.c.target == target).order_by(errors.c.id.desc()).limit(limit)).all()
    return [
        RecordedError(row.target, row.happened_at, read_reason(row.reason) or Reason.UNKNOWN_STOP, row.message, row.question_id)
        for row in rows
    ]
