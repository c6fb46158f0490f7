"""Days that are lived twice, once with all grades and once with only those that are still needed: what is said is the same."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from structlog.testing import capture_logs

from exporter.config.model import Retention
from exporter.daemon import decisions, housekeeping, memory
from exporter.daemon.housekeeping import Housekeeper, Removed, keep_house, keep_house_quietly
from exporter.daemon.live import LiveConfig
from exporter.daemon.past import Moment, read_moments
from exporter.daemon.snapshots import build_snapshot
from exporter.errors import Problem, StoreError, UsageError
from exporter.records import EventKind, VerdictKind
from exporter.store import Writer
from tests.daemon.short_life import ACTS, DAY_SECONDS, ShortLife, a_life
from tests.fakes import FakeClock

KEPT_DAYS = 3


@pytest.fixture(autouse=True)
def a_short_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Judging looks back over ten checks, so that a life of some weeks outlives it."""
    for module in (memory, housekeeping):
        monkeypatch.setattr(module, "RECENT_CHECKS", 10)


def live_config(life: ShortLife, grades: str = f"{KEPT_DAYS}d", errors: str = "1d", *, configured: bool = True) -> LiveConfig:
    retention = Retention(grades=grades, errors=errors)
    return LiveConfig(life.world.config.model_copy(update={"retention": retention}), {"bot": life.live} if configured else {})


def live_twice(acts: Mapping[int, str], days: int) -> tuple[set[VerdictKind], int]:
    """The same life with and without housekeeping every day: what was said, and how many runs lost their grades."""
    said = set()
    with a_life() as whole, a_life() as tidied:
        for day in range(days):
            if day in acts:
                assert whole.act(acts[day]) == tidied.act(acts[day])
            verdict = whole.check()
            said.add(verdict.kind)
            assert tidied.check() == verdict
            keep_house(tidied.store, live_config(tidied), tidied.now)
        assert [past.added for past in tidied.store.past("bot", limit=500)] == [past.added for past in whole.store.past("bot", limit=500)]
        assert tidied.store.verify() == ()
        return said, len(whole.graded_runs()) - len(tidied.graded_runs())


def test_a_life_of_sixty_days_is_told_the_same_when_old_grades_are_removed_every_day() -> None:
    told = "14 lose, 17 recover, 20 fail, 22 mend, 24 ask_otherwise, 26 keep, 28 new_question, 34 other_model, 46 accept, 53 reset"
    acts = {int(day): name for day, name in (act.split() for act in told.split(", "))}
    said, removed = live_twice(acts, 60)
    assert said >= {
        VerdictKind.DRIFT,
        VerdictKind.MODEL_CHANGED,
        VerdictKind.MEASUREMENT_FAILED,
        VerdictKind.BASELINE_READY,
        VerdictKind.STABLE,
    }
    assert removed > 20


@given(acts=st.dictionaries(st.integers(3, 30), st.sampled_from(ACTS), min_size=4, max_size=12))
@settings(max_examples=2, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_life_is_told_the_same(acts: dict[int, str]) -> None:
    live_twice(acts, 34)


def test_grades_of_a_growing_baseline_are_kept_whatever_their_age() -> None:
    with a_life() as life:
        for _ in range(2):
            life.check()
        life.now += 1000 * DAY_SECONDS
        assert keep_house(life.store, live_config(life), life.now) == Removed(requests=16)
        assert life.graded_runs() == [1, 2]
        assert life.check().baseline.runs == 3


def test_what_was_removed_is_counted() -> None:
    with a_life() as life:
        for _ in range(16):
            life.check()
        life.act("fail")
        life.check()
        life.now += 2 * DAY_SECONDS
        removed = keep_house(life.store, live_config(life), life.now)
        assert life.graded_runs() == [1, 2, 3, 4, 5, *range(8, 18)]
        assert removed == Removed(grades=2 * 8, runs=2, requests=15 * 8, errors=9)
        assert not keep_house(life.store, live_config(life), life.now)


def test_nothing_is_removed_where_everything_is_kept_for_good() -> None:
    with a_life() as life:
        for _ in range(16):
            life.check()
        assert keep_house(life.store, live_config(life, "never", "never"), life.now + 1000 * DAY_SECONDS) == Removed()
        assert len(life.graded_runs()) == 16


def test_of_a_target_that_is_in_the_config_no_more_the_newest_checks_and_the_baseline_are_kept() -> None:
    with a_life() as life:
        for _ in range(18):
            life.check()
        keep_house(life.store, live_config(life, configured=False), life.now + 1000 * DAY_SECONDS)
        assert life.graded_runs() == [1, 2, 3, 4, 5, *range(9, 19)]


def test_beside_checks_it_is_done_piece_by_piece_through_the_one_writer(monkeypatch: pytest.MonkeyPatch) -> None:
    with a_life() as life:
        for _ in range(40):
            life.check()

        async def tidy() -> Removed:
            writer = Writer(life.store.batch)
            removed = await keep_house_quietly(life.store, writer, live_config(life), life.now)
            await writer.close()
            return removed

        pieces: list[int] = []
        prune = life.store.prune_grades

        def overhear(target: str, ids: Sequence[int], now: float) -> int:
            pieces.append(len(ids))
            return prune(target, ids, now)

        monkeypatch.setattr(life.store, "prune_grades", overhear)
        assert asyncio.run(tidy()) == Removed(grades=25 * 8, runs=25, requests=36 * 8)
        assert pieces == [10, 10, 5]
        assert life.store.verify() == ()


def reminded(life: ShortLife, reminders: list[float]) -> list[int]:
    """What the daemon's housekeeper, reminded at these seconds after its start, leaves of the runs' grades after each."""
    clock = FakeClock(life.now)
    left = []

    async def remind() -> None:
        writer = Writer(life.store.batch)
        keeper = Housekeeper(life.store, writer, clock)
        for at in reminders:
            clock.set(life.now + at)
            keeper.remind(live_config(life))
            if keeper._task is not None:
                await keeper._task
            left.append(len(life.graded_runs()))
        await keeper.stop()
        await writer.close()

    asyncio.run(remind())
    return left


def test_the_daemon_does_it_five_minutes_after_its_start_and_then_once_a_day() -> None:
    with a_life() as life:
        for _ in range(18):
            life.check()
        assert reminded(life, [0, 299, 300]) == [18, 18, 15]


def test_a_day_later_it_is_done_again_and_not_before() -> None:
    with a_life() as life:
        for _ in range(30):
            life.check()
        life.now -= 13 * DAY_SECONDS
        assert reminded(life, [300, 300 + DAY_SECONDS - 1, 300 + DAY_SECONDS, 301 + DAY_SECONDS]) == [21, 21, 20, 20]


def test_a_store_that_fails_is_told_in_the_log_and_tried_again_the_next_day(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> int:
        raise StoreError(Problem("storage", "is locked", "wait"))

    with a_life() as life, capture_logs() as logs:
        for _ in range(18):
            life.check()
        with monkeypatch.context() as broken:
            broken.setattr(life.store, "prune_grades", fail)
            assert reminded(life, [300]) == [18]
        assert reminded(life, [300]) == [15]
    assert [(line["log_level"], line["event"]) for line in logs] == [
        ("error", "old grades and errors could not be removed; it is tried again in a day"),
        ("info", "old grades and errors removed, requests condensed"),
    ]
    assert (logs[0]["error"], logs[1]["grades"]) == ("storage: is locked; wait", 24)


def test_a_run_without_its_grades_is_no_run_to_pin() -> None:
    with a_life() as life:
        for _ in range(18):
            life.check()
        keep_house(life.store, live_config(life), life.now)
        with pytest.raises(UsageError) as refused:
            decisions.pin_runs(life.live, life.store.events("bot"), life.store.runs("bot", [6, 18]), [6, 18], None, life.now)
    too_old = "run 6: has no grades any more, they grew too old (retention in the config); choose from those that baseline show bot lists"
    assert [str(problem) for problem in refused.value.problems] == [too_old]


def test_runs_without_grades_are_no_members_when_the_config_is_put_back_after_a_long_time() -> None:
    """Their baseline was never frozen, and for weeks it was nobody's: it starts anew instead of counting runs without marks."""
    with a_life() as life:
        life.check()
        life.act("ask_otherwise")
        for _ in range(20):
            life.check()
        keep_house(life.store, live_config(life), life.now)
        life.act("ask_as_before")
        assert [life.check().baseline.runs for _ in range(3)] == [1, 2, 3]


def test_the_past_is_told_as_before_but_for_what_an_accepted_model_had_served_by_then() -> None:
    def told(life: ShortLife) -> list[Moment]:
        return list(read_moments(life.store, life.live, build_snapshot(life.store, life.live, life.now)))

    said = None
    with a_life() as life:
        for day in range(40):
            if day in (8, 16, 25):
                life.now += 3600
                life.act({8: "other_model", 16: "accept", 25: "reset"}[day])
            verdict = life.check()
            said = verdict if day == 15 else said
        events = life.store.events("bot")
        before = told(life)
        assert keep_house(life.store, live_config(life), life.now).runs == 15
        after = told(life)
    others = [(was, now) for was, now in zip(before, after, strict=True) if was != now]
    accepted_at = next(event.happened_at for event in events if event.kind is EventKind.ACCEPT)
    assert {was[0] for was, _ in others} == {accepted_at, 1_801_440_000, accepted_at + DAY_SECONDS}  # midnight, and the next check
    assert all(now[1].verdict == said for _, now in others)
