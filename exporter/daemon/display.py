"""What is shown: a snapshot of each target, what all of them spent, and how fresh both are. /metrics and the pages read it."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable, Mapping
from itertools import islice

import structlog

from exporter.clock import Clock
from exporter.daemon.live import LiveConfig
from exporter.daemon.snapshots import SnapshotReader
from exporter.errors import StoreError, StoreUnreachableError
from exporter.records import Snapshot, Spend
from exporter.store import Store
from exporter.web.state import Details

_SHOWN_CHECKS, _CHARTED_CHECKS, _SHOWN_IDENTITIES = 30, 90, 20
_READ_AT_ONCE = 16
"""Targets that are read together at the most, so that none waits long to be shown."""


class Display:
    """What was read last of the targets of the config in use; read anew, target by target, and never written here."""

    def __init__(self, store: Store, clock: Clock, live: LiveConfig) -> None:
        self._store = store
        self._clock = clock
        self._live = live
        self._reader = SnapshotReader(store, clock)
        self._snapshots: dict[str, Snapshot] = {}
        self._total_spend: tuple[Spend, ...] = ()
        self._read_at: float | None = None
        self._read_turn = asyncio.Lock()
        self._show_turn = asyncio.Lock()
        self._unshown: dict[str, object] = {}
        self._log = structlog.get_logger()

    @property
    def snapshots(self) -> Mapping[str, Snapshot]:
        """By target."""
        return self._snapshots

    @property
    def total_spend(self) -> tuple[Spend, ...]:
        """Of all targets together, for the periods that have a cap."""
        return self._total_spend

    @property
    def read_at(self) -> float | None:
        """When it was last known that the store has nothing newer, in Unix seconds; None before the first reading."""
        return self._read_at

    async def restore(self) -> None:
        """Read all targets for the first time. Raises StoreError where any of them cannot be read."""
        await self._read(self._live.targets, may_lack=False)
        self.confirm()

    async def adopt(self, live: LiveConfig) -> None:
        """Show the targets of another config, and no others."""
        self._live = live
        await self.refresh(live.targets)
        self._snapshots = {name: self._snapshots[name] for name in live.targets if name in self._snapshots}

    async def show(self, name: str) -> None:
        """Show a target anew. Those that come while others are read are then read together."""
        self._unshown[name] = asked = object()
        async with self._show_turn:
            if self._unshown.get(name) is not asked:
                return  # it was among the last ones
            together = dict(islice(self._unshown.items(), _READ_AT_ONCE)) | {name: asked}
            await self.refresh(together)
            for read, asked in together.items():
                if self._unshown.get(read) is asked:
                    del self._unshown[read]

    async def refresh(self, names: Collection[str]) -> None:
        """Read targets again and show them. A store that cannot be read leaves the last values standing, and their age."""
        try:
            await self.read(names)
        except StoreUnreachableError:
            pass  # told once, by whoever polls
        except StoreError as error:
            self._log.error("the last values could not be read; older ones are shown", target=", ".join(names), error=str(error))

    async def read(self, names: Iterable[str]) -> None:
        """The same, for who tells himself of a store that cannot be read. Raises StoreError."""
        await self._read(names, may_lack=True)

    def confirm(self) -> None:
        """The store was asked, and has nothing newer."""
        self._read_at = self._clock.now()

    async def details(self, target: str, before: int | None) -> Details | None:
        """What `web.State` says of a target."""
        return await asyncio.to_thread(self._read_details, target, before) if target in self._snapshots else None

    async def _read(self, names: Iterable[str], *, may_lack: bool) -> None:
        async with self._read_turn:  # an older reading must not end later and be shown over a newer one
            live = self._live
            names = list(names)
            read, self._total_spend = await asyncio.to_thread(
                self._reader.read, live.targets, names, live.config.total_budget, may_lack=may_lack
            )
            for name, snapshot in read.items():
                if name in self._live.targets:
                    self._snapshots[name] = snapshot

    def _read_details(self, target: str, before: int | None) -> Details:
        checks = self._store.checks(target, _SHOWN_CHECKS + 1, before)
        return Details(
            checks=checks[:_SHOWN_CHECKS],
            errors=self._store.errors(target, _SHOWN_CHECKS),
            past=self._store.verdicts(target, _CHARTED_CHECKS),
            served=self._store.served(target, _SHOWN_IDENTITIES),
            has_older=len(checks) > _SHOWN_CHECKS,
        )
