"""Trouble that is nobody's fault: a clock that jumps, a machine that sleeps, a store that is locked or full for a while."""

from __future__ import annotations

import contextlib
import resource
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from exporter.demo.behaviour import Behaviour
from exporter.records import CheckState, VerdictKind
from exporter.store import Store, open_store
from tests.acceptance.books import read_books, require_agreement, require_one_verdict_a_check
from tests.acceptance.pretended import pretending
from tests.acceptance.programs import Daemon, wait_until
from tests.acceptance.scene import Scene
from tests.daemon.world import QUESTIONS, World
from tests.fakes import FakeClock
from tests.store.damage import locked
from tests.store.test_unwritable import fill_up, make_room

HOUR, DAY = 3600.0, 86400.0
LOST = {f"question-{number}" for number in range(1, 7)}


class TroubledClock(FakeClock):
    """A clock that calls `on_sleep` after each sleep."""

    on_sleep: Callable[[], None] = staticmethod(lambda: None)

    async def sleep(self, seconds: float) -> None:
        await super().sleep(seconds)
        self.on_sleep()


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with World(tmp_path) as made:
        made.clock = TroubledClock(datetime(2026, 11, 1, 8, 0, tzinfo=UTC).timestamp())
        made.store.close()
        have_small_pages(tmp_path / "history.db")
        made.store = open_store(made.config.storage, busy_timeout_seconds=0)
        yield made


def have_small_pages(path: Path) -> None:
    """So small that nearly every row needs a new one: a store that may not grow feels it at once."""
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in ("journal_mode = DELETE", "page_size = 512", "journal_mode = WAL"):
            connection.execute(f"PRAGMA {statement}")
            connection.execute("VACUUM")


def due_times(world: World) -> list[str]:
    """The due time of each check, in the order in which they were made."""
    return [datetime.fromtimestamp(check.due_at, UTC).strftime("%d %H:%M") for check in reversed(world.store.checks("bot", 100))]


def watch_for(world: World, seconds: float) -> None:
    world.watch(world.clock.now() + seconds)


def require_books(world: World) -> None:
    """Nothing was asked that is not in the books, which add up, and every check has its verdict."""
    assert world.store.verify() == ()
    assert world.store.counters("bot").requests == len(world.provider.asked)
    assert world.store.open_checks() == []


def test_a_clock_set_back_an_hour_repeats_nothing_and_misses_nothing(world: World) -> None:
    watch_for(world, 1.1 * HOUR)
    world.clock.set(world.clock.now() - HOUR)
    watch_for(world, 2 * DAY)
    assert due_times(world) == ["01 08:00", "01 09:00", "02 09:00"]
    require_books(world)


def test_a_clock_a_week_ahead_makes_one_late_check_and_none_is_missed_once_it_is_right_again(world: World) -> None:
    watch_for(world, 2 * HOUR)
    world.clock.set(world.clock.now() + 7 * DAY)
    watch_for(world, HOUR)
    world.clock.set(world.clock.now() - 7 * DAY)
    watch_for(world, 8 * DAY)
    ahead, then = ["01 08:00", "01 09:00", "08 09:00"], ["02 09:00", "03 09:00", "04 09:00", "05 09:00", "06 09:00", "07 09:00", "09 09:00"]
    assert due_times(world) == ahead + then
    require_books(world)


@pytest.mark.parametrize("jump_seconds", [-HOUR, 7 * DAY], ids=["back an hour", "forward a week"])
def test_a_clock_that_jumps_in_the_middle_of_a_run_does_not_disturb_it(world: World, jump_seconds: float) -> None:
    def jump(count: int) -> None:
        if count == 5:
            world.clock.set(world.clock.now() + jump_seconds)

    world.provider.on_ask = jump
    watch_for(world, 600)
    assert world.kinds()[0] == "collecting"
    assert world.provider.asked[:QUESTIONS] == [f"question-{number}" for number in range(1, QUESTIONS + 1)]
    require_books(world)


def test_a_machine_that_sleeps_three_days_wakes_up_to_one_late_check(world: World) -> None:
    def sleep_three_days() -> None:
        if world.clock.slept[-1] > 0 and len(world.clock.slept) == 20:
            world.clock.set(world.clock.now() + 3 * DAY)  # the monotonic clock stands still meanwhile

    assert isinstance(world.clock, TroubledClock)
    world.clock.on_sleep = sleep_three_days
    watch_for(world, 5 * DAY)
    assert due_times(world) == ["01 08:00", "03 09:00", "04 09:00", "05 09:00"]
    require_books(world)


@pytest.mark.parametrize(
    ("jump_seconds", "kind"), [(-HOUR, VerdictKind.DRIFT), (7 * DAY, VerdictKind.SUSPECT)], ids=["back an hour", "forward a week"]
)
def test_a_second_run_is_still_made_where_there_is_time_for_it_and_given_up_where_not(
    world: World, jump_seconds: float, kind: VerdictKind
) -> None:
    watch_for(world, 4.5 * DAY)
    world.provider.lost = LOST
    watch_for(world, 0.55 * DAY)
    (check,) = world.store.open_checks("bot")
    assert check.state is CheckState.CONFIRMING
    world.clock.set(world.clock.now() + jump_seconds)
    watch_for(world, 3 * HOUR)
    verdict = world.store.check(check.id).verdict
    assert verdict is not None
    assert verdict.kind is kind


@contextlib.contextmanager
def full(store: Store) -> Iterator[None]:
    fill_up(store)
    yield
    make_room(store)


TROUBLES: dict[str, Callable[[World], AbstractContextManager[None]]] = {
    "is locked by another program; stop that program, or try again when it is done": lambda world: locked(world.folder / "history.db"),
    "has no room left to write; free some disk space; nothing was half written": lambda world: full(world.store),
}


@pytest.mark.parametrize("word", TROUBLES, ids=["locked", "full"])
@pytest.mark.parametrize("moment", [0, 5, QUESTIONS], ids=["before the check", "in the middle of a run", "at the last answer"])
def test_a_store_in_trouble_for_a_while_is_told_of_and_loses_nothing(world: World, word: str, moment: int) -> None:
    trouble = contextlib.ExitStack()
    over_at = world.clock.now() + 60

    def begin(count: int = 0) -> None:
        if count == moment:
            trouble.enter_context(TROUBLES[word](world))

    def end() -> None:
        if world.clock.now() >= over_at:
            trouble.close()

    assert isinstance(world.clock, TroubledClock)
    world.clock.on_sleep = end
    world.provider.on_ask = begin
    with capture_logs() as logs:
        begin()
        watch_for(world, 600)
    told = [entry for entry in logs if entry["log_level"] == "error"]
    assert {entry["event"] for entry in told} <= {
        "the check cannot go on; trying again",
        "the check waits for the store; answers under way are kept until then",
    }
    assert {entry["error"].rpartition("history.db: ")[2] for entry in told} == {word}
    assert world.kinds() == ["collecting"]
    assert world.provider.asked == [f"question-{number}" for number in range(1, QUESTIONS + 1)]
    (check,) = world.store.checks("bot", 10)
    assert len(world.store.check(check.id).runs[0].grades) == QUESTIONS
    require_books(world)


def test_a_disk_that_fails_for_a_while_is_told_of_and_the_daemon_goes_on(tmp_path: Path) -> None:
    """The system refuses to let the files of a running daemon grow: what a disk in trouble looks like from inside."""
    with pretending(tmp_path, {"bot": Behaviour(latency_seconds=0.2)}) as pretended:
        scene = Scene(tmp_path, pretended)
        with Daemon(scene.write({"name": "bot"})) as daemon:
            wait_until(lambda: scene.asked("bot") >= 3, 60, "the check is under way")
            kept = read_books(scene.store).settled_grades
            room = Path(f"{scene.store}-wal").stat().st_size
            soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
            resource.prlimit(daemon.process.pid, resource.RLIMIT_FSIZE, (room, hard))
            wait_until(lambda: "the disk reports an error; look at the disk and the system log" in daemon.said(), 60, "it is told")
            assert daemon.status("/metrics") == 200
            resource.prlimit(daemon.process.pid, resource.RLIMIT_FSIZE, (soft, hard))
            wait_until(lambda: scene.closed() == ["bot"], 60, "the check is over")
        assert kept.items() <= read_books(scene.store).settled_grades.items()
        require_one_verdict_a_check(scene.store)
        require_agreement(scene.store, pretended, {"bot": "bot"}, never_sent=1)
