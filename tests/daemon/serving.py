"""A whole service in this process: a config file, a provider for each target, and a clock that stands still until it is moved."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

from exporter.clock import Clock
from exporter.config import Target
from exporter.daemon.live import load_live
from exporter.daemon.service import Service
from exporter.metrics import Exposition
from exporter.providers import Provider
from exporter.records import Snapshot
from exporter.store import open_store
from tests.daemon.world import FakeProvider, suite_text


class StillClock:
    """Time passes only by `advance`, which wakes whoever has slept long enough."""

    def __init__(self) -> None:
        self._now = 1_800_000_000.0
        self._sleepers: dict[asyncio.Event, float] = {}

    def now(self) -> float:
        return self._now

    def monotonic(self) -> float:
        return self._now

    async def sleep(self, seconds: float) -> None:
        waking = asyncio.Event()
        self._sleepers[waking] = self._now + seconds
        try:
            if seconds > 0:
                await waking.wait()
        finally:
            del self._sleepers[waking]

    def advance(self, seconds: float) -> None:
        self._now += seconds
        for waking, wakes_at in self._sleepers.items():
            if wakes_at <= self._now:
                waking.set()


class Serving:
    """A running service. Of target x the provider is `providers[x]`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.clock = StillClock()
        self.providers: dict[str, FakeProvider] = {}
        self.unopenable: set[str] = set()
        self.when_started: Callable[[], None] = lambda: None
        (folder / "questions.yml").write_text(suite_text())
        self._exposition = Exposition()

    def write(self, *targets: str | Mapping[str, Any], **top: Any) -> None:
        """Write the config: a target by its name alone, or by what is set otherwise. Each is due once, at its start."""
        usual = {
            "api": "openai_chat",
            "base_url": "http://127.0.0.1:9/v1",
            "model": "model-1",
            "suites": ["questions.yml"],
            "concurrency": 4,
            "run_deadline": "24h",  # a test that lets time pass until something is seen does not know how far
            "price": {"input_usd_per_mtok": 1, "output_usd_per_mtok": 2},
        }
        document = {
            "storage": f"sqlite:///{self.folder}/history.db",
            "schedule": {"cron": "0 0 1 1 *", "spread": "0s"},
            "targets": [usual | ({"name": target} if isinstance(target, str) else dict(target)) for target in targets],
            **top,
        }
        (self.folder / "config.yml").write_text(json.dumps(document, indent=1))  # JSON is YAML

    def run(self, act: Callable[[Serving], Awaitable[None]]) -> None:
        """Serve what is written for as long as `act` takes."""
        asyncio.run(self.serve(act))

    def snapshots(self) -> dict[str, Snapshot]:
        """What is shown, by target."""
        return {snapshot.target: snapshot for snapshot in self.service.view().snapshots}

    def kinds(self) -> dict[str, str | None]:
        """The verdict shown of each target."""
        return {name: None if shown.verdict is None else shown.verdict.kind.value for name, shown in self.snapshots().items()}

    def series(self) -> dict[str, str]:
        """Every sample on /metrics by its name and labels."""
        body, _ = self._exposition.render(self.service.view(), "text/plain")
        return dict(line.rsplit(" ", 1) for line in body.decode().splitlines() if line and not line.startswith("#"))

    async def serve(self, act: Callable[[Serving], Awaitable[None]]) -> None:
        """The same in a loop that runs."""
        live = load_live(self.folder / "config.yml")
        self.store = open_store(live.config.storage)
        self.service = Service(self.folder / "config.yml", live, self.store, self.clock, open_provider=self._open)
        self.stop = asyncio.Event()
        running = asyncio.create_task(self.service.run(self.stop, self.when_started))
        try:
            await act(self)
        finally:
            self.stop.set()
            await running
            self.store.close()

    def _open(self, target: Target, clock: Clock) -> Provider:
        if target.name in self.unopenable:
            raise RuntimeError("no provider today")
        return self.providers.setdefault(target.name, FakeProvider())


async def until(condition: Callable[[], bool]) -> None:
    """Return once `condition` holds: threads have work to do meanwhile. Fails after two minutes."""
    async with asyncio.timeout(120):
        while not condition():
            await asyncio.sleep(0.005)
