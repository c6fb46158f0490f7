"""Looking at a baseline and deciding about it."""

from __future__ import annotations

import io
import re
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from exporter.providers import presets
from exporter.records import EventKind, Evidence
from exporter.store import open_store
from tests.cli.world import World

NOTHING = "there is nothing to carry over"
NOT_ACCEPTED = "nothing is to be accepted; name a model with --identity if you know better"
SHOWN = "choose from those that baseline show bot lists"


@pytest.fixture
def named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Loopback as a host whose word about the served model is worth something."""
    weak = next(preset for preset in presets.PRESETS if preset.evidence is Evidence.WEAK)
    monkeypatch.setattr(presets, "PRESETS", (*presets.PRESETS, replace(weak, host="127.0.0.1", provider="loopback")))


def event_kinds(folder: Path) -> list[EventKind]:
    store = open_store(f"sqlite:///{folder}/history.db", read_only=True)
    kinds = [event.kind for event in store.events("bot")]
    store.close()
    return kinds


def test_show_lists_members_and_the_runs_beside_them(world: World) -> None:
    world.write()
    world.collect(6)
    said = world.run("baseline", "show", "bot")
    lines = [re.sub(r"20\d\d-\d\d-\d\d \d\d:\d\d UTC", "<time>", line.rstrip()) for line in said.out.splitlines()]
    assert (said.code, lines) == (
        0,
        [
            "bot: ready with 5 runs, grows to 15",
            "  right only some of the time: none; only losses can be seen",
            "  its runs agree with p = 1 (small: days swing)",
            "",
            "run  started               accuracy  questions  baseline  its check said",
            "─" * 72,
            "  1  <time>   100.0 %         12  member    collecting",
            "  2  <time>   100.0 %         12  member    collecting",
            "  3  <time>   100.0 %         12  member    collecting",
            "  4  <time>   100.0 %         12  member    collecting",
            "  5  <time>   100.0 %         12  member    baseline ready",
            "  6  <time>   100.0 %         12            stable",
        ],
    )


def test_show_is_json_with_every_figure(world: World) -> None:
    world.write()
    world.collect(1)
    document = world.run("baseline", "show", "bot", "--json").document
    assert document["target"] == "bot"
    assert (document["baseline"]["runs"], document["baseline"]["runs_required"], document["baseline"]["run_ids"]) == (1, 5, [1])
    assert document["events"] == []
    (run,) = document["runs"]
    assert (run["run"], run["accuracy_ratio"], run["questions"], run["part"], run["said"]) == (1, 1.0, 12, "member", "collecting")


def test_a_reset_starts_anew_and_ends_what_was_held(world: World) -> None:
    world.write()
    world.collect()
    world.behave(lost=["q1", "q2", "q3", "q4", "q5"])
    assert world.run("check").code == 1
    said = world.run("baseline", "reset", "bot")
    assert (said.code, said.out) == (0, "bot: the next 5 runs become the new baseline\n")
    check = world.run("check")
    assert (check.code, check.out.splitlines()[0]) == (0, "bot: Collecting the baseline: 1 of 5 runs.")


class Person(io.StringIO):
    """Somebody at a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("answer", "kinds"), [("n", []), ("", []), ("y", [EventKind.RESET])])
def test_a_person_is_asked_before_a_reset(world: World, monkeypatch: pytest.MonkeyPatch, answer: str, kinds: list[EventKind]) -> None:
    world.write()
    world.collect(1)
    monkeypatch.setattr(sys, "stdin", Person(f"{answer}\n"))
    said = world.run("baseline", "reset", "bot")
    assert said.code == 0
    assert "Collect a new baseline for bot? Until it is ready, nothing is judged. [y/N]: " in said.err
    assert (said.out == "bot: nothing was changed\n") is (kinds == [])
    assert event_kinds(world.folder) == kinds


def test_a_decision_is_json_too(world: World) -> None:
    world.write()
    world.collect(1)
    event = world.run("baseline", "reset", "bot", "--yes", "--json").document["event"]
    assert (event["target"], event["kind"], event["id"]) == ("bot", "reset", 1)


def test_runs_from_before_a_reset_can_be_seen_and_pinned(world: World) -> None:
    world.write()
    world.collect()
    world.run("baseline", "reset", "bot")
    assert [run["run"] for run in world.run("baseline", "show", "bot", "--json").document["runs"]] == [1, 2, 3, 4, 5]
    said = world.run("baseline", "pin", "bot", "--run", "2", "--run", "4", "--run", "2")
    assert (said.code, said.out) == (0, "bot: pinned to runs 2, 4\n")
    assert said.errors == ["note: with fewer than 5 runs only large losses can be told from chance"]
    assert world.run("baseline", "show", "bot").out.splitlines()[0] == "bot: pinned to 2 runs"
    assert world.run("check").out.startswith("bot: Stable: ")


def test_runs_that_cannot_be_pinned_are_all_told(world: World) -> None:
    world.write()
    world.collect()
    world.behave(lost=["q1", "q2", "q3", "q4", "q5"])
    world.run("check")
    world.behave(faults={"auth": 1.0})
    world.run("check")
    said = world.run("baseline", "pin", "bot", "--run", "7", "--run", "8", "--run", "99", "--suite", "core")
    assert (said.code, said.errors) == (
        2,
        [
            f"run 7: is the second run of its check, made because the first looked bad; {SHOWN}",
            f"run 8: was not measured; {SHOWN}",
            f"run 99: is no run of bot; {SHOWN}",
            "--suite: 'core' is not asked of bot; choose from: made-up",
            "--run: 3 are too few: one suite by itself is tested from 5 runs on; name more runs",
        ],
    )
    assert event_kinds(world.folder) == []


def test_a_run_that_was_asked_in_another_way_is_no_pin(world: World) -> None:
    world.write()
    world.collect(1)
    world.write("  system: Be brief.\n")
    said = world.run("baseline", "pin", "bot", "--run", "1")
    assert said.errors == [f"run 1: was asked in another way than now, its marks cannot be compared; {SHOWN}"]


def test_a_run_of_questions_that_are_gone_is_no_pin(world: World) -> None:
    world.write()
    world.collect(1)
    suite = world.folder / "questions.yml"
    suite.write_text(suite.read_text().replace("Which number", "What number"))
    said = world.run("baseline", "pin", "bot", "--run", "1")
    assert said.errors == ["--run: holds no answer to any question that is asked now; choose runs of today's questions"]


def test_keep_carries_a_baseline_over_a_change_of_config(world: World) -> None:
    world.write()
    world.collect()
    world.write("  system: Be brief.\n")
    assert world.run("check").out.startswith("bot: Collecting the baseline: 1 of 5 runs.")
    said = world.run("baseline", "keep", "bot")
    assert (said.code, said.out) == (0, "bot: the baseline from before the change stands for the way it is asked now, too\n")
    assert world.run("check").out.startswith("bot: Stable: ")


def test_keep_is_refused_where_nothing_changed(world: World) -> None:
    world.write()
    world.collect(4)
    assert world.run("baseline", "keep", "bot").errors == [f"target bot: has never been asked in another way than now; {NOTHING}"]
    world.collect(1)
    assert world.run("baseline", "keep", "bot").errors == [f"target bot: its baseline of 5 runs is for the way it is asked now; {NOTHING}"]
    assert event_kinds(world.folder) == []


def test_keep_is_refused_where_a_reset_has_ended_what_was_before(world: World) -> None:
    world.write()
    world.collect(1)
    world.run("baseline", "reset", "bot")
    world.write("  system: Be brief.\n")
    said = world.run("baseline", "keep", "bot")
    assert (said.code, event_kinds(world.folder)) == (2, [EventKind.RESET])
    assert said.errors[0].endswith(NOTHING)


def test_keep_is_refused_where_what_was_before_is_no_part_of_any_baseline(world: World) -> None:
    world.write()
    world.collect(1)
    world.behave(served_model="m-2")
    world.collect(1)
    world.run("baseline", "accept", "bot", "--identity", "m")
    world.write("  system: Be brief.\n")
    assert world.run("baseline", "keep", "bot").errors == [f"target bot: has no baseline from before the change; {NOTHING}"]


@pytest.mark.usefixtures("named")
def test_another_model_is_told_and_accepted(world: World) -> None:
    world.write()
    world.collect()
    world.behave(served_model="m-2")
    changed = world.run("check")
    assert (changed.code, changed.out.splitlines()[0]) == (1, "bot: Another model answers: m-2, which the baseline never saw.")
    said = world.run("baseline", "accept", "bot")
    assert (said.code, said.out) == (0, "bot: m-2 is accepted, its baseline starts with the runs that it has served\n")
    assert world.run("check").out.splitlines()[0] == "bot: Collecting the baseline: 2 of 5 runs."


@pytest.mark.usefixtures("named")
def test_another_model_is_accepted_though_the_last_check_could_not_measure(world: World) -> None:
    world.write()
    world.collect()
    world.behave(served_model="m-2")
    world.run("check")
    world.behave(faults={"auth": 1.0})
    world.run("check")
    assert world.run("baseline", "accept", "bot").out.startswith("bot: m-2 is accepted")


def test_accept_is_refused_where_no_other_model_answers(world: World) -> None:
    world.write()
    world.collect(1)
    (error,) = world.run("baseline", "accept", "bot").errors
    assert error == f"target bot: its last check said collecting, not model_changed; {NOT_ACCEPTED}"
    assert world.run("baseline", "accept", "bot", "--identity", "m-2").errors == [
        "--identity: 'm-2' has never answered for bot; choose from: m"
    ]
    assert world.run("baseline", "accept", "bot", "--identity", "m").code == 0


@pytest.mark.parametrize("verb", ["show", "reset", "accept", "keep"])
def test_a_target_that_is_not_in_the_config_is_told(world: World, verb: str) -> None:
    world.write()
    said = world.run("baseline", verb, "bto")
    assert (said.code, said.errors) == (2, ["TARGET: 'bto' is not in the config; choose from: bot"])
