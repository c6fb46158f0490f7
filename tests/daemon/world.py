"""A made-up world for the daemon: one target, a provider that answers as told, a real store, a clock that moves when told."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from exporter.config import Target, parse_config
from exporter.daemon.admission import Admission
from exporter.daemon.check import Checker, Workshop
from exporter.daemon.live import LiveTarget, build_target
from exporter.daemon.watch import Watch
from exporter.probing.limiter import Limiter
from exporter.records import Answer, Charge, Check, CheckKind, Evidence, Identity, Reason, Request, Usage, Verdict
from exporter.store import Store, Writer, open_store
from tests.fakes import FakeClock

CONFIG = """
storage: sqlite:///{storage}
schedule: {{cron: "0 9 * * *", spread: 0s}}
decision: {{baseline_min_gap: 12h, confirm_after: 1h}}
targets:
  - name: bot
    api: openai_chat
    base_url: http://127.0.0.1:9/v1
    model: model-1
    suites: [questions.yml]
    price: {{input_usd_per_mtok: 1, output_usd_per_mtok: 2}}
    concurrency: 1
"""

QUESTIONS = 12
AREAS = ("one", "two", "three")


def suite_text() -> str:
    """Twelve questions in three areas; the right answer to `question-N` is N."""
    lines = ["suite: made-up", "questions:"]
    for number in range(1, QUESTIONS + 1):
        lines += [
            f"  - id: question-{number}",
            f"    area: {AREAS[number % 3]}",
            f'    prompt: "Which number does question {number} bear?"',
            "    extract: full",
            f"    grader: {{kind: exact, answers: ['{number}']}}",
            f"    reference: '{number}'",
            "    max_tokens: 64",
        ]
    return "\n".join(lines)


@dataclass
class FakeProvider:
    """Answers by question id, or fails with a Reason; counts what it was asked. `on_ask` may interfere.

    The ask of number `hang_at` is never answered, and sets `hung`.
    """

    lost: set[str] = field(default_factory=set)
    fails: Reason | None = None
    served_model: str = "model-1"
    output_tokens: int = 10
    asked: list[str] = field(default_factory=list)
    on_ask: Callable[[int], None] | None = None
    hang_at: int | None = None
    evidence: Evidence = Evidence.WEAK
    host: str = "127.0.0.1:9"
    hung: asyncio.Event = field(default_factory=asyncio.Event)

    async def ask(self, request: Request) -> Answer:
        number = request.prompt.split()[-2]
        self.asked.append(f"question-{number}")
        if self.on_ask is not None:
            self.on_ask(len(self.asked))
        if len(self.asked) == self.hang_at:
            self.hung.set()
            await asyncio.Event().wait()
        await asyncio.sleep(0)
        if self.fails is not None:
            return Answer(reason=self.fails, charge=Charge.NOTHING, message=f"the provider says {self.fails}")
        return Answer(
            text="wrong" if f"question-{number}" in self.lost else number,
            usage=Usage(20, self.output_tokens),
            charge=Charge.REPORTED,
            identity=Identity(self.served_model),
            finish_reason="stop",
            latency_seconds=0.5,
        )

    async def aclose(self) -> None:
        """Nothing is open."""


class World:
    """Everything one target needs, in a folder. Use as a context manager."""

    def __init__(self, folder: Path, changes: Mapping[str, object] | None = None) -> None:
        self.folder = folder
        (folder / "questions.yml").write_text(suite_text())
        self.config = parse_config(CONFIG.format(storage=folder / "history.db"), "config.yml", folder)
        self.provider = FakeProvider()
        self.total = self.config.total_budget
        self.clock = FakeClock()
        self.waits: list[str] = []
        self.booked: list[tuple[str, int]] = []
        self.store: Store = open_store(self.config.storage)
        self.live = self.build(changes or {})

    def build(self, changes: Mapping[str, object]) -> LiveTarget:
        """The target with keys of its config changed; a `decision` is laid over the present one."""
        target: Target = self.config.targets[0]
        updates = dict(changes)
        if "decision" in updates:
            updates["decision"] = target.decision.model_copy(update=updates["decision"])  # type: ignore[arg-type]  # a mapping
        changed = target.model_copy(update=updates)
        live = build_target(changed, self.folder)
        return LiveTarget(live.target, live.questions, live.price, live.protocol, Evidence.WEAK, live.provider)

    def workshop(self, writer: Writer) -> Workshop:
        """What checks are made with; every one is asked of `provider`."""
        return Workshop(self.store, writer, self.clock, Limiter(64), open_provider=lambda target, clock: self.provider)

    def check(self, *, after: float = 86400.0, at_once: bool = True, kind: CheckKind = CheckKind.MANUAL) -> Verdict | None:
        """One check, `after` seconds later."""
        self.clock.advance(after)

        async def claim(checker: Checker) -> Check:
            check = await checker.claim(kind, self.clock.now())
            assert check is not None
            return check

        return self._take_on(claim, at_once=at_once)

    def go_on(self, check: Check) -> Verdict | None:
        """Take up a check that was left open, as another program does."""

        async def find(_: Checker) -> Check:
            return check

        return self._take_on(find, at_once=True)

    def _take_on(self, find: Callable[[Checker], Awaitable[Check]], *, at_once: bool) -> Verdict | None:
        async def make() -> Verdict | None:
            writer = Writer(self.store.batch)
            try:
                checker = Checker(
                    self.workshop(writer),
                    self.live,
                    self.total,
                    confirm_at_once=at_once,
                    on_wait=lambda refusal: self.waits.append(str(refusal)),
                    on_booked=lambda target, requests: self.booked.append((target, requests)),
                )
                return await checker.go_on(await find(checker))
            finally:
                await writer.close()

        return asyncio.run(make())

    def watch(self, until: float) -> list[str]:
        """Let the daemon's watch run until the clock has reached `until`; returns the names it published, in order.

        Where the provider hangs, the watch is given up on the spot, as if the program had died.
        """
        published: list[str] = []

        async def live_on() -> None:
            writer = Writer(self.store.batch)
            stopped = asyncio.Event()
            self.provider.hung = asyncio.Event()  # an event belongs to one loop

            async def publish(name: str) -> None:
                published.append(name)

            class Clock:
                now = staticmethod(self.clock.now)
                monotonic = staticmethod(self.clock.monotonic)

                @staticmethod
                async def sleep(seconds: float) -> None:
                    if self.clock.now() >= until:
                        stopped.set()
                        await asyncio.Event().wait()
                    await self.clock.sleep(seconds)

            workshop = Workshop(self.store, writer, Clock(), Limiter(64), open_provider=lambda target, clock: self.provider)

            async def hear() -> None:
                """There is nobody else."""

            watch = Watch(workshop, Admission(64, Clock()), self.live, self.total, publish, may_work=lambda: True, hear=hear)
            watch.start()
            ends = {asyncio.create_task(stopped.wait()), asyncio.create_task(self.provider.hung.wait())}
            _, waiting = await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
            for task in waiting:
                task.cancel()
            stopping = asyncio.create_task(watch.stop())
            while self.provider.hung.is_set() and not stopping.done():
                for task in asyncio.all_tasks():
                    if task.get_name() == f"watch {self.live.name}":
                        task.cancel()
                await asyncio.sleep(0)
            await stopping
            await writer.close()

        asyncio.run(live_on())
        return published

    def kinds(self) -> list[str]:
        """Verdicts so far, oldest first."""
        return [verdict.kind.value for verdict in reversed(self.store.verdicts("bot", 1000))]

    def __enter__(self) -> World:
        return self

    def __exit__(self, *_: object) -> None:
        self.store.close()
