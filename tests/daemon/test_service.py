"""The service around the watches: what it reloads, notices, limits and outlives."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from exporter.daemon.live import LiveConfig
from exporter.daemon.service import POLL_SECONDS
from exporter.errors import Problem, StoreLockedError
from exporter.records import Answer, BaselineEvent, EventKind, Request, SpendPeriod
from exporter.store import open_store
from tests.daemon.serving import Serving, until
from tests.daemon.world import QUESTIONS, FakeProvider

HOUR, DAY = 3600.0, 86400.0
NOT_READ = "the store could not be read; older values are shown"


class HeldProvider(FakeProvider):
    """Answers once it is let, and notes at each how many it has at once."""

    def __init__(self) -> None:
        super().__init__()
        self.letting = asyncio.Event()
        self.under_way = 0
        self.seen: list[int] = []

    async def ask(self, request: Request) -> Answer:
        self.under_way += 1
        self.seen.append(self.under_way)
        await self.letting.wait()
        try:
            return await super().ask(request)
        finally:
            self.under_way -= 1


def passing(serving: Serving, seconds: float, condition: Callable[[], bool]) -> Callable[[], bool]:
    """The condition, before each look at which time passes: who is not asleep yet will sleep from then on."""

    def look() -> bool:
        serving.clock.advance(seconds)
        return condition()

    return look


@pytest.fixture
def serving(tmp_path: Path) -> Serving:
    return Serving(tmp_path)


def test_targets_that_are_due_at_once_share_the_requests_that_may_be_under_way(serving: Serving) -> None:
    names = [f"target-{number}" for number in range(10)]
    shared = HeldProvider()
    serving.providers = dict.fromkeys(names, shared)
    serving.write(*names, concurrency=3)

    async def act(serving: Serving) -> None:
        await until(lambda: shared.under_way == 3)
        shared.letting.set()
        await until(lambda: serving.kinds() == dict.fromkeys(names, "collecting"))

    serving.run(act)
    assert max(shared.seen) == 3
    assert len(shared.asked) == 10 * QUESTIONS


def test_a_targets_trouble_delays_no_other(serving: Serving) -> None:
    serving.providers["hung"] = hung = HeldProvider()
    serving.unopenable.add("broken")
    serving.write("hung", "broken", "good")

    async def act(serving: Serving) -> None:
        await until(lambda: hung.under_way == 4 and "error" in [entry["log_level"] for entry in logs])
        await until(lambda: serving.kinds() == {"hung": None, "broken": None, "good": "collecting"})
        hung.letting.set()
        serving.unopenable.clear()
        await until(lambda: serving.kinds().get("hung") == "collecting")
        await until(passing(serving, 1, lambda: serving.kinds()["broken"] == "collecting"))

    with capture_logs() as logs:
        serving.run(act)
    told = [(entry["target"], entry["event"], entry["error"]) for entry in logs if entry["log_level"] == "error"]
    assert told == [("broken", "unexpected failure; trying again", "RuntimeError('no provider today')")]


def test_what_has_no_place_yet_is_not_claimed(serving: Serving) -> None:
    shared = HeldProvider()  # which of the two comes first is chance
    serving.providers = {"first": shared, "second": shared}
    serving.write("first", "second", concurrency=1)

    async def act(serving: Serving) -> None:
        await until(lambda: shared.under_way == 1)
        assert len(serving.store.checks("first", 1) + serving.store.checks("second", 1)) == 1
        shared.letting.set()
        await until(lambda: serving.kinds() == {"first": "collecting", "second": "collecting"})

    serving.run(act)


def test_what_another_program_decides_is_shown_within_seconds(serving: Serving) -> None:
    serving.write("bot", "other")

    async def act(serving: Serving) -> None:
        await until(lambda: serving.kinds() == {"bot": "collecting", "other": "collecting"})
        assert serving.series()['model_drift_baseline_runs{target="bot"}'] == "1.0"
        elsewhere = open_store(f"sqlite:///{serving.folder}/history.db")
        elsewhere.add_event(BaselineEvent(0, "bot", EventKind.RESET, serving.clock.now() + 1))
        elsewhere.close()
        await until(passing(serving, POLL_SECONDS, lambda: serving.series()['model_drift_baseline_runs{target="bot"}'] == "0.0"))
        assert serving.series()['model_drift_baseline_runs{target="other"}'] == "1.0"

    serving.run(act)


def test_what_is_shown_grows_old_only_where_the_store_cannot_be_asked(serving: Serving) -> None:
    serving.write("bot")

    async def act(serving: Serving) -> None:
        await until(lambda: serving.kinds() == {"bot": "collecting"})
        shown_at = serving.clock.now()
        await until(passing(serving, POLL_SECONDS, lambda: (serving.service.view().read_at or 0) > shown_at))
        serving.store.close()
        (serving.folder / "history.db").write_bytes(b"no database" * 1000)
        damaged_at = serving.clock.now()
        await until(passing(serving, POLL_SECONDS, lambda: NOT_READ in [entry["event"] for entry in logs]))
        assert (serving.service.view().read_at or 0) <= damaged_at

    with capture_logs() as logs:
        serving.run(act)


def garble_the_verdicts(serving: Serving, target: str) -> None:
    with closing(sqlite3.connect(serving.folder / "history.db")) as connection, connection:
        connection.execute("UPDATE verdicts SET record = 'nothing' WHERE target = ?", (target,))


def test_one_targets_damaged_past_is_told_once_and_keeps_no_other_from_being_shown(serving: Serving) -> None:
    serving.write("bad", "good")

    async def act(serving: Serving) -> None:
        await until(lambda: serving.kinds() == {"bad": "collecting", "good": "collecting"})
        garble_the_verdicts(serving, "bad")
        began_at = serving.clock.now()
        # With each day every target is read again.
        await until(passing(serving, HOUR, lambda: serving.snapshots()["good"].read_at > began_at + 3 * DAY))
        await until(passing(serving, HOUR, lambda: (serving.service.view().read_at or 0) > began_at + 3 * DAY))
        assert serving.kinds() == {"bad": "collecting", "good": "collecting"}
        assert serving.snapshots()["bad"].read_at <= began_at
        garble_the_verdicts(serving, "good")
        await until(passing(serving, HOUR, lambda: NOT_READ in [entry["event"] for entry in logs]))

    with capture_logs() as logs:
        serving.run(act)
    told = [entry["target"] for entry in logs if entry["event"] == "what is known of a target cannot be read; older values are shown"]
    assert told == ["bad", "good"]


def test_a_new_day_begins_with_nothing_spent(serving: Serving) -> None:
    serving.write("bot")

    async def act(serving: Serving) -> None:
        def spent_today() -> float | None:
            return {spend.period: spend.spent_usd for spend in serving.snapshots()["bot"].spend}[SpendPeriod.DAY]

        await until(lambda: serving.kinds() == {"bot": "collecting"})
        assert spent_today() == pytest.approx(QUESTIONS * (20 * 1 + 10 * 2) / 1e6)
        await until(passing(serving, HOUR, lambda: spent_today() == 0))

    serving.run(act)


def test_a_reload_starts_and_ends_what_has_changed_and_lets_the_rest_go_on(serving: Serving) -> None:
    serving.providers["stays"] = stays = HeldProvider()
    serving.write("stays", "goes", "old")

    async def act(serving: Serving) -> None:
        await until(lambda: stays.under_way == 4 and serving.kinds() == {"stays": None, "goes": "collecting", "old": "collecting"})
        serving.write("comes", {"name": "new", "formerly": "old"}, "stays", concurrency=6)
        assert await serving.service.reload() is None
        assert list(serving.snapshots()) == ["comes", "new", "stays"]
        await until(lambda: serving.kinds() == {"comes": "collecting", "new": "collecting", "stays": None})
        stays.letting.set()
        await until(lambda: serving.kinds()["stays"] == "collecting")
        assert serving.series()['model_drift_checks_total{result="collecting",target="new"}'] == "1.0"

    serving.run(act)
    assert sorted(serving.providers) == ["comes", "goes", "old", "stays"]
    assert stays.asked == [f"question-{number}" for number in range(1, QUESTIONS + 1)]


def test_a_reload_changes_how_many_requests_may_be_under_way(serving: Serving) -> None:
    names = ["one", "two", "three"]
    shared = HeldProvider()
    serving.providers = dict.fromkeys(names, shared)
    serving.write(*names, concurrency=2)

    async def act(serving: Serving) -> None:
        await until(lambda: shared.under_way == 2)
        serving.write(*names, concurrency=7)
        await serving.service.reload()
        await until(lambda: shared.under_way == 7)
        serving.write(*names, concurrency=1)
        await serving.service.reload()
        shared.letting.set()
        await until(lambda: serving.kinds() == dict.fromkeys(names, "collecting"))

    serving.run(act)
    assert set(shared.seen[7:]) == {1}


def test_what_stays_is_told_of_once_every_target_is_watched(serving: Serving) -> None:
    names = [f"bot-{number}" for number in range(40)]
    serving.write(*names)
    begun: list[int] = []
    serving.when_started = lambda: begun.append(sum(task.get_name().startswith("watch bot-") for task in asyncio.all_tasks()))

    async def act(serving: Serving) -> None:
        await until(lambda: bool(begun))

    serving.run(act)
    assert begun == [40]


def test_another_storage_is_not_reloaded(serving: Serving) -> None:
    serving.write("bot")

    async def act(serving: Serving) -> None:
        await until(lambda: serving.kinds() == {"bot": "collecting"})
        serving.write("bot", storage="sqlite:///elsewhere.db")
        refused = await serving.service.reload()
        assert refused == f"{serving.folder}/config.yml:2: storage: cannot be changed by a reload; restart the program"
        assert serving.series()["model_drift_config_last_reload_successful"] == "0.0"
        assert serving.service.view().reload_error == refused

    serving.run(act)


def test_a_reload_that_fails_at_the_store_leaves_every_target_watched(serving: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    serving.providers["slow"] = slow = HeldProvider()
    serving.write("slow", "old")

    def refuse(old: str, new: str) -> bool:
        raise StoreLockedError(Problem("history.db", f"is locked, {old} stays {old}", "try again"))

    async def act(serving: Serving) -> None:
        await until(lambda: slow.under_way == 4 and serving.kinds()["old"] == "collecting")
        monkeypatch.setattr(serving.store, "rename_target", refuse)
        serving.write({"name": "new", "formerly": "old"})
        reloading = asyncio.create_task(serving.service.reload())
        await asyncio.sleep(0)
        slow.letting.set()
        assert await reloading == "history.db: is locked, old stays old; try again"
        await until(lambda: serving.kinds() == {"slow": "collecting", "old": "collecting"})

    serving.run(act)
    assert len(slow.asked) == QUESTIONS


def test_a_reload_before_the_first_values_are_read_waits_and_one_at_the_end_is_refused(serving: Serving) -> None:
    serving.write("bot")

    async def act(serving: Serving) -> None:
        serving.write("bot", "more")
        await asyncio.sleep(0)
        assert serving.service.ready() == (False, "reading the last values from the store")
        assert await serving.service.reload() is None
        await until(lambda: serving.kinds() == {"bot": "collecting", "more": "collecting"})

    serving.run(act)
    assert {name: len(provider.asked) for name, provider in serving.providers.items()} == {"bot": QUESTIONS, "more": QUESTIONS}
    assert asyncio.run(serving.service.reload()) == "the program is stopping; the next start reads the config"


def test_a_crowd_of_reloads_is_one_under_way_and_one_after_it(serving: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    serving.write("bot")
    loaded: list[Path] = []

    async def act(serving: Serving) -> None:
        await until(lambda: serving.kinds() == {"bot": "collecting"})
        load = serving.service._load

        def note(path: Path) -> LiveConfig:
            loaded.append(path)
            return load(path)

        monkeypatch.setattr(serving.service, "_load", note)
        crowd = [asyncio.create_task(serving.service.reload()) for _ in range(20)]
        await until(lambda: len(loaded) == 1)
        crowd += [asyncio.create_task(serving.service.reload()) for _ in range(20)]
        assert await asyncio.gather(*crowd) == [None] * 40

    serving.run(act)
    assert len(loaded) == 2
