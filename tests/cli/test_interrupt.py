"""A check that is stopped in the middle, and taken up again: nothing is asked twice, nothing is lost."""

from __future__ import annotations

import json
import signal

import pytest

from tests.cli.world import QUESTIONS, World


def stop_in_the_middle(world: World, number: signal.Signals, *arguments: str) -> tuple[int, str, str]:
    """Exit code and words of a command that gets a signal once it has asked six questions."""
    world.behave(latency_seconds=0.2)
    with world.start(*arguments) as process:
        while world.asked() < QUESTIONS // 2:
            assert process.poll() is None
        process.send_signal(number)
        out, err = process.communicate()
    world.behave(latency_seconds=0)
    return process.returncode, out, err


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_stopped_check_settles_its_answers_and_the_next_one_asks_only_the_rest(world: World, number: signal.Signals, code: int) -> None:
    world.write()
    stopped, out, err = stop_in_the_middle(world, number, "check")
    assert (stopped, out) == (code, "")
    assert err.splitlines() == [
        "stopping: answers under way are settled; once more to stop at once",
        "target bot: interrupted; the next check, or serve, goes on with it",
    ]
    answered = world.asked()
    assert QUESTIONS // 2 <= answered < QUESTIONS
    said = world.run("check", "--json")
    assert said.errors[0].startswith("bot: going on with the check of ")
    assert (said.code, said.document["targets"][0]["questions_asked"]) == (0, QUESTIONS)
    assert world.asked() == QUESTIONS


def test_a_stopped_check_is_one_json_document_where_that_was_asked_for(world: World) -> None:
    world.write()
    code, out, _ = stop_in_the_middle(world, signal.SIGINT, "check", "--json")
    assert code == 130
    assert json.loads(out) == {"targets": [], "errors": ["target bot: interrupted; the next check, or serve, goes on with it"]}


def test_after_a_kill_the_next_check_asks_what_was_not_settled(world: World) -> None:
    world.write()
    code, out, err = stop_in_the_middle(world, signal.SIGKILL, "check")
    assert (code, out, err) == (-signal.SIGKILL, "", "")
    said = world.run("check", "--json")
    assert (said.code, said.document["targets"][0]["questions_asked"]) == (0, QUESTIONS)
    assert world.asked() <= QUESTIONS + 4


def test_a_target_that_another_program_is_checking_is_left_alone(world: World) -> None:
    world.write("  concurrency: 1\n")
    world.behave(latency_seconds=1.0)  # twelve seconds, unless it is told otherwise
    with world.start("check") as process:
        while world.asked() == 0:
            assert process.poll() is None
        said = world.run("check")
        world.behave(latency_seconds=0)
        assert process.wait() == 0
    assert (said.code, said.errors[-1]) == (
        2,
        "target bot: another program is checking it at this moment; wait until it is done, or stop that program",
    )
    assert world.asked() == QUESTIONS
