"""A model's life as a person at the command line sees it."""

from __future__ import annotations

from tests.cli.world import World

LOST = ["q1", "q2", "q3", "q4", "q5"]


def test_five_checks_collect_the_sixth_is_stable(world: World) -> None:
    world.write()
    said = [world.run("check") for _ in range(6)]
    assert [one.code for one in said] == [0] * 6
    assert [one.out.splitlines()[0] for one in said] == [
        "bot: Collecting the baseline: 1 of 5 runs.",
        "bot: Collecting the baseline: 2 of 5 runs.",
        "bot: Collecting the baseline: 3 of 5 runs.",
        "bot: Collecting the baseline: 4 of 5 runs.",
        "bot: The baseline is ready: 5 runs.",
        "bot: Stable: accuracy 100 % against 100 % in the baseline (+0.0 points).",
    ]
    assert said[-1].out.splitlines()[-1] == "  → Nothing to do."
    assert said[-1].err == ""


def test_lost_questions_are_asked_a_second_time_at_once_and_end_with_1(world: World) -> None:
    world.write(decision="{baseline_min_gap: 0s, confirm_after: 1h}")
    world.collect()
    world.behave(lost=LOST)
    said = world.run("check")
    assert said.code == 1
    assert said.out.splitlines()[0] == ("bot: Drift: accuracy 58 % against 100 % in the baseline (-41.7 points), confirmed by two runs.")
    assert "  lost against the reference run: q1, q2, q3, q4, q5" in said.out.splitlines()


def test_a_rate_limit_is_no_drift_and_ends_with_3(world: World) -> None:
    world.write()
    world.collect()
    world.behave(faults={"rate_limited": 1.0}, retry_after="0")
    said = world.run("check", "--json")
    assert said.code == 3
    (target,) = said.document["targets"]
    assert (target["kind"], target["standing"], target["reason"]) == ("measurement_failed", "measurement_failed", "rate_limited")


def test_a_drift_that_stands_ends_with_1_where_the_check_could_not_measure(world: World) -> None:
    world.write()
    world.collect()
    world.behave(lost=LOST)
    world.run("check")
    world.behave(faults={"auth": 1.0})
    said = world.run("check", "--json")
    assert said.code == 1
    assert (said.document["targets"][0]["kind"], said.document["targets"][0]["standing"]) == ("measurement_failed", "drift")


def test_of_several_targets_the_gravest_counts_and_each_is_told_in_the_order_of_the_config(world: World) -> None:
    world.write(world.second_target("other") + world.second_target("third"))
    world.collect()
    world.behave("other", lost=LOST)
    world.behave("third", faults={"auth": 1.0})
    said = world.run("check", "--json")
    assert said.code == 1
    assert [(target["target"], target["kind"]) for target in said.document["targets"]] == [
        ("bot", "stable"),
        ("other", "drift"),
        ("third", "measurement_failed"),
    ]
    assert world.run("check", "--target", "third", "--target", "bot").code == 3
    assert world.run("check", "--target", "bot").code == 0
