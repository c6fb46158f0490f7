"""How every target stands."""

from __future__ import annotations

import pytest

from tests.cli.world import World


def test_a_target_that_was_never_checked_and_one_that_collects(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    world.write(world.second_target("other"))
    world.run("check", "--target", "other")
    said = world.run("status")
    assert said.code == 0
    rows = [line.split() for line in said.out.splitlines()]
    assert rows[0] == ["target", "verdict", "accuracy", "checks", "spend"]
    assert rows[2] == ["bot", "not", "checked", "yet", "—", "—", "$0.00", "today"]
    assert rows[6][:4] == ["other", "collecting", "100.0", "%"]
    assert rows[7][1:5] == ["1", "of", "5", "runs"]


def test_a_drift_is_told_in_a_sentence_below_the_table(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    world.write()
    world.collect()
    world.behave(lost=["q1", "q2", "q3", "q4", "q5"])
    world.run("check")
    said = world.run("status")
    assert said.code == 0
    assert said.out.splitlines()[-1] == "bot: Drift: accuracy 58 % against 100 % in the baseline (-41.7 points), confirmed by two runs."
    assert "confirmed: accuracy" in said.out


def test_json_has_the_whole_verdict_and_what_stands_beside_it(world: World) -> None:
    world.write()
    world.collect(1)
    (target,) = world.run("status", "--json").document["targets"]
    assert (target["target"], target["api"], target["model"], target["identity_evidence"]) == ("bot", "openai_chat", "m", "none")
    assert (target["standing"], target["verdict"]["kind"]) == ("collecting", "collecting")
    assert target["signals"] == {"conclusive": [], "confirmed": []}
    assert (target["check_in_progress"], target["second_run_at"]) == (False, None)
    assert target["spend"]["day"]["tokens"] == target["verdict"]["spend_tokens"]
    assert target["last_check_at"] <= target["next_check_at"]


def test_status_changes_nothing(world: World) -> None:
    world.write()
    world.collect(1)
    before = (world.folder / "history.db").read_bytes()
    world.run("status")
    assert (world.folder / "history.db").read_bytes() == before


@pytest.mark.parametrize("columns", [80, 120])
def test_no_line_is_wider_than_the_terminal(world: World, monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    world.write(world.second_target("other"))
    world.collect(1)
    for verb in (["status"], ["estimate"], ["baseline", "show", "bot"]):
        assert max(map(len, world.run(*verb).out.splitlines())) <= columns


def test_a_run_that_was_partly_served_by_another_model_is_told_below_the_table(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    world.write()
    world.collect()
    world.behave(minority_model="other", minority_ratio=0.1)
    world.run("check")
    said = world.run("status")
    assert said.code == 0
    assert said.out.splitlines()[-1] == "bot: served by m 11, other 1"
    (target,) = world.run("status", "--json").document["targets"]
    assert [(one["identity"], one["answers"], one["rerouted"]) for one in target["verdict"]["served"]] == [
        ("m", 11, False),
        ("other", 1, False),
    ]
