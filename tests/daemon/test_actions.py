"""A check asked for at once, and a new baseline, in the running daemon."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from exporter.daemon.service import Service
from exporter.daemon.watch import PAUSE_SECONDS
from exporter.errors import Problem, StoreLockedError
from exporter.records import CheckKind, CheckState
from exporter.store import open_store
from exporter.web import Outcome, OutcomeKind
from tests.daemon.serving import Serving, until
from tests.daemon.test_service import HeldProvider
from tests.daemon.world import QUESTIONS

EIGHT = 1_800_000_000.0
"""2027-01-15 08:00:00 UTC, when the clock of `Serving` starts."""

MINUTE, HOUR, DAY = 60.0, 3600.0, 86_400.0
NINE_DAILY = {"cron": "0 9 * * *", "spread": "0s"}
LOST = {"question-1", "question-2", "question-3", "question-4"}


@pytest.fixture
def serving(tmp_path: Path) -> Serving:
    made = Serving(tmp_path)
    made.write("bot", schedule=NINE_DAILY, decision={"baseline_runs": 3, "baseline_min_gap": "0s"})
    return made


def checks(serving: Serving) -> list[tuple[int, str, str]]:
    """Id, kind and claim of each check, oldest first."""
    return [
        (check.id, check.kind.value, datetime.fromtimestamp(check.claimed_at, UTC).strftime("%d %H:%M"))
        for check in reversed(serving.store.checks("bot", 100))
    ]


def all_closed(serving: Serving, number: int) -> Callable[[], bool]:
    """Whether so many checks were made and are shown, and none is under way."""

    def look() -> bool:
        shown = serving.snapshots().get("bot")
        return shown is not None and sum(shown.counters.checks.values()) == number and not shown.progress.in_progress

    return look


def run(serving: Serving, act: Callable[[Serving], Awaitable[None]]) -> None:
    """Serve for as long as `act` takes, but not for ever where a question is never answered."""

    async def bounded(serving: Serving) -> None:
        try:
            async with asyncio.timeout(300):
                await act(serving)
        finally:
            for provider in serving.providers.values():
                if isinstance(provider, HeldProvider):
                    provider.letting.set()

    serving.run(bounded)


async def pass_time(serving: Serving, to: float) -> None:
    """Until that many seconds after eight o'clock, in steps of minutes: who waits looks at the clock now and then."""
    while serving.clock.now() < EIGHT + to:
        serving.clock.advance(MINUTE)
        for _ in range(10):  # so that who woke sleeps again before time goes on
            await asyncio.sleep(0)


def test_a_check_that_is_asked_for_is_made_at_once_and_the_scheduled_ones_stay_as_they_are(serving: Serving) -> None:
    held = HeldProvider()
    held.letting.set()
    serving.providers["bot"] = held

    async def act(serving: Serving) -> None:
        service = serving.service
        await until(all_closed(serving, 1))
        await pass_time(serving, HOUR)
        await until(all_closed(serving, 2))
        await pass_time(serving, 2 * HOUR + 3 * MINUTE)
        held.letting.clear()
        assert await service.check_now("bot", "10.0.0.7") == Outcome(OutcomeKind.DONE, "check 3 of bot has begun", 3)
        assert await service.check_now("bot", "10.0.0.8") == Outcome(OutcomeKind.UNDER_WAY, "check 3 of bot is under way", 3)
        await until(lambda: serving.snapshots()["bot"].progress.in_progress)
        held.letting.set()
        await until(all_closed(serving, 3))
        assert serving.kinds() == {"bot": "baseline_ready"}
        reset = await service.reset("bot", "alice at 10.0.0.7")
        assert reset == Outcome(OutcomeKind.DONE, "the next 3 runs of bot become its new baseline")
        assert serving.snapshots()["bot"].verdict.standing == "collecting"  # type: ignore[union-attr]  # it has one
        assert serving.series()['model_drift_baseline_runs{target="bot"}'] == "0.0"
        await pass_time(serving, DAY + HOUR)
        await until(all_closed(serving, 4))
        assert serving.kinds() == {"bot": "collecting"}
        assert serving.series()['model_drift_baseline_runs{target="bot"}'] == "1.0"
        assert checks(serving) == [
            (1, "scheduled", "15 08:00"),
            (2, "scheduled", "15 09:00"),
            (3, "manual", "15 10:03"),
            (4, "scheduled", "16 09:00"),
        ]

    with capture_logs() as logs:
        run(serving, act)
    assert [(log["event"], log["asked_by"], log["outcome"], log["said"]) for log in logs if "asked_by" in log] == [
        ("check asked for", "10.0.0.7", "done", "check 3 of bot has begun"),
        ("check asked for", "10.0.0.8", "under_way", "check 3 of bot is under way"),
        ("new baseline asked for", "alice at 10.0.0.7", "done", "the next 3 runs of bot become its new baseline"),
    ]


def test_of_two_who_ask_in_one_moment_one_gets_the_check(serving: Serving) -> None:
    async def act(serving: Serving) -> None:
        await until(all_closed(serving, 1))
        serving.clock.advance(1)
        told = list(await asyncio.gather(serving.service.check_now("bot", "a"), serving.service.check_now("bot", "b")))
        assert told == [
            Outcome(OutcomeKind.DONE, "check 2 of bot has begun", 2),
            Outcome(OutcomeKind.UNDER_WAY, "a check of bot was asked for in this moment"),
        ]
        await until(all_closed(serving, 2))

    run(serving, act)


def test_a_check_that_waits_for_its_second_run_is_under_way_and_keeps_its_hour(serving: Serving) -> None:
    serving.providers["bot"] = held = HeldProvider()
    held.letting.set()

    async def act(serving: Serving) -> None:
        for number in range(1, 4):
            await until(all_closed(serving, number))
            serving.clock.advance(1)
            assert (await serving.service.check_now("bot", "me")).check_id == number + 1
        await until(all_closed(serving, 4))
        held.lost = LOST
        serving.clock.advance(MINUTE)
        await serving.service.check_now("bot", "me")
        await until(lambda: serving.snapshots()["bot"].progress.confirm_at is not None)
        asked = len(held.asked)
        outcome = await serving.service.check_now("bot", "me")
        said = "check 5 of bot waits for its second run, due at 2027-01-15 09:01 UTC"
        assert outcome == Outcome(OutcomeKind.UNDER_WAY, said, 5)
        assert len(held.asked) == asked
        assert serving.store.open_checks("bot")[0].state is CheckState.CONFIRMING
        held.letting.clear()
        await pass_time(serving, HOUR + 2 * MINUTE)
        await until(lambda: held.under_way == 4)
        assert await serving.service.check_now("bot", "me") == Outcome(OutcomeKind.UNDER_WAY, "check 5 of bot is under way", 5)

    serving.write("bot", decision={"baseline_runs": 3, "baseline_min_gap": "0s"})
    run(serving, act)


def test_where_a_check_is_due_in_that_moment_it_is_that_one(serving: Serving) -> None:
    async def act(serving: Serving) -> None:
        await until(all_closed(serving, 1))
        serving.clock.advance(HOUR - 1)
        asking = asyncio.create_task(serving.service.check_now("bot", "me"))
        serving.clock.advance(1)
        assert await asking == Outcome(OutcomeKind.DONE, "check 2 of bot has begun", 2)
        await until(all_closed(serving, 2))
        assert checks(serving)[1:] == [(2, "scheduled", "15 09:00")]

    run(serving, act)


def test_who_asks_of_a_store_in_trouble_is_told_so_and_may_ask_again_at_once(serving: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise StoreLockedError(Problem("history.db", "is locked", "stop the other program"))

    async def act(serving: Serving) -> None:
        await until(all_closed(serving, 1))
        serving.clock.advance(1)
        with monkeypatch.context() as patch:
            patch.setattr(serving.store, "claim_check", refuse)
            patch.setattr(serving.store, "add_event", refuse)
            locked = Outcome(OutcomeKind.UNAVAILABLE, "history.db: is locked; stop the other program")
            assert await serving.service.check_now("bot", "me") == locked
            assert await serving.service.reset("bot", "me") == locked
        assert (await serving.service.check_now("bot", "me")).kind is OutcomeKind.DONE
        await until(all_closed(serving, 2))

    with capture_logs() as logs:
        run(serving, act)
    assert [(log["event"], log["after_seconds"]) for log in logs if log["log_level"] == "error"] == [
        ("the check cannot go on; trying again", PAUSE_SECONDS)
    ]


def test_a_check_that_another_program_has_begun_is_under_way(serving: Serving) -> None:
    async def act(serving: Serving) -> None:
        await until(all_closed(serving, 1))
        elsewhere = open_store(f"sqlite:///{serving.folder}/history.db")
        with elsewhere.turn("bot"):
            serving.clock.advance(1)
            assert elsewhere.claim_check("bot", CheckKind.MANUAL, serving.clock.now(), serving.clock.now()) is not None
            first = await serving.service.check_now("bot", "me")  # open checks may have been looked for just before
            second = await serving.service.check_now("bot", "me")
        elsewhere.close()
        assert first.kind is OutcomeKind.UNDER_WAY
        assert second == Outcome(OutcomeKind.UNDER_WAY, "check 2 of bot is under way", 2)

    run(serving, act)


def test_a_reset_during_a_check_is_heeded_by_it(serving: Serving) -> None:
    held = HeldProvider()
    serving.providers["bot"] = held

    async def act(serving: Serving) -> None:
        await until(lambda: held.under_way == 4)
        assert (await serving.service.reset("bot", "me")).kind is OutcomeKind.DONE
        held.letting.set()
        await until(all_closed(serving, 1))
        assert len(held.asked) == QUESTIONS
        assert [event.kind.value for event in serving.store.events("bot")] == ["reset"]

    run(serving, act)


def test_nothing_is_done_for_a_target_that_is_not_there_nor_before_the_start_nor_after_the_end(serving: Serving) -> None:
    stopping = Outcome(OutcomeKind.UNAVAILABLE, "bot is no longer checked here: the program stops, or the config has changed")
    early = Outcome(OutcomeKind.UNAVAILABLE, "the program has only begun, or stops; try again")

    async def act(serving: Serving) -> None:
        assert await serving.service.check_now("bot", "me") == early
        assert await serving.service.reset("bot", "me") == early
        await until(all_closed(serving, 1))
        for refused in (await serving.service.check_now("nobody", "me"), await serving.service.reset("nobody", "me")):
            assert refused == Outcome(OutcomeKind.UNKNOWN_TARGET, "'nobody' is not in the config")

    async def ask(service: Service) -> list[Outcome]:
        return [await service.check_now("bot", "me"), await service.reset("bot", "me")]

    run(serving, act)
    assert asyncio.run(ask(serving.service)) == [stopping, early]
