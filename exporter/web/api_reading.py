"""What the API answers to GET: each function takes a Call and returns data. They read the store, so they are called in a thread."""

from __future__ import annotations

import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any
from urllib.parse import urlencode

from exporter import __version__
from exporter.metrics import MetricsView
from exporter.records import Snapshot, Spend, VerdictKind
from exporter.store.units import day_of
from exporter.web.api_documents import (
    booked_document,
    check_document,
    day_document,
    error_document,
    period_document,
    spend_documents,
    standing_document,
    target_document,
    whole_check,
    whole_target,
)
from exporter.web.api_envelope import ApiError, ErrorType
from exporter.web.api_query import LARGEST_ID, Query
from exporter.web.links import Links
from exporter.web.overview import standing
from exporter.web.state import State, StoreReader

MOST_CHECKS = 500
"""In one answer; a longer history is read page by page."""

MOST_DAYS = 400


@dataclass(frozen=True, slots=True)
class Call:
    """One request: what is shown now, and what it names. `snapshot` is of the target and `check` the id in its path."""

    state: State
    view: MetricsView
    links: Links
    query: Query
    snapshot: Snapshot | None = None
    check: str = ""

    @property
    def target(self) -> Snapshot:
        """The target that is asked about."""
        assert self.snapshot is not None  # noqa: S101  # only asked for where the path names one
        return self.snapshot

    @property
    def store(self) -> StoreReader:
        """What the past is read from."""
        return self.state.store


def build_info(call: Call) -> Any:
    """Which program this is."""
    call.query.close()
    return {"version": __version__, "python_version": platform.python_version()}


def runtime_info(call: Call) -> Any:
    """How it stands with the program itself."""
    call.query.close()
    ready, missing = call.state.ready()
    progress = [snapshot.progress for snapshot in call.view.snapshots]
    return {
        "ready": ready,
        "not_ready_because": None if ready else missing,
        "lifecycle": call.state.lifecycle,
        "config_reload_successful": call.view.reload_successful,
        "config_loaded_at": call.view.reloaded_at,
        "config_reload_error": call.view.reload_error,
        "web_config_reload_successful": call.view.web_reload_successful,
        "web_config_loaded_at": call.view.web_reloaded_at,
        "web_config_reload_error": call.view.web_reload_error,
        "read_at": call.view.read_at,
        "targets": len(progress),
        "checks_in_progress": sum(one.in_progress for one in progress),
        "confirmations_pending": sum(one.confirmation_pending for one in progress),
        "store_errors": dict(call.view.store_errors),
    }


def targets(call: Call) -> Any:
    """Every target, in the order of the config."""
    wanted = call.query.words("verdict", [kind.value for kind in VerdictKind])
    call.query.close()
    shown = [snapshot for snapshot in call.view.snapshots if not wanted or standing(snapshot) in wanted]
    return {"targets": [target_document(snapshot, call.links) for snapshot in shown]}


def target(call: Call) -> Any:
    """One target, in full."""
    call.query.close()
    return whole_target(call.target, call.links)


def checks(call: Call) -> Any:
    """A page of a target's checks, newest first."""
    limit = call.query.number("limit", 1, MOST_CHECKS, 50)
    before = call.query.optional_number("before")
    call.query.close()
    found = call.store.checks(call.target.target, limit + 1, before)
    page = found[:limit]
    spent = call.store.spent_on_checks([check.id for check in page])
    return {
        "target": call.target.target,
        "checks": [check_document(check, spent.get(check.id), call.links) for check in page],
        "next": _next(call, "checks", {"limit": limit, "before": page[-1].id}) if len(found) > limit else None,
    }


def check(call: Call) -> Any:
    """One check, in full."""
    call.query.close()
    name, text = call.target.target, call.check
    check_id = int(text) if text.isascii() and text.isdigit() and len(text) < 17 else 0
    newest = call.store.checks(name, 1, check_id + 1) if 0 < check_id < LARGEST_ID else []
    if not newest or newest[0].id != check_id:
        raise ApiError(ErrorType.NOT_FOUND, f"{name} has no check of this id; list those that it has")
    found = call.store.check(check_id)
    return {"target": name, "check": whole_check(found, call.store.spent_on_checks([check_id]).get(check_id), call.links)}


def verdicts(call: Call) -> Any:
    """Which verdict stood from when to when, newest first."""
    limit = call.query.number("limit", 1, MOST_CHECKS, 50)
    before = call.query.optional_number("before")
    since, until = call.query.time("since"), call.query.time("until")
    call.query.require(since is None or until is None or since <= until, "since", "is later than until")
    call.query.close()
    name = call.target.target
    span = (-inf if since is None else since, inf if until is None else until)
    found = call.store.standings(name, limit + 1, since=span[0], until=span[1], before=before)
    page = found[:limit]
    asked = {"limit": limit, "since": since, "until": until}
    return {
        "target": name,
        "verdicts": [standing_document(stood, name, call.links) for stood in page],
        "next": _next(call, "verdicts", {**asked, "before": page[-1].check_id}) if len(found) > limit else None,
    }


def errors(call: Call) -> Any:
    """What could not be measured of late, newest first."""
    limit = call.query.number("limit", 1, MOST_CHECKS, 50)
    call.query.close()
    name = call.target.target
    return {"target": name, "errors": [error_document(error) for error in call.store.errors(name, limit)]}


def target_spend(call: Call) -> Any:
    """What a target has spent, and what its caps leave."""
    days = call.query.number("days", 1, MOST_DAYS, 31)
    call.query.close()
    return {"target": call.target.target, **_spend(call, call.target.target, call.target.spend, days)}


def total_spend(call: Call) -> Any:
    """What all targets have spent together, and each of them in the periods of now."""
    days = call.query.number("days", 1, MOST_DAYS, 31)
    call.query.close()
    each = [{"target": one.target, "periods": spend_documents(one.spend)} for one in call.view.snapshots]
    return {**_spend(call, None, call.view.total_spend, days), "targets": each}


def _spend(call: Call, name: str | None, spends: Sequence[Spend], days: int) -> dict[str, Any]:
    caps = {spend.period: spend for spend in spends}
    now = _now(call)
    return {
        "periods": [period_document(spent, caps.get(period)) for period, spent in call.store.spend(name, now).items()],
        "total": booked_document(call.store.booked_in_all(name)),
        "days": [day_document(day) for day in call.store.booked_days(name, day_of(now) - days + 1)],
    }


def _now(call: Call) -> float:
    """When what is shown was read: the program is ready, so it was."""
    return call.view.read_at or 0.0


def _next(call: Call, below: str, parameters: Mapping[str, float | int | None]) -> str:
    """Where the next page is."""
    given = {name: value for name, value in parameters.items() if value is not None}
    return f"{call.links.target_api(call.target.target, below)}?{urlencode(given)}"
