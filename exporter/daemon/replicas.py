"""The programs with one store: this one says that it is there and which config it runs, and hears of the others."""

from __future__ import annotations

import asyncio

import structlog

import exporter
from exporter.clock import Clock
from exporter.daemon.agreement import Agreement, agree, hash_config, hash_targets
from exporter.daemon.live import LiveConfig
from exporter.errors import StoreError, StoreUnreachableError
from exporter.store import KnownConfig, Replica, Store, Writer

BEAT_SECONDS = 10.0
"""How often a program says that it is there, and looks who else is."""

_NAMED = 5


class Replicas:
    """What is known of all of them; `agreement` says what this one may work on. Only a reload changes its config."""

    def __init__(self, store: Store, writer: Writer, clock: Clock, live: LiveConfig) -> None:
        self._store = store
        self._writer = writer
        self._clock = clock
        self._log = structlog.get_logger()
        self._heard_at: float | None = None
        self._beating = asyncio.Lock()
        self._beats = self._last_heard = 0
        self._is_unheard = False
        self.adopt(live)

    def adopt(self, live: LiveConfig) -> None:
        """A config was loaded, and is the newest of all as soon as the others hear of it: at the next beat."""
        self._targets = hash_targets(live)
        self._hash = hash_config(live, self._targets)
        self._is_announced = False
        self.agreement = Agreement(own=self._targets, newest=self._targets)

    async def beat(self) -> None:
        """Say that this program is there, where it is time, and hear of the others. Raises StoreError."""
        if self._heard_at is None or not self._is_announced or self._clock.monotonic() - self._heard_at >= BEAT_SECONDS:
            await self.hear()

    async def beat_if_possible(self) -> None:
        """The same, and what keeps it from being said is told once. A server that is away is told of by who reads from it."""
        try:
            await self.beat()
        except StoreUnreachableError:
            return
        except StoreError as error:
            if not self._is_unheard:
                self._log.error("the other replicas cannot be told that this one is there", error=str(error))
            self._is_unheard = True
            return
        self._is_unheard = False

    async def hear(self) -> None:
        """The same at once. Those who ask while others do share the next one."""
        seen = self._beats
        async with self._beating:
            if self._last_heard <= seen:
                await self._beat()

    async def _beat(self) -> None:
        self._beats += 1
        now, targets = self._clock.monotonic(), self._targets
        if not (self._is_announced and await self._writer.call(self._store.beat)):
            await self._writer.call(self._store.announce, exporter.__version__, self._hash, targets)
            self._is_announced = targets is self._targets
        replicas, newest = await asyncio.to_thread(self._hear)
        if targets is not self._targets:
            return  # another config was adopted meanwhile: it is announced at the next beat, and compared then
        self._heard_at, self._last_heard = now, self._beats
        self._compare(replicas, newest)

    async def leave(self) -> None:
        """Say that this program goes. Raises StoreError."""
        if self._is_announced:
            await self._writer.call(self._store.leave)

    def _hear(self) -> tuple[list[Replica], KnownConfig | None]:
        with self._store.reading():
            replicas = self._store.replicas()
            if all(replica.config_hash == self._hash for replica in replicas):
                return replicas, None  # a config of a thousand targets takes long to read
            return replicas, self._store.newest_config()

    def _compare(self, replicas: list[Replica], newest: KnownConfig | None) -> None:
        before = self.agreement
        configs = {} if newest is None else {newest.hash: newest.targets}
        self.agreement = agree(self._hash, self._targets, replicas, configs)
        left = self.agreement.left_alone
        if self.agreement.is_outdated and (not before.is_outdated or before.left_alone != left):
            named = ", ".join(left[:_NAMED]) + (f" and {len(left) - _NAMED} more" if len(left) > _NAMED else "")
            self._log.warning(
                "another replica has loaded another config since; what it defines otherwise is left to it: reload, or load the same there",
                left_alone=named or "nothing",
            )
        elif before.is_outdated and not self.agreement.is_outdated:
            self._log.info("the config is the newest again")
