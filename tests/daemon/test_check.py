"""One check, end to end, over a real store."""

from __future__ import annotations

from pathlib import Path

import pytest

from exporter.config import Budget
from exporter.records import CheckState, Reason, RunState, Signal, SpendPeriod, VerdictKind
from tests.daemon.world import World


@pytest.fixture
def world(tmp_path: Path) -> World:
    with World(tmp_path) as made:
        yield made


def test_five_checks_make_a_baseline_and_the_sixth_is_stable(world: World) -> None:
    for _ in range(6):
        world.check()
    assert world.kinds() == ["collecting"] * 4 + ["baseline_ready", "stable"]


def test_a_loss_is_asked_a_second_time_and_is_drift(world: World) -> None:
    for _ in range(5):
        world.check()
    world.provider.lost = {"question-1", "question-2", "question-3", "question-4"}
    verdict = world.check()
    assert verdict is not None
    assert (verdict.kind, verdict.runs, verdict.signal(Signal.ACCURACY).confirmed) == (VerdictKind.DRIFT, 2, True)
    assert world.provider.asked[-64:].count("question-1") == 12


def test_a_second_run_is_waited_for_where_confirm_after_is_set(world: World) -> None:
    for _ in range(5):
        world.check()
    world.provider.lost = {"question-1", "question-2", "question-3", "question-4"}
    assert world.check(at_once=False) is None
    (waiting,) = world.store.open_checks("bot")
    assert (waiting.state, waiting.confirm_at) == (CheckState.CONFIRMING, world.clock.now() + 3600)
    assert world.store.progress("bot").confirmation_pending


def test_what_a_check_cost_is_in_its_verdict_and_in_the_books(world: World) -> None:
    verdict = world.check()
    assert verdict is not None
    assert (verdict.spend_tokens, verdict.spend_usd) == (12 * 30, pytest.approx(12 * (20 + 20) / 1e6))
    assert world.store.spend("bot", world.clock.now())[SpendPeriod.DAY].tokens == 360


def test_a_provider_that_refuses_the_key_ends_the_run_at_once_and_is_no_drift(world: World) -> None:
    for _ in range(5):
        world.check()
    world.provider.fails = Reason.AUTH
    asked = len(world.provider.asked)
    verdict = world.check()
    assert verdict is not None
    assert (verdict.kind, verdict.reason) == (VerdictKind.MEASUREMENT_FAILED, Reason.AUTH)
    assert len(world.provider.asked) - asked == 1
    assert verdict.measurement_errors == ((Reason.AUTH, 12),)


def test_a_check_over_a_cap_is_not_started(world: World) -> None:
    world.live = world.build({"budget": Budget(tokens_per_check=100)})
    verdict = world.check()
    assert verdict is not None
    assert (verdict.kind, verdict.reason, world.provider.asked) == (VerdictKind.MEASUREMENT_FAILED, Reason.BUDGET, [])


def test_a_second_run_that_does_not_fit_whole_is_not_started_and_the_loss_is_suspect(world: World) -> None:
    for _ in range(5):
        world.check()
    world.provider.lost = {"question-1", "question-2", "question-3", "question-4", "question-5", "question-6"}
    world.live = world.build({"budget": Budget(tokens_per_check=2200)})
    verdict = world.check()
    assert verdict is not None
    assert (verdict.kind, verdict.runs) == (VerdictKind.SUSPECT, 1)
    (why,) = verdict.notes
    assert why.startswith("no second run: ")
    assert (verdict.measurement_errors, verdict.failed_checks) == (((Reason.BUDGET, 12),), 0)
    first, second = world.store.check(verdict.check_id).runs
    assert (first.state, second.state, second.reason, second.message) == (RunState.MEASURED, RunState.FAILED, Reason.BUDGET, why)


def test_the_baseline_is_recorded_when_it_is_frozen(world: World) -> None:
    for _ in range(17):
        world.check()
    assert [(event.kind.value, len(event.run_ids)) for event in world.store.events("bot")] == [("freeze", 15)]
    verdict = world.check()
    assert verdict is not None
    assert (verdict.baseline.runs, verdict.baseline.frozen) == (15, True)


def test_another_way_of_asking_starts_a_new_baseline(world: World) -> None:
    for _ in range(5):
        world.check()
    world.live = world.build({"system": "Be brief."})
    verdict = world.check()
    assert verdict is not None
    assert (verdict.kind, verdict.baseline.runs) == (VerdictKind.COLLECTING, 1)
