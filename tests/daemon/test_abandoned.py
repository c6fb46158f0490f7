"""What a target that was taken out of the config has left under way: booked and ended, and judged once it is back."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from exporter.daemon.abandoned import AGAIN_SECONDS
from exporter.daemon.service import POLL_SECONDS
from exporter.errors import Problem, StoreFullError
from exporter.records import CheckState, Reason, RunState, SpendPeriod, VerdictKind
from exporter.store import Store, open_store
from tests.daemon.serving import Serving, until
from tests.store.facts import reserve, start_run

DEADLINE_SECONDS = 600
BOOKED = "what a check of a target that is gone has reserved is booked"


@pytest.fixture
def serving(tmp_path: Path) -> Serving:
    """A store in which a program died while a request of `gone` was under way."""
    made = Serving(tmp_path)
    made.write("bot")
    with closing(open_elsewhere(made)) as elsewhere:
        run = start_run(elsewhere, "gone", made.clock.now())
        reserve(elsewhere, run, tokens=1000, usd=0.10, now=made.clock.now())
    return made


def open_elsewhere(serving: Serving) -> Store:
    return open_store(f"sqlite:///{serving.folder}/history.db")


def amounts(serving: Serving) -> tuple[float, float]:
    """What `gone` has reserved, and what is booked as an estimate, in USD."""
    spent = serving.store.spend("gone", serving.clock.now())[SpendPeriod.MONTH]
    return spent.reserved_usd, spent.estimated_usd


def run_of(serving: Serving) -> tuple[RunState, Reason | None]:
    run = serving.store.open_checks("gone")[0].runs[0]
    return run.state, run.reason


def polled(serving: Serving, condition: Callable[[], bool], seconds: float = POLL_SECONDS) -> Awaitable[None]:
    """Once `condition` holds, while the store is asked again and again."""

    def look() -> bool:
        serving.clock.advance(seconds)
        return condition()

    return until(look)


async def begin(serving: Serving) -> None:
    await until(lambda: serving.kinds() == {"bot": "collecting"})


async def pass_polls(serving: Serving, number: int) -> None:
    """So many times the store is asked: `read_at` is the time of the last one."""
    for _ in range(number):
        before = serving.service.view().read_at or 0
        await polled(serving, lambda before=before: (serving.service.view().read_at or 0) > before)  # type: ignore[misc]  # a default binds it


def test_what_it_has_reserved_is_booked_within_seconds_and_its_run_ends_at_the_deadline(serving: Serving) -> None:
    async def act(serving: Serving) -> None:
        await begin(serving)
        assert amounts(serving) == (0.10, 0.0)
        await polled(serving, lambda: amounts(serving) == (0.0, 0.10))
        assert run_of(serving) == (RunState.OPEN, None)
        await polled(serving, lambda: run_of(serving) == (RunState.FAILED, Reason.INTERRUPTED), DEADLINE_SECONDS / 10)
        assert serving.store.counters("gone").requests == 1

    with capture_logs() as logs:
        serving.run(act)
    assert [(entry["requests"], entry["log_level"]) for entry in logs if entry["event"] == BOOKED] == [(1, "info")]
    assert serving.providers.keys() == {"bot"}


def test_a_target_that_is_back_after_the_deadline_has_a_failed_measurement(serving: Serving) -> None:
    async def act(serving: Serving) -> None:
        await begin(serving)
        await polled(serving, lambda: run_of(serving) == (RunState.FAILED, Reason.INTERRUPTED), DEADLINE_SECONDS)
        serving.write("bot", "gone")
        assert await serving.service.reload() is None
        await until(lambda: serving.kinds()["gone"] == "measurement_failed")
        check = serving.store.checks("gone", 1)[-1]
        assert (check.state, check.verdict and check.verdict.kind) == (CheckState.CLOSED, VerdictKind.MEASUREMENT_FAILED)
        assert check.verdict is not None
        assert check.verdict.reason is Reason.INTERRUPTED

    serving.run(act)


def test_a_target_that_another_program_works_on_is_left_to_it(serving: Serving) -> None:
    async def act(serving: Serving) -> None:
        with closing(open_elsewhere(serving)) as elsewhere, elsewhere.turn("gone"):
            await begin(serving)
            await pass_polls(serving, 5)
            assert amounts(serving) == (0.10, 0.0)
        await polled(serving, lambda: amounts(serving) == (0.0, 0.10), AGAIN_SECONDS)

    serving.run(act)


def test_a_target_that_a_newer_config_of_another_replica_has_is_left_to_it(serving: Serving) -> None:
    async def act(serving: Serving) -> None:
        with closing(open_elsewhere(serving)) as elsewhere:
            await begin(serving)
            elsewhere.announce("1.0", "another config", {"bot": "as it was", "gone": "as it was"})
            await pass_polls(serving, 10)
            assert serving.service.view().config_outdated
            with closing(open_elsewhere(serving)) as dead:
                run = start_run(dead, "gone", serving.clock.now())
                reserve(dead, run, tokens=1000, usd=0.20, now=serving.clock.now())
            await pass_polls(serving, 5)
            assert amounts(serving) == (0.20, 0.10)
            elsewhere.leave()
            await polled(serving, lambda: amounts(serving) == (0.0, pytest.approx(0.30)), AGAIN_SECONDS)

    serving.run(act)


def test_a_store_in_trouble_is_told_of_and_tried_again(serving: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    async def act(serving: Serving) -> None:
        book, refused = serving.store.book_orphans, []

        def book_later(*booking: Any) -> int:
            refused.append(booking)
            if len(refused) == 1:
                raise StoreFullError(Problem("storage history.db", "the disk is full", "make room"))
            return book(*booking)

        monkeypatch.setattr(serving.store, "book_orphans", book_later)
        await begin(serving)
        await polled(serving, lambda: amounts(serving) == (0.0, 0.10), AGAIN_SECONDS)

    with capture_logs() as logs:
        serving.run(act)
    told = [(entry["event"], entry["target"], entry["error"]) for entry in logs if entry["log_level"] == "error"]
    assert told == [
        ("a check of a target that is gone could not be ended; trying again", "gone", "storage history.db: the disk is full; make room")
    ]
