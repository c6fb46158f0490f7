"""What `check` leaves behind, what it takes up, and what it asks."""

from __future__ import annotations

import re
from contextlib import closing

import pytest

from exporter.clock import SystemClock
from exporter.records import Answer, CheckKind, CheckState, RunState, VerdictKind
from exporter.store import Store, open_store
from tests.cli.world import QUESTIONS, World
from tests.fakes import FakeClock
from tests.store.facts import reserve, start_run

LATER = 4_000_000_000.0


def stored(world: World) -> Store:
    return open_store(f"sqlite:///{world.folder}/history.db")


def test_json_is_the_verdict_with_every_figure(world: World) -> None:
    world.write()
    (target,) = world.run("check", "--json").document["targets"]
    assert (target["target"], target["kind"], target["questions_asked"]) == ("bot", "collecting", QUESTIONS)
    assert target["headline"] == "Collecting the baseline: 1 of 5 runs."
    assert target["next_step"] == "Nothing to do: the baseline is being collected."


def test_a_check_from_the_command_line_is_manual(world: World) -> None:
    world.write()
    world.run("check")
    store = stored(world)
    (check,) = store.checks("bot", 10)
    store.close()
    assert (check.kind, check.state) == (CheckKind.MANUAL, CheckState.CLOSED)


def test_a_dry_run_asks_nothing_and_makes_no_store(world: World) -> None:
    world.write()
    said = world.run("check", "--dry-run")
    assert (said.code, said.out.splitlines()) == (
        0,
        [
            "bot: would ask 12 questions (odd, even)",
            "  about 15 requests, 1,335 tokens, $0.0023",
            "  with a second run 30 requests, 2,670 tokens, $0.0046",
        ],
    )
    assert world.asked() == 0
    assert not (world.folder / "history.db").exists()


def test_a_dry_run_needs_no_key_and_a_check_does(world: World) -> None:
    world.write("  api_key_env: NO_SUCH_KEY\n")
    assert world.run("check", "--dry-run").code == 0
    said = world.run("check")
    assert (said.code, said.errors) == (
        2,
        ["config.yml:11: targets[0].api_key_env: the environment variable that it names is not set; set it where the exporter runs"],
    )


def test_no_save_judges_by_the_history_and_adds_nothing_to_it(world: World) -> None:
    world.write()
    world.collect()
    said = world.run("check", "--no-save")
    assert said.out.startswith("bot: Stable: ")
    assert world.asked() == 6 * QUESTIONS
    store = stored(world)
    assert len(store.checks("bot", 10)) == 5
    store.close()


def test_no_save_makes_no_store_where_there_is_none(world: World) -> None:
    world.write()
    assert world.run("check", "--no-save").out.startswith("bot: Collecting the baseline: 1 of 5 runs.")
    assert sorted(file.name for file in world.folder.iterdir()) == ["config.yml", "questions.yml"]


def test_a_check_over_a_cap_is_not_started_and_ends_with_3(world: World) -> None:
    world.write("  budget: {tokens_per_check: 1000}\n")
    said = world.run("check")
    assert said.code == 3
    assert said.out.splitlines()[0].startswith(
        "bot: Could not measure (budget): the check was not started: budget.tokens_per_check of bot:"
    )
    assert world.asked() == 0


def test_a_check_says_that_it_waits_for_room_and_waits_for_no_program_that_is_gone(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = FakeClock()
    monkeypatch.setattr("exporter.cli.check.SystemClock", lambda: clock)
    world.write("budget: {total: {tokens_per_day: 10000}}\n")
    with closing(stored(world)) as store:
        reserve(store, start_run(store, "cat", clock.now()), tokens=10_000, now=clock.now())
    said = world.run("check", "--json")
    assert (said.code, said.document["targets"][0]["reason"], world.asked(), clock.slept) == (3, "budget", 0, [5.0])
    waiting, booked = said.errors
    assert re.fullmatch(
        r"bot: waiting for room that other requests have reserved, budget\.total\.tokens_per_day: 10,000 of 10,000 tokens are spent or "
        r"reserved, [\d,]+ more do not fit; wait for the next day \(UTC\) or raise the cap",
        waiting,
    )
    assert booked == "cat: what is reserved there is booked as spent, as no program is at it any more (requests: 1)"


def test_an_open_check_is_finished_first_and_is_this_check(world: World) -> None:
    world.write()
    store = stored(world)
    store.claim_check("bot", CheckKind.SCHEDULED, 1.0, SystemClock().now())
    said = world.run("check")
    (check,) = store.checks("bot", 10)
    store.close()
    assert said.code == 0
    assert said.errors[0].startswith("bot: going on with the check of ")
    assert (check.kind, check.verdict and check.verdict.kind) == (CheckKind.SCHEDULED, VerdictKind.COLLECTING)


def test_an_open_check_whose_run_is_too_old_is_closed_and_a_new_one_made(world: World) -> None:
    world.write()
    store = stored(world)
    old = store.claim_check("bot", CheckKind.SCHEDULED, 1.0, 1.0)
    assert old is not None
    store.open_run(old.id, 1, "protocol", 1.0, 2.0)
    said = world.run("check")
    kinds = [check.verdict and check.verdict.kind for check in store.checks("bot", 10)]
    store.close()
    assert said.code == 0
    assert said.out.startswith("bot: Collecting the baseline: 1 of 5 runs.")
    assert kinds == [VerdictKind.COLLECTING, VerdictKind.MEASUREMENT_FAILED]


def test_a_target_under_a_new_name_keeps_its_history(world: World) -> None:
    world.write()
    world.collect(1)
    world.write("  formerly: bot\n", name="support")
    said = world.run("check")
    assert said.out.startswith("support: Collecting the baseline: 2 of 5 runs.")
    assert said.errors[0] == "support: history carried over from bot"
    assert world.run("check").errors == []


def test_a_name_that_a_running_exporter_still_knows_is_left_to_it(world: World) -> None:
    world.write()
    world.collect(1)
    with closing(stored(world)) as exporter:
        exporter.announce("1.0", "its config", {"bot": "as it was"})
        world.write("  formerly: bot\n", name="support")
        said = world.run("check")
        refused = "target support: is still checked as bot by a running exporter; have it load this config, and it takes the history along"
        assert (said.code, said.out, said.errors) == (2, "", [refused])
        assert world.run("check", "--no-save").out.startswith("support: Collecting the baseline: 2 of 5 runs.")
        assert exporter.targets() == ["bot"]
        exporter.leave()
    assert world.run("check").out.startswith("support: Collecting the baseline: 2 of 5 runs.")


def test_a_second_run_that_was_waited_for_is_made_at_once(world: World) -> None:
    world.write(decision="{baseline_min_gap: 0s, confirm_after: 1h}")
    world.collect()
    store = stored(world)
    wait_for_second_run(store, confirm_at=LATER, claimed_at=SystemClock().now())
    world.behave(lost=["q1", "q2", "q3", "q4", "q5"])
    said = world.run("check")
    assert said.errors[0].startswith("bot: going on with the check of ")
    assert [run.number for run in store.checks("bot", 1)[0].runs] == [1, 2]
    store.close()


def test_a_second_run_that_comes_too_late_is_not_made_and_a_new_check_follows(world: World) -> None:
    world.write()
    world.collect()
    store = stored(world)
    wait_for_second_run(store, confirm_at=3.0, claimed_at=2.0)
    said = world.run("check")
    assert said.errors[0] == "bot: closing the check of 1970-01-01 00:00 UTC that was left open"
    assert said.out.startswith("bot: ")
    newest, lapsed = store.checks("bot", 2)
    store.close()
    assert newest.kind is CheckKind.MANUAL
    assert lapsed.verdict is not None
    assert lapsed.verdict.notes == ("no second run: the next check was due before it",)


def wait_for_second_run(store: Store, *, confirm_at: float, claimed_at: float) -> None:
    """Leave a check in the store whose first run got every question wrong, and which waits for its second one."""
    (newest,) = store.history("bot", limit=1)
    check = store.claim_check("bot", CheckKind.SCHEDULED, claimed_at, claimed_at)
    assert check is not None
    run = store.open_run(check.id, 1, newest.runs[0].protocol, claimed_at, claimed_at + 60)
    for grade in newest.runs[0].grades:
        for attempt in range(1, 6):
            reservation = store.reserve(run.id, grade.question_key, 0, attempt, 1, 0.0, claimed_at, ())
            store.settle(
                reservation,
                answer=Answer(),
                usd=0.0,
                tokens=1,
                estimated=False,
                identity=grade.identity,
                grade=grade._replace(attempt=attempt, right=False),
                now=claimed_at,
            )
    store.close_run(run.id, RunState.MEASURED, None, "", claimed_at)
    store.set_confirming(check.id, confirm_at)
