"""The daemon: the config in use, a watch for each target, what happens in the store, and how it starts, reloads and stops."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import Callable, Iterable
from pathlib import Path

import structlog

from exporter.clock import Clock
from exporter.daemon.abandoned import Abandoned
from exporter.daemon.admission import Admission
from exporter.daemon.check import OpenProvider, Workshop, open_target
from exporter.daemon.decisions import reset_baseline
from exporter.daemon.display import Display
from exporter.daemon.following import Following
from exporter.daemon.housekeeping import Housekeeper
from exporter.daemon.last_load import LastLoad
from exporter.daemon.ledger import PASSING
from exporter.daemon.live import LiveConfig, find_renames, load_live, require_same_storage
from exporter.daemon.pauses import pause
from exporter.daemon.replicas import Replicas
from exporter.daemon.watch import Watch
from exporter.errors import ExporterError, StoreError
from exporter.metrics import MetricsView, Tallies
from exporter.probing.limiter import Limiter
from exporter.store import Store, Writer
from exporter.web.state import Details, Outcome, OutcomeKind

POLL_SECONDS = 2.0
"""How often the store is asked what happened there, by whatever program."""

WAIT_SECONDS = 5.0
"""How often a server that does not answer at the start is tried again."""

_POLLS_A_REFRESH = 3
"""Targets under way are read again every so many polls, so that spend and counters move during a check."""

_STARTED_AT_ONCE = 16

_DAY_SECONDS = 86400


class Service:
    """Everything that runs, and the `web.State` that HTTP is served from."""

    def __init__(
        self,
        config_file: Path,
        live: LiveConfig,
        store: Store,
        clock: Clock,
        *,
        tallies: Tallies | None = None,
        lifecycle: bool = False,
        open_provider: OpenProvider = open_target,
        load: Callable[[Path], LiveConfig] = load_live,
        web_config_load: LastLoad | None = None,
    ) -> None:
        self._config_file = config_file
        self._load = load
        self._live = live
        self._store = store
        self._clock = clock
        self._lifecycle = lifecycle
        self._writer = Writer(store.batch)
        self._housekeeper = Housekeeper(store, self._writer, clock)
        self._abandoned = Abandoned(store, self._writer, clock)
        self._replicas = Replicas(store, self._writer, clock, live)
        self._tallies = tallies or Tallies()
        self._workshop = Workshop(store, self._writer, clock, Limiter(live.config.concurrency), self._tallies, open_provider)
        self._admission = Admission(live.config.concurrency, clock)
        self._watches: dict[str, Watch] = {}
        self._display = Display(store, clock, live)
        self._config_load = LastLoad(clock)
        self._web_config_load = web_config_load  # of whoever watches over that file, where there is one
        self._reloading = asyncio.Lock()
        self._next_reload: asyncio.Task[str | None] | None = None
        self._is_ready = False
        self._missing = "reading the last values from the store"
        self._is_stopping = False
        self._log = structlog.get_logger()

    async def run(self, stop: asyncio.Event, when_started: Callable[[], None] = lambda: None) -> None:
        """Restore what is shown, keep every target checked until `stop` is set, then settle what is under way.

        `when_started` is called once all is there that stays. Raises StoreError where the store cannot be read at the start; a server
        that may be back by itself is waited for.
        """
        async with self._reloading:
            following = await self._restore_patiently(stop)
            if following is None:
                await self._writer.close()
                return
            self._is_ready = True
            self._log.info("ready", targets=len(self._live.targets), storage=self._store.where.removeprefix("storage "))
            await self._start_all(self._live.targets)
            when_started()
        polling = asyncio.create_task(self._poll(following))
        await stop.wait()
        self._log.info("stopping: answers under way are settled, the rest of a check is taken up at the next start")
        self._is_stopping = True
        async with self._reloading:
            polling.cancel()
            await asyncio.gather(polling, *(watch.stop() for watch in self._watches.values()), return_exceptions=True)
            await self._housekeeper.stop()
            with contextlib.suppress(StoreError):  # then it is missed by the others in half a minute
                await self._replicas.leave()
            await self._writer.close()

    async def _restore_patiently(self, stop: asyncio.Event) -> Following | None:
        """Read the last values. None: `stop` was set before the server could be asked.

        To end here would only have whoever started this program start it again, and again.
        """
        can_wait = not self._store.is_prepared
        while not stop.is_set():
            try:
                return await self._restore()
            except PASSING as error:
                if not can_wait:
                    raise
                if self._missing != (missing := f"waiting for the database: {error}"):
                    self._log.error("the database is waited for", error=str(error), after_seconds=WAIT_SECONDS)
                self._missing = missing
            await pause(self._clock, WAIT_SECONDS, stop)
        return None

    async def _restore(self) -> Following:
        await asyncio.to_thread(self._store.prepare)
        await self._rename(self._live)
        await self._replicas.beat()
        following = Following(await asyncio.to_thread(self._store.activity))
        await self._display.restore()
        return following

    @property
    def lifecycle(self) -> bool:
        """Whether /-/reload is allowed."""
        return self._lifecycle

    @property
    def store(self) -> Store:
        """What the past is read from."""
        return self._store

    def view(self) -> MetricsView:
        """What is published now."""
        return MetricsView(
            snapshots=tuple(self._display.snapshots.values()),
            read_at=self._display.read_at,
            reload_successful=self._config_load.is_successful,
            reloaded_at=self._config_load.succeeded_at,
            reload_error=self._config_load.error,
            web_reload_successful=None if self._web_config_load is None else self._web_config_load.is_successful,
            web_reloaded_at=None if self._web_config_load is None else self._web_config_load.succeeded_at,
            web_reload_error=None if self._web_config_load is None else self._web_config_load.error,
            total_spend=self._display.total_spend,
            store_errors=self._store.error_counts,
            replicas=self._replicas.agreement.replicas,
            config_outdated=self._replicas.agreement.is_outdated,
            tallies=self._tallies,
        )

    def ready(self) -> tuple[bool, str]:
        """Whether the last values are restored."""
        return (True, "ready") if self._is_ready else (False, self._missing)

    def config_text(self) -> str:
        """The config in use, without secrets."""
        return self._live.shown

    async def details(self, target: str, before: int | None = None) -> Details | None:
        """The newest checks (with `before`, those older than that one), verdicts, errors and identities of a target."""
        return await self._display.details(target, before)

    async def reload(self) -> str | None:
        """Read the config file again and use it whole, or say what is wrong and go on with the old one.

        Whoever asks while a reload waits for its turn is told what comes of that one.
        """
        if self._next_reload is None:
            self._next_reload = asyncio.create_task(self._reload())
        return await asyncio.shield(self._next_reload)

    async def _reload(self) -> str | None:
        async with self._reloading:
            self._next_reload = None
            if self._is_stopping:
                return "the program is stopping; the next start reads the config"
            try:
                live = await asyncio.to_thread(self._load, self._config_file)
                require_same_storage(self._live.config, live.config)
                await self._swap(live)
            except ExporterError as error:
                self._config_load.fail(str(error))
                self._log.error("the config was not reloaded; the old one stays in use", error=str(error))
                return str(error)
            self._config_load.succeed()
            self._log.info("config reloaded", targets=len(live.targets))
            return None

    async def check_now(self, target: str, asked_by: str) -> Outcome:
        """Have the target's watch begin a check."""
        watch = self._watches.get(target)
        outcome = self._refuse(target) if watch is None else await watch.check_now()
        self._log.info("check asked for", target=target, asked_by=asked_by, outcome=outcome.kind.value, said=outcome.sentence)
        return outcome

    async def reset(self, target: str, asked_by: str) -> Outcome:
        """Write the decision, and show what follows from it."""
        outcome = self._refuse(target) if self._is_stopping or target not in self._watches else await self._reset(target)
        self._log.info("new baseline asked for", target=target, asked_by=asked_by, outcome=outcome.kind.value, said=outcome.sentence)
        return outcome

    def _refuse(self, target: str) -> Outcome:
        """What is told of a target that nobody watches."""
        if target not in self._live.targets:
            return Outcome(OutcomeKind.UNKNOWN_TARGET, f"{target!r} is not in the config")
        return Outcome(OutcomeKind.UNAVAILABLE, "the program has only begun, or stops; try again")

    async def _reset(self, target: str) -> Outcome:
        live = self._live.targets[target]
        try:
            await self._writer.call(self._store.add_event, reset_baseline(live, self._clock.now()))
        except StoreError as error:
            return Outcome(OutcomeKind.UNAVAILABLE, str(error))
        await self._display.refresh((target,))
        return Outcome(OutcomeKind.DONE, f"the next {live.target.decision.baseline_runs} runs of {target} become its new baseline")

    def handle_signals(self, stop: asyncio.Event) -> None:
        """SIGTERM and SIGINT stop, SIGHUP reloads."""
        loop = asyncio.get_running_loop()
        reloads: set[asyncio.Task[str | None]] = set()

        def reload() -> None:
            task = asyncio.create_task(self.reload())
            reloads.add(task)
            task.add_done_callback(reloads.discard)

        loop.add_signal_handler(signal.SIGTERM, stop.set)
        loop.add_signal_handler(signal.SIGINT, stop.set)
        loop.add_signal_handler(signal.SIGHUP, reload)

    async def _swap(self, live: LiveConfig) -> None:
        gone = [name for name in self._watches if name not in live.targets]
        await asyncio.gather(*(self._watches.pop(name).stop() for name in gone))
        self._replicas.adopt(live)
        try:
            await self._rename(live)
        except StoreError:
            self._replicas.adopt(self._live)
            for name in gone:  # the old config stays in use, with all of its targets
                self._start(name)
            raise
        self._live = live
        self._workshop.limiter.resize(live.config.concurrency)
        self._admission.resize(live.config.concurrency)
        await self._display.adopt(live)
        for name, target in live.targets.items():
            if name in self._watches:
                self._watches[name].adopt(target, live.config.total_budget)
        await self._start_all(name for name in live.targets if name not in self._watches)

    async def _rename(self, live: LiveConfig) -> None:
        """Carry history over to targets that had another name."""
        for name, formerly in find_renames(live, await asyncio.to_thread(self._store.targets)).items():
            await self._replicas.beat()  # whoever finds nothing under the old name has to hear why
            if await self._writer.call(self._store.rename_target, formerly, name):
                self._log.info("history carried over", target=name, formerly=formerly)

    async def _start_all(self, names: Iterable[str]) -> None:
        """A few at a time: the first steps of a thousand watches keep the event loop from everybody for a tenth of a second."""
        for count, name in enumerate(list(names), start=1):
            self._start(name)
            if count % _STARTED_AT_ONCE == 0:
                await self._clock.sleep(0)

    def _start(self, name: str) -> None:
        watch = Watch(
            self._workshop,
            self._admission,
            self._live.targets[name],
            self._live.config.total_budget,
            self._display.show,
            may_work=lambda: self._replicas.agreement.may_work_on(name),
            hear=self._replicas.hear,
        )
        self._watches[name] = watch
        watch.start()

    async def _poll(self, following: Following) -> None:
        """Notice what was done elsewhere (`baseline reset`, `check`, other replicas), a new day, and progress under way."""
        polls, day, trouble = 0, self._clock.now() // _DAY_SECONDS, ""
        while True:
            await self._clock.sleep(POLL_SECONDS)
            polls += 1
            await self._replicas.beat_if_possible()
            if not self._replicas.agreement.is_outdated:  # what the newest config still needs is known to whoever has loaded it
                self._housekeeper.remind(self._live)
            try:
                today = self._clock.now() // _DAY_SECONDS
                if today != day:
                    following.add(self._live.targets)
                    day = today
                await self._follow(following, with_progress=polls % _POLLS_A_REFRESH == 0)
            except StoreError as error:
                if not trouble:
                    self._log.error("the store could not be read; older values are shown", error=str(error))
                trouble = str(error)
                continue
            except Exception as error:  # polling must outlive what nobody foresaw, or decisions would go unnoticed
                self._log.error("unexpected failure; older values are shown", error=repr(error), exc_info=True)
                continue
            if trouble:
                self._log.info("the store is read again")
            trouble = ""

    async def _follow(self, following: Following, *, with_progress: bool) -> None:
        activity = await asyncio.to_thread(self._store.activity)
        decided = await asyncio.to_thread(self._store.decided_since, following.events_version)
        snapshots = self._display.snapshots
        shown = {name: sum(snapshot.counters.checks.values()) for name, snapshot in snapshots.items()}
        busy = [name for name, snapshot in snapshots.items() if snapshot.progress.in_progress or snapshot.progress.confirmation_pending]
        for name in following.notice(activity, decided, shown, busy, with_progress=with_progress):
            if name in self._watches:
                self._watches[name].look_again()
        if not self._replicas.agreement.is_outdated:  # else the newest config may still have what this one has not
            await self._abandoned.end({name: checks for name, checks in activity.under_way.items() if name not in self._live.targets})
        if stale := following.take(self._display.snapshots):
            try:
                await self._display.read(stale)
            except StoreError:
                following.add(stale)
                raise
        if following.is_up_to_date:
            self._display.confirm()
