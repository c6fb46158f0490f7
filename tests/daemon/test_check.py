"""One check, end to end, over a real store."""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from exporter.config import Budget
from exporter.records import CheckState, Reason, RunState, Signal, SpendPeriod, Verdict, VerdictKind
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


WRITES = ("claim_check", "open_run", "refuse_run", "close_run", "set_confirming", "close_check")


class KilledError(Exception):
    """The program is dead."""


def refuse_second_run(world: World, monkeypatch: pytest.MonkeyPatch, writes: float = math.inf) -> tuple[Verdict, list[str]]:
    """A check whose second run finds no room, by a program that dies after so many writes, and by the next; and what was written."""
    for _ in range(5):
        world.check()
    world.provider.lost = {f"question-{number}" for number in range(1, 7)}
    world.live = world.build({"budget": Budget(tokens_per_check=2200)})
    written: list[str] = []

    def dying(name: str) -> Callable[..., object]:
        write = getattr(world.store, name)

        def call(*args: object) -> object:
            if len(written) >= writes:
                raise KilledError
            written.append(name)
            return write(*args)

        return call

    with monkeypatch.context() as patched:
        for name in WRITES:
            patched.setattr(world.store, name, dying(name))
        with suppress(KilledError):
            world.check()
    for check in world.store.open_checks("bot"):
        world.go_on(check)
    verdict = world.store.last_verdict("bot")
    assert verdict is not None
    return verdict, written


@pytest.mark.parametrize("killed_before", [1, 2, 3])
def test_a_program_that_dies_while_it_refuses_the_second_run_leaves_the_same_to_the_next_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, killed_before: int
) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    with World(tmp_path / "one") as living, World(tmp_path / "two") as dying:
        said, written = refuse_second_run(living, monkeypatch)
        assert written == ["claim_check", "open_run", "close_run", "refuse_run", "close_check"]
        left, less = refuse_second_run(dying, monkeypatch, len(written) - killed_before)
        assert less == written[:-killed_before]
        assert (said.kind, said.notes[0][:15]) == (VerdictKind.SUSPECT, "no second run: ")
        assert replace(left, decided_at=said.decided_at) == said
        assert dying.provider.asked == living.provider.asked


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
