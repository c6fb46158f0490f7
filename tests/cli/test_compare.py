"""Which questions flipped, from stored runs of the pretended provider."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from exporter.demo.behaviour import Behaviour
from exporter.providers import presets
from exporter.records import Evidence
from tests.cli.world import World, provider, suite_text

OURS = suite_text().replace("suite: made-up", "suite: ours").replace("id: q", "id: o").replace("question ", "item ")


@pytest.fixture
def strong(monkeypatch: pytest.MonkeyPatch) -> None:
    """Loopback as a host whose word about the served model is proof."""
    known = next(preset for preset in presets.PRESETS if preset.evidence is Evidence.STRONG)
    monkeypatch.setattr(presets, "PRESETS", (*presets.PRESETS, replace(known, host="127.0.0.1", provider="loopback")))


def lines_of(text: str) -> list[str]:
    return [re.sub(r"20\d\d-\d\d-\d\d \d\d:\d\d UTC", "<time>", line) for line in text.splitlines()]


def test_two_runs_with_a_few_flips_between_them(world: World) -> None:
    world.write()
    world.behave(lost=["q2", "q3", "q4"])
    world.collect(1)
    world.behave(lost=["q3", "q4", "q5", "q6"])
    world.collect(1)
    said = world.run("compare")
    assert (said.code, said.err, lines_of(said.out)) == (
        1,
        "",
        [
            "bot: check 2 of <time> (run 2)",
            "  made-up against the reference: no reference yet: 2 of 5 runs are there",
            "  made-up against the run before (run 1 of <time>): medium, 3 of 12 questions flipped, accuracy 66.7 %, was 75.0 %",
            "    lost: q5, q6",
            "    gained: q2",
            "    p = 0.5: with nothing changed, 50 % of days are as bad as this: noise explains it",
            "    p = 0.88: with nothing changed, 88 % of days are as good: noise explains it",
            "    identity: no evidence",
        ],
    )
    assert world.run("compare", "--medium-flip-count", "4").code == 0


def test_a_pinned_run_is_the_reference_and_a_reset_skips(world: World) -> None:
    world.write()
    world.collect(2)
    world.run("baseline", "pin", "bot", "--run", "1")
    world.behave(lost=["q1"])
    world.collect(1)
    said = world.run("compare", "bot")
    assert said.code == 0
    assert "made-up against the reference (pinned to run 1): weak, 1 of 12 questions flipped, accuracy 91.7 %, was 100.0 %" in said.out
    world.run("baseline", "reset", "bot")
    world.collect(1)
    said = world.run("compare")
    today = r"20\d\d-\d\d-\d\d"
    assert said.code == 0
    assert re.search(rf"reference: skipped: baseline reset on {today}, 1 of 5 runs of the new one are there\n", said.out)
    assert re.search(rf"run before: skipped: baseline reset on {today}\n", said.out)


def test_a_changed_suite_is_skipped(world: World) -> None:
    world.write()
    world.collect(1)
    world.run("baseline", "pin", "bot", "--run", "1")
    world.collect(1)
    suite = world.folder / "questions.yml"
    suite.write_text(suite.read_text().replace("number does question 1 ", "figure does question 1 "))
    said = world.run("compare")
    assert said.code == 0
    assert said.out.splitlines()[1:] == [
        "  made-up against the reference: skipped: suite changed since the reference (1 question replaced)",
        "  made-up against the run before: skipped: suite changed since the run before (1 question replaced)",
    ]


@pytest.mark.usefixtures("strong")
def test_another_model_behind_the_name_is_strong(world: World) -> None:
    world.write()
    world.collect(1)
    world.behave(served_model="m-2")
    world.run("check")
    said = world.run("compare")
    assert said.code == 1
    assert "): strong, 0 of 12 questions flipped" in said.out
    assert "    identity (strong evidence): changed from m to m-2" in said.out.splitlines()


def test_a_held_out_suite_that_loses_alone_lets_the_public_one_pull_ahead(world: World) -> None:
    (world.folder / "ours.yml").write_text(OURS)
    with provider(world.folder, {"m": Behaviour()}, suites=("questions.yml", "ours.yml")) as mock:
        world.mock = mock
        world.write(suites="[questions.yml, ours.yml]")
        world.collect(1)
        world.run("baseline", "pin", "bot", "--run", "1")
        world.behave(lost=[f"o{number}" for number in range(1, 8)])
        world.run("check")
        said = world.run("compare", "--held-out", "ours")
    assert (said.code, said.out.splitlines()[-1]) == (
        1,
        "  the public suite made-up pulled ahead of the held-out suite ours by 58 points (p = 0.0023): it may have been trained on",
    )


def test_one_json_document_on_stdout_and_the_same_in_a_file(world: World) -> None:
    world.write(world.second_target("other"))
    world.collect(2)
    said = world.run("compare", "--json", "--out", "result.json")
    assert said.code == 0
    assert said.document["class"] == "none"
    assert [target["target"] for target in said.document["targets"]] == ["bot", "other"]
    assert (world.folder / "result.json").read_text() == said.out
    assert not list(world.folder.glob(".*.part"))


def test_nothing_to_compare_is_neither_well_nor_ill(world: World) -> None:
    world.write(world.second_target("other"))
    assert world.run("check", "--target", "bot").code == 0
    said = world.run("compare", "bot")
    assert (said.code, said.out.splitlines()[1:]) == (
        3,
        [
            "  made-up against the reference: no reference yet: 1 of 5 runs are there",
            "  made-up against the run before: there is none yet",
        ],
    )
    world.run("check", "--target", "bot")
    assert world.run("compare", "bot").code == 0
    said = world.run("compare")
    assert (said.code, said.out.splitlines()[-1]) == (3, "other: nothing to compare: it was never checked")


def test_a_check_that_could_not_be_measured_is_no_flip(world: World) -> None:
    world.write()
    world.collect(2)
    world.behave(faults={"auth": 1.0})
    world.run("check")
    said = world.run("compare")
    assert said.code == 3
    assert said.out.startswith("bot: nothing to compare: check 3 could not measure (auth): ")
    assert len(said.out.splitlines()) == 1


def test_the_gravest_of_several_targets_counts(world: World) -> None:
    world.write(world.second_target("other"))
    world.run("check", "--target", "bot")
    world.behave(lost=["q1", "q2"])
    world.run("check", "--target", "bot")
    assert world.run("compare").code == 1


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (["bto"], "TARGET: 'bto' is not in the config; choose from: bot"),
        (["--held-out", "secret"], "--held-out: 'secret' is not asked of any of the targets; choose from: made-up"),
        (
            ["--medium-flip-count", "0"],
            "usage: Invalid value for '--medium-flip-count': 0 is not in the range x>=1; see model-drift-exporter compare --help",
        ),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_wrong_command_line_is_told(world: World, arguments: list[str], error: str) -> None:
    world.write()
    said = world.run("compare", *arguments)
    assert (said.code, said.out, said.errors) == (2, "", [error])
    assert world.run("compare", *arguments, "--json").document == {"errors": [error]}


def test_compare_asks_nothing_and_changes_nothing_and_a_file_that_cannot_be_written_is_told(world: World) -> None:
    world.write()
    world.collect(2)
    asked, before = world.asked(), (world.folder / "history.db").read_bytes()
    assert world.run("compare").code == 0
    error = "--out: none/x.json: cannot be written: No such file or directory; name a file in a folder that can be written"
    assert world.run("compare", "--out", "none/x.json", "--json").document == {"errors": [error]}
    assert (world.asked(), (world.folder / "history.db").read_bytes()) == (asked, before)
