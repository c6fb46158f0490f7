"""JSON for programs, in the envelope of Prometheus' own API."""

from __future__ import annotations

import json
import math
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from exporter.records import Snapshot
from exporter.reports import as_dict
from exporter.web.links import Links
from exporter.web.state import State


class Api:
    """What there is to say of every target. Times are Unix seconds; null is not known."""

    def __init__(self, state: State, links: Links) -> None:
        self._state = state
        self._links = links

    async def targets(self, _request: Request) -> Response:
        """Every target with its last verdict, in the order of the config."""
        snapshots = self._state.view().snapshots
        body = await run_in_threadpool(
            lambda: _encode({"status": "success", "data": {"targets": [_target(one, self._links) for one in snapshots]}})
        )
        return Response(body, media_type="application/json")


def _target(snapshot: Snapshot, links: Links) -> dict[str, Any]:
    progress = snapshot.progress
    return {
        "target": snapshot.target,
        "provider": snapshot.provider,
        "api": snapshot.api,
        "model": snapshot.model,
        "suites": snapshot.suites,
        "protocol": snapshot.protocol,
        "identity_evidence": snapshot.evidence,
        "labels": dict(snapshot.labels),
        "page": links.target(snapshot.target),
        "verdict": None if snapshot.verdict is None else as_dict(snapshot.verdict),
        "verdict_changed_at": snapshot.verdict_changed_at,
        "last_check_at": progress.last_check_at,
        "last_success_at": progress.last_success_at,
        "next_check_at": progress.next_check_at,
        "check_in_progress": progress.in_progress,
        "confirmation_pending": progress.confirmation_pending,
    }


def _encode(value: object) -> bytes:
    return json.dumps(_finite(value), allow_nan=False, separators=(",", ":")).encode("ascii")


def _finite(value: object) -> object:
    """The same with null for every number that JSON has no word for."""
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
