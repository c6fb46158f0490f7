"""A State that shows what a test gives it, and a browserless client for it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace

import httpx
from starlette.types import ASGIApp

from exporter.metrics import MetricsView
from exporter.records import Check, CheckKind, CheckState, Reason
from exporter.store.nouns import RecordedError
from exporter.web import Details, Outcome, OutcomeKind, create_app
from exporter.web.state import StoreReader
from tests.metrics.snapshots import NOW, drifted, failed, three_targets


class FakeState:
    """Three targets, ready, lifecycle off, unless told otherwise."""

    def __init__(self, view: MetricsView | None = None, *, lifecycle: bool = False, store: StoreReader | None = None) -> None:
        self.shown = three_targets() if view is None else view
        self.lifecycle = lifecycle
        self._store = store
        self.not_ready: str | None = None
        self.config = "storage: sqlite:///data/history.db\n"
        self.reload_error: str | None = None
        self.reloads = 0
        self.details_of: dict[str, Details] = {snapshot.target: Details() for snapshot in self.shown.snapshots}
        self.asked_before: int | None = None
        self.outcome: Outcome | None = None
        self.actions: list[tuple[str, str, str]] = []

    @property
    def store(self) -> StoreReader:
        assert self._store is not None, "this test gave no store"
        return self._store

    def view(self) -> MetricsView:
        return self.shown

    def ready(self) -> tuple[bool, str]:
        return (self.not_ready is None, self.not_ready or "")

    def config_text(self) -> str:
        return self.config

    async def reload(self) -> str | None:
        self.reloads += 1
        return self.reload_error

    async def details(self, target: str, before: int | None = None) -> Details | None:
        self.asked_before = before
        return self.details_of.get(target)

    async def check_now(self, target: str, asked_by: str) -> Outcome:
        return self._act("check", target, asked_by) or Outcome(OutcomeKind.DONE, f"a check of {target} has begun", 7)

    async def reset(self, target: str, asked_by: str) -> Outcome:
        return self._act("reset", target, asked_by) or Outcome(OutcomeKind.DONE, f"a new baseline of {target} starts with the next check")

    def _act(self, action: str, target: str, asked_by: str) -> Outcome | None:
        """Note what was asked for; what is to come of it, unless it is done."""
        self.actions.append((action, target, asked_by))
        if target not in self.details_of:
            return Outcome(OutcomeKind.UNKNOWN_TARGET, f"there is no target {target!r}")
        return self.outcome


def request(state: FakeState, method: str, path: str, headers: Mapping[str, str] | None = None) -> httpx.Response:
    """One request to the app, without a server. An error inside is answered as a server would answer it."""
    return ask(create_app(state), method, path, headers)


def ask(app: ASGIApp, method: str, path: str, headers: Mapping[str, str] | None = None) -> httpx.Response:
    """The same to any app."""

    async def send() -> httpx.Response:
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://exporter:10201") as client:
            return await client.request(method, path, headers=headers)

    return asyncio.run(send())


def get(state: FakeState, path: str, **headers: str) -> httpx.Response:
    return request(state, "GET", path, {name.replace("_", "-"): value for name, value in headers.items()})


def two_checks_and_an_error() -> Details:
    """A check that runs, one that drifted, one that failed, and what went wrong in it."""
    running = Check(4, "support-bot", CheckKind.RECHECK, NOW, NOW, CheckState.RUNNING)
    ended = Check(
        3, "support-bot", CheckKind.SCHEDULED, NOW - 700, NOW - 700, CheckState.CLOSED, closed_at=NOW - 600, verdict=drifted().verdict
    )
    before = replace(ended, id=2, due_at=NOW - 90_000, closed_at=NOW - 89_000, verdict=failed().verdict)
    error = RecordedError("support-bot", NOW - 89_500, Reason.AUTH, "401: <b>the key</b> was turned away", None)
    asked = RecordedError("support-bot", NOW - 89_600, Reason.TRUNCATED, "cut off at 512 tokens", "long-multiplication")
    return Details((running, ended, before), (error, asked))
