"""Two services with one store: what each shows of the other's work, and whose config counts."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from exporter.daemon.housekeeping import Housekeeper
from exporter.daemon.replicas import BEAT_SECONDS
from exporter.daemon.service import POLL_SECONDS
from exporter.daemon.watch import ELSEWHERE_SECONDS
from exporter.errors import Problem, StoreReadOnlyError, StoreUnreachableError
from exporter.store import Activity, Store, open_store
from tests.daemon.serving import Serving, until
from tests.daemon.test_service import HeldProvider
from tests.daemon.world import QUESTIONS

OUTDATED, REPLICAS = "model_drift_config_outdated", "model_drift_replicas"
LEFT_ALONE = "another replica has loaded another config since; what it defines otherwise is left to it: reload, or load the same there"


@pytest.fixture
def serving(tmp_path: Path) -> Serving:
    return Serving(tmp_path)


def beside(first: Serving) -> Serving:
    """Another service with the same clock and the same store."""
    second = Serving(first.folder)
    second.clock = first.clock
    return second


def run(first: Serving, act: Callable[[], Awaitable[None]]) -> list[dict[str, object]]:
    """What was logged while `first` served and `act` went on."""

    async def go_on(_: Serving) -> None:
        await act()

    with capture_logs() as logs:
        first.run(go_on)
    return [dict(entry) for entry in logs]


async def pass_time(serving: Serving, seconds: float) -> None:
    """In steps of a poll: who waits looks at the clock now and then."""
    for _ in range(round(seconds / POLL_SECONDS)):
        serving.clock.advance(POLL_SECONDS)
        await asyncio.sleep(0.02)


async def become(serving: Serving, condition: Callable[[], bool]) -> None:
    """Let time pass until `condition` holds."""
    async with asyncio.timeout(120):
        while not condition():
            await pass_time(serving, POLL_SECONDS)


def test_one_service_by_itself_is_one_replica_and_its_config_is_the_newest(serving: Serving) -> None:
    serving.write("bot")

    async def act() -> None:
        await until(lambda: serving.kinds() == {"bot": "collecting"})
        assert (serving.series()[OUTDATED], serving.series()[REPLICAS]) == ("0.0", "1.0")

    run(serving, act)


def test_two_show_the_same_of_all_targets_and_count_each_other(serving: Serving) -> None:
    names = ["one", "two", "three"]
    serving.write(*names)
    second = beside(serving)

    async def both(_: Serving) -> None:
        await become(serving, lambda: serving.kinds() == second.kinds() == dict.fromkeys(names, "collecting"))
        await become(serving, lambda: (serving.series()[REPLICAS], second.series()[REPLICAS]) == ("2.0", "2.0"))
        await become(serving, lambda: shared(serving) == shared(second))
        assert serving.series()['model_drift_check_in_progress{target="one"}'] == "0.0"

    run(serving, lambda: second.serve(both))


def shared(serving: Serving) -> dict[str, str]:
    """What every replica should show alike: all but what belongs to a process."""
    own = ("request_duration", "log_messages", "store_errors", "snapshot_timestamp", "build_info", "python_", "process_")
    return {series: value for series, value in serving.series().items() if not any(word in series for word in own)}


def test_who_is_gone_is_counted_no_more(serving: Serving) -> None:
    serving.write("bot")
    second = beside(serving)

    async def act() -> None:
        async def both(_: Serving) -> None:
            await become(serving, lambda: serving.series()[REPLICAS] == "2.0")

        await second.serve(both)
        await become(serving, lambda: serving.series()[REPLICAS] == "1.0")

    run(serving, act)


def test_a_store_that_takes_no_word_is_told_once_and_what_is_in_it_is_shown_all_the_same(
    serving: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    serving.write("bot")

    def refuse(_: Store) -> bool:
        raise StoreReadOnlyError(Problem("storage", "cannot be written", "let it be written"))

    async def act() -> None:
        await until(lambda: serving.kinds() == {"bot": "collecting"})
        with monkeypatch.context() as patch:
            patch.setattr(Store, "beat", refuse)
            began_at = serving.clock.now()
            await become(serving, lambda: (serving.service.view().read_at or 0) > began_at + 5 * BEAT_SECONDS)

    told = [(entry["event"], entry["error"]) for entry in run(serving, act) if entry["log_level"] == "error"]
    assert told == [("the other replicas cannot be told that this one is there", "storage: cannot be written; let it be written")]


def test_an_older_config_says_so_goes_on_with_what_is_the_same_and_leaves_the_rest_alone(serving: Serving) -> None:
    """A forgotten replica, or the old one in a rolling update."""
    daily = {"schedule": {"cron": "0 9 * * *", "spread": "0s"}}
    serving.write({"name": "same", **daily}, {"name": "changed", **daily}, {"name": "gone", **daily})
    second = beside(serving)

    async def act() -> None:
        await until(lambda: serving.kinds() == dict.fromkeys(("same", "changed", "gone"), "collecting"))
        serving.write({"name": "same", **daily}, {"name": "changed", **daily, "system": "Be brief."})
        await second.serve(rolled)

    async def rolled(_: Serving) -> None:
        await become(serving, lambda: serving.series()[OUTDATED] == "1.0")
        assert second.series()[OUTDATED] == "0.0"
        refused = await serving.service.check_now("changed", "a test")
        assert refused.kind.value == "unavailable"
        assert refused.sentence == (
            "changed is not checked here: another replica has loaded another config of it since; reload this one, or ask that one"
        )
        assert (await serving.service.check_now("same", "a test")).kind.value == "done"
        assert await serving.service.reload() is None
        await become(serving, lambda: second.series()[OUTDATED] == "0.0" and serving.series()[OUTDATED] == "0.0")

    logs = run(serving, act)
    told = [(entry["event"], entry["left_alone"]) for entry in logs if entry["event"] == LEFT_ALONE]
    assert told == [(LEFT_ALONE, "changed, gone")]


def test_an_older_config_tidies_nothing(serving: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a target needs of its past is not known where the target is not."""
    tidied: list[tuple[str, ...]] = []
    monkeypatch.setattr(Housekeeper, "remind", lambda _, live: tidied.append(tuple(live.targets)))
    serving.write("bot")
    second = beside(serving)

    async def rolled(_: Serving) -> None:
        await become(serving, lambda: serving.series()[OUTDATED] == "1.0")
        tidied.clear()
        began_at = serving.clock.now()
        await become(serving, lambda: len(tidied) > 5 and (serving.service.view().read_at or 0) > began_at + 5 * POLL_SECONDS)

    async def act() -> None:
        await until(lambda: serving.kinds() == {"bot": "collecting"})
        assert set(tidied) <= {("bot",)}
        serving.write("bot", "new")
        await second.serve(rolled)

    run(serving, act)
    assert set(tidied) == {("bot", "new")}


def test_a_config_that_is_loaded_while_the_one_before_is_announced_is_announced_too(
    serving: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    serving.write("bot")
    asked, letting = threading.Event(), threading.Event()
    announce = Store.announce

    def announce_slowly(store: Store, *said: Any) -> None:
        announce(store, *said)
        asked.set()
        letting.wait()

    async def act() -> None:
        await until(lambda: serving.kinds() == {"bot": "collecting"})
        monkeypatch.setattr(Store, "announce", announce_slowly)
        serving.write({"name": "bot", "system": "Be brief."})
        assert await serving.service.reload() is None
        await become(serving, asked.is_set)
        serving.write({"name": "bot", "system": "Be exact."})
        assert await serving.service.reload() is None
        letting.set()
        await pass_time(serving, 2 * BEAT_SECONDS)
        assert serving.series()[OUTDATED] == "0.0"

    assert LEFT_ALONE not in [entry["event"] for entry in run(serving, act)]


def test_a_target_that_was_renamed_elsewhere_is_not_begun_anew_under_its_old_name(serving: Serving) -> None:
    serving.write("bot")
    second = beside(serving)

    async def act() -> None:
        await until(lambda: serving.kinds() == {"bot": "collecting"})
        serving.write({"name": "robot", "formerly": "bot"})
        await second.serve(rolled)

    async def rolled(_: Serving) -> None:
        await become(serving, lambda: serving.series()[OUTDATED] == "1.0")
        await pass_time(serving, 60)

    run(serving, act)
    assert len(serving.providers["bot"].asked) == QUESTIONS
    with closing(open_store(f"sqlite:///{serving.folder}/history.db")) as later:
        assert later.targets() == ["robot"]


def test_a_config_that_nobody_runs_any_more_counts_for_nothing(serving: Serving) -> None:
    """A rollout that failed: its replica came and went."""
    serving.write("bot")
    second = beside(serving)

    async def act() -> None:
        await until(lambda: serving.kinds() == {"bot": "collecting"})
        serving.write({"name": "bot", "system": "Be brief."})
        await second.serve(lambda _: become(serving, lambda: serving.series()[OUTDATED] == "1.0"))
        await become(serving, lambda: serving.series()[OUTDATED] == "0.0")

    logs = run(serving, act)
    assert [entry["event"] for entry in logs if entry["event"] == "the config is the newest again"] == ["the config is the newest again"]


def test_a_retry_that_is_due_by_what_another_did_is_made_though_that_one_is_gone(serving: Serving) -> None:
    """Who sleeps until tomorrow is woken by the poll: its next check may be another one now."""
    serving.write("bot", schedule={"cron": "0 9 * * *", "spread": "0s"})
    second = beside(serving)

    async def act() -> None:
        await until(lambda: serving.kinds() == {"bot": "collecting"})
        second.unopenable.add("bot")
        await second.serve(manual_check)
        await become(serving, lambda: serving.series()['model_drift_checks_total{result="collecting",target="bot"}'] == "2.0")

    async def manual_check(_: Serving) -> None:
        await until(lambda: second.service.ready() == (True, "ready"))
        await pass_time(serving, POLL_SECONDS)
        assert (await second.service.check_now("bot", "a test")).kind.value == "done"

    run(serving, act)
    assert len(serving.providers["bot"].asked) == 2 * QUESTIONS


def test_a_database_that_is_away_is_told_once_and_what_is_shown_grows_old_until_it_is_back(
    serving: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    serving.write("bot")
    activity = Store.activity
    away = False

    def ask(store: Store) -> Activity:
        if away:
            raise StoreUnreachableError(Problem("storage", "cannot be reached", "wait"))
        return activity(store)

    monkeypatch.setattr(Store, "activity", ask)

    async def act() -> None:
        nonlocal away
        await until(lambda: serving.kinds() == {"bot": "collecting"})
        await become(serving, lambda: serving.service.view().read_at == serving.clock.now())
        away = True
        await become(serving, lambda: "the store could not be read; older values are shown" in [entry["event"] for entry in logs])
        left_at = serving.service.view().read_at
        await pass_time(serving, 60)
        assert serving.service.view().read_at == left_at
        assert serving.service.ready() == (True, "ready")
        away = False
        await become(serving, lambda: "the store is read again" in [entry["event"] for entry in logs])
        assert serving.service.view().read_at != left_at

    with capture_logs() as logs:
        serving.run(lambda _: act())
    told = [entry["event"] for entry in logs if "store" in str(entry["event"])]
    assert told == ["the store could not be read; older values are shown", "the store is read again"]


def test_a_run_under_way_ends_as_it_began_though_its_config_is_outdated_meanwhile(serving: Serving) -> None:
    serving.providers["bot"] = slow = HeldProvider()
    serving.write("bot")
    second = beside(serving)

    async def act() -> None:
        await until(lambda: slow.under_way == 4)
        serving.write({"name": "bot", "system": "Be brief."})
        await second.serve(outdated)

    async def outdated(_: Serving) -> None:
        await become(serving, lambda: serving.series()[OUTDATED] == "1.0")
        slow.letting.set()
        await until(lambda: serving.kinds() == {"bot": "collecting"})
        await pass_time(serving, 2 * ELSEWHERE_SECONDS)

    run(serving, act)
    assert len(slow.asked) == QUESTIONS
    assert "bot" not in second.providers


def test_who_was_forgotten_announces_itself_again(serving: Serving) -> None:
    """As after a day without the database."""
    serving.write("bot")

    async def act() -> None:
        await until(lambda: serving.kinds() == {"bot": "collecting"})
        serving.store.leave()
        assert serving.store.replicas() == []
        await become(serving, lambda: len(serving.store.replicas()) == 1)

    run(serving, act)
    with closing(open_store(f"sqlite:///{serving.folder}/history.db")) as later:
        assert later.replicas() == []  # and signs off when it stops
