"""Who answered for a target, and what went wrong with it lately: short lists for people, never whole logs."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import Connection, bindparam, delete, insert, select

from exporter.records import Reason
from exporter.store.nouns import RecordedError, ServedIdentity
from exporter.store.rows import read_reason
from exporter.store.statements import Statement, insert_rows
from exporter.store.tables import errors, identities
from exporter.store.units import safe_text

ERRORS_KEPT = 50
IDENTITIES_KEPT = 50

# Made once: every answer comes by here, and every snapshot.
_IDENTITY = ("target", "identity", "fingerprint", "first_seen_at", "last_seen_at")
_SEEN = "ON CONFLICT (target, identity, fingerprint) DO UPDATE SET last_seen_at = excluded.last_seen_at"
_NEW_ONES = "RETURNING target, first_seen_at = last_seen_at"

_LAST_OUT = select(errors.c.id).where(errors.c.target == bindparam("target")).order_by(errors.c.id.desc()).offset(ERRORS_KEPT).limit(1)
_NOTE_ERROR = Statement(insert(errors), ("target", "happened_at", "reason", "message", "question_id"))
_FORGET_ERRORS = Statement(delete(errors).where(errors.c.target == bindparam("target"), errors.c.id <= _LAST_OUT.scalar_subquery()))

_SERVED = Statement(
    select(*identities.c["target", "identity", "fingerprint", "first_seen_at", "last_seen_at"])
    .where(identities.c.target == bindparam("target"))
    .order_by(identities.c.last_seen_at.desc(), identities.c.first_seen_at.desc(), identities.c.identity, identities.c.fingerprint)
)


def note_identities(connection: Connection, seen: Mapping[tuple[str, str, str], float]) -> None:
    """Remember who answered: targets, identities and fingerprints, and when each was seen.

    Of each target only the 50 seen last are kept: some servers make up a new fingerprint each time.
    """
    rows = [(*key, now, now) for key, now in sorted(seen.items())]
    noted = insert_rows(connection, identities, _IDENTITY, rows, f"{_SEEN} {_NEW_ONES}")
    for target in sorted({target for target, is_new in noted if is_new}):
        for stale in served(connection, target)[IDENTITIES_KEPT:]:
            this = (identities.c.target == target, identities.c.identity == stale.identity, identities.c.fingerprint == stale.fingerprint)
            connection.execute(delete(identities).where(*this))


def served(connection: Connection, target: str, limit: int | None = None) -> list[ServedIdentity]:
    """Identities that answered for `target`, the one seen last first."""
    return [ServedIdentity(*row) for row in _SERVED.run(connection, {"target": target})[:limit]]


def note_error(connection: Connection, target: str, reason: Reason, message: str, question_id: str | None, now: float) -> None:
    """Keep an error in the list of the newest 50 of its target. `question_id` is None for a whole run."""
    row = {"target": target, "happened_at": now, "reason": reason.value, "message": safe_text(message), "question_id": question_id}
    _NOTE_ERROR.run(connection, row)
    _FORGET_ERRORS.run(connection, {"target": target})


def recent_errors(connection: Connection, target: str, limit: int) -> list[RecordedError]:
    """The newest errors of `target`, newest first."""
    rows = connection.execute(select(errors).where(errors.c.target == target).order_by(errors.c.id.desc()).limit(limit)).all()
    return [
        RecordedError(row.target, row.happened_at, read_reason(row.reason) or Reason.UNKNOWN_STOP, row.message, row.question_id)
        for row in rows
    ]
