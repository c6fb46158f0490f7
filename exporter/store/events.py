"""What was decided about baselines. Rows are added and never changed or deleted."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, bindparam, func, insert, select

from exporter.errors import Problem, StoreCorruptError
from exporter.records import BaselineEvent, EventKind
from exporter.store.locks import lock
from exporter.store.statements import Statement
from exporter.store.tables import events
from exporter.store.units import safe_text

_COLUMNS = ("id", "target", "kind", "happened_at", "protocol", "from_protocol", "run_ids", "identity", "suite", "question_keys", "note")
_OF_TARGET = Statement(select(*events.c[_COLUMNS]).where(events.c.target == bindparam("target")).order_by(events.c.id))
_KINDS = frozenset(EventKind)


def add_event(connection: Connection, event: BaselineEvent) -> BaselineEvent:
    """Write `event`; the same with the id that it was given. The id it came with is not looked at."""
    lock(connection, "events")  # ids have to become visible in their order, or readers who know the newest would miss one
    row = {
        "target": event.target,
        "kind": event.kind,
        "happened_at": event.happened_at,
        "protocol": event.protocol,
        "from_protocol": event.from_protocol,
        "run_ids": json.dumps(event.run_ids),
        "identity": None if event.identity is None else safe_text(event.identity),
        "suite": event.suite,
        "question_keys": json.dumps(event.question_keys),
        "note": safe_text(event.note, None),
    }
    return replace(event, id=connection.execute(insert(events).values(**row).returning(events.c.id)).scalar_one())


def read_events(connection: Connection, target: str) -> list[BaselineEvent]:
    """All events of `target`, oldest first. Kinds that this version does not know are passed over."""
    found = []
    for row in _OF_TARGET.run(connection, {"target": target}):
        event_id, target, kind, happened_at, protocol, from_protocol, run_ids, identity, suite, question_keys, note = row
        if kind in _KINDS:
            found.append(
                BaselineEvent(
                    id=event_id,
                    target=target,
                    kind=EventKind(kind),
                    happened_at=happened_at,
                    protocol=protocol,
                    from_protocol=from_protocol,
                    run_ids=_read_list(run_ids, event_id),
                    identity=identity,
                    suite=suite,
                    question_keys=_read_list(question_keys, event_id),
                    note=note,
                )
            )
    return found


def named_runs(connection: Connection, target: str) -> set[int]:
    """The runs that a freeze or a pin took into a baseline, also one that stands no more."""
    rows = connection.execute(select(events.c.id, events.c.run_ids).where(events.c.target == target)).all()
    return {run_id for row in rows for run_id in _read_list(row.run_ids, row.id)}


def _read_list(text: str, event_id: int) -> tuple[Any, ...]:
    try:
        return tuple(json.loads(text))
    except (ValueError, TypeError):
        raise StoreCorruptError(Problem(f"event {event_id}", "cannot be read", "restore the store from a backup")) from None


def events_version(connection: Connection) -> int:
    """A number that rises with every event; 0 before the first."""
    return int(connection.execute(select(func.coalesce(func.max(events.c.id), 0))).scalar_one())


def decided_since(connection: Connection, version: int) -> list[str]:
    """Targets of which an event is newer than `version`."""
    return list(connection.execute(select(events.c.target).where(events.c.id > version).distinct()).scalars())
