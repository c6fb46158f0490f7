"""Programs that share a store: which are there, which config each runs, and what of each other's work is new to them."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping

from sqlalchemy import Connection, delete, select, update

from exporter.store.events import events_version
from exporter.store.nouns import Activity, KnownConfig, Replica, UnderWay
from exporter.store.now import database_now
from exporter.store.tables import checks, configs, replicas
from exporter.store.tallies import count_checks
from exporter.store.upserts import put

LIVE_SECONDS = 35.0
"""How long a replica that is not heard of counts as there: of what it says every ten seconds it may miss three."""

KEPT_SECONDS = 86400.0
"""How long a replica that is not heard of is remembered."""


def announce(connection: Connection, holder: str, version: str, config_hash: str, targets: Mapping[str, str]) -> None:
    """The program runs that config from now on, and its config is the newest. What nobody has needed for a day is forgotten."""
    now = connection.execute(select(database_now(connection))).scalar_one()
    put(connection, configs, {"hash": config_hash, "loaded_at": now, "targets": json.dumps(dict(targets))})
    me = {"holder": holder, "seen_at": now, "version": version, "config_hash": config_hash, "config_loaded_at": now}
    put(connection, replicas, {**me, "started_at": now}, keep=("started_at",))
    connection.execute(delete(replicas).where(replicas.c.seen_at < now - KEPT_SECONDS))
    connection.execute(
        delete(configs).where(configs.c.hash.not_in(select(replicas.c.config_hash)), configs.c.loaded_at < now - KEPT_SECONDS)
    )


def beat(connection: Connection, holder: str) -> bool:
    """The program is still there. False where it has been forgotten, or never was announced."""
    seen = update(replicas).where(replicas.c.holder == holder).values(seen_at=database_now(connection))
    return connection.execute(seen).rowcount == 1


def leave(connection: Connection, holder: str) -> None:
    """The program goes."""
    connection.execute(delete(replicas).where(replicas.c.holder == holder))


def read_replicas(connection: Connection, holder: str) -> list[Replica]:
    """Programs that are there, the one that is there longest first."""
    lately = replicas.c.seen_at >= database_now(connection) - LIVE_SECONDS
    rows = connection.execute(select(replicas).where(lately).order_by(replicas.c.started_at, replicas.c.holder)).all()
    return [
        Replica(row.holder, row.started_at, row.seen_at, row.version, row.config_hash, row.config_loaded_at, row.holder == holder)
        for row in rows
    ]


def read_newest_config(connection: Connection) -> KnownConfig | None:
    """The config that was loaded last, of the programs that are there; None where there are none.

    A config that nobody runs any more, as after a rollback, does not count.
    """
    lately = replicas.c.seen_at >= database_now(connection) - LIVE_SECONDS
    newest = replicas.c.config_loaded_at.desc(), replicas.c.config_hash.desc()
    running = select(configs, replicas.c.config_loaded_at).join(replicas, replicas.c.config_hash == configs.c.hash).where(lately)
    row = connection.execute(running.order_by(*newest).limit(1)).one_or_none()
    return None if row is None else KnownConfig(row.hash, row.config_loaded_at, json.loads(row.targets))


def read_activity(connection: Connection) -> Activity:
    """What tells that something happened anywhere: three statements, however many targets there are."""
    under_way: defaultdict[str, list[UnderWay]] = defaultdict(list)
    columns = checks.c["id", "target", "state", "requests"]
    # Put in order here: asked for it, SQLite would walk through all checks in the order of their ids to spare a sort of a few.
    unclosed = connection.execute(select(*columns).where(checks.c.closed_at.is_(None))).all()
    for row in sorted(unclosed, key=lambda check: int(check.id)):
        under_way[row.target].append(UnderWay(row.id, row.state, row.requests))
    return Activity({target: tuple(each) for target, each in under_way.items()}, count_checks(connection), events_version(connection))
