from __future__ import annotations

from tests.cli.world import World


def test_counts_are_told_where_all_is_well(world: World) -> None:
    world.write(world.second_target("other"))
    said = world.run("validate")
    assert (said.code, said.out, said.err) == (0, "config.yml: 2 targets, 12 questions (odd 6, even 6), all references pass\n", "")
    assert world.run("validate", "--json").document == {
        "valid": True,
        "file": "config.yml",
        "targets": 2,
        "questions": 12,
        "areas": {"odd": 6, "even": 6},
        "warnings": [],
    }


def test_suites_are_looked_at_alone(world: World) -> None:
    said = world.run("validate", "--suite", "questions.yml", "--suite", "core")
    assert said.code == 0
    assert said.out == "questions.yml, core: 46 questions (odd 6, even 6, reasoning 13, instruction 10, japanese 11), all references pass\n"


def test_all_problems_of_suites_are_told_at_once(world: World) -> None:
    suite = world.folder / "questions.yml"
    suite.write_text(suite.read_text().replace("reference: '3'", "reference: '4'").replace("id: q5", "id: q4"))
    said = world.run("validate", "--suite", "questions.yml")
    assert said.code == 2
    assert [line.partition(": ")[0] for line in said.errors] == ["questions.yml:22", "questions.yml:31"]
    assert len(world.run("validate", "--suite", "questions.yml", "--json").document["errors"]) == 2


def test_a_config_and_suites_alone_do_not_go_together(world: World) -> None:
    said = world.run("validate", "--suite", "core", "--config.file", "config.yml")
    assert (said.code, said.errors) == (2, ["--suite: looks at suites without a config; leave out --config.file, or --suite"])


LENIENT = "questions.yml:7: questions[0].grader: accepts an empty answer; say what a right one must hold"


def write_warned(world: World) -> None:
    """The first question takes whatever is not "no"; the second may take half a million tokens."""
    suite = world.folder / "questions.yml"
    text = suite.read_text().replace("{kind: exact, answers: ['1']}", "{kind: regex, forbid: ['no']}")
    suite.write_text(text.replace("max_tokens: 64", "max_tokens: 500000", 2).replace("max_tokens: 500000", "max_tokens: 64", 1))


def test_warnings_are_told_beside_the_result_and_change_no_exit_code(world: World) -> None:
    write_warned(world)
    world.write()
    said = world.run("validate")
    assert (said.code, said.out) == (0, "config.yml: 1 target, 12 questions (odd 6, even 6), all references pass, 3 warnings\n")
    lenient, never, check = said.errors
    assert lenient == f"warning: {LENIENT}"
    assert never == (
        "warning: questions.yml:12: questions[1].prompt: would never be asked: budget.tokens_per_check of bot: "
        "0 of 300,000 tokens are spent or reserved, 500,290 more do not fit; shorten the prompt, lower max_tokens, or raise the cap"
    )
    assert check.startswith("warning: bot: a check would not start now: budget.tokens_per_check of bot: ")
    assert world.run("validate", "--json").document["warnings"] == [line.removeprefix("warning: ") for line in said.errors]


def test_warnings_of_suites_alone_rest_on_the_caps_of_a_target_that_sets_none(world: World) -> None:
    write_warned(world)
    warnings = world.run("validate", "--suite", "questions.yml", "--json").document["warnings"]
    assert warnings[0] == LENIENT
    assert "budget.tokens_per_check of any target: 0 of 300,000 tokens" in warnings[1]


def test_strict_makes_warnings_count(world: World) -> None:
    assert world.run("validate", "--suite", "questions.yml", "--strict").code == 0
    write_warned(world)
    assert world.run("validate", "--suite", "questions.yml").code == 0
    assert world.run("validate", "--suite", "questions.yml", "--strict").code == 2


def test_a_suite_that_several_targets_ask_is_warned_of_once(world: World) -> None:
    suite = world.folder / "questions.yml"
    suite.write_text(suite.read_text().replace("{kind: exact, answers: ['1']}", "{kind: regex, forbid: ['no']}"))
    world.write(world.second_target("other"))
    assert world.run("validate").errors == [f"warning: {LENIENT}"]


def test_a_seed_that_everybody_may_read_is_warned_of(world: World) -> None:
    world.run("suite", "generate", "--new-seed", "suite.seed")
    path = world.write("generated: {seed_file: suite.seed, count: 12}\n", suites="[generated]")
    assert world.run("validate").errors == []
    (world.folder / "suite.seed").chmod(0o644)
    line = path.read_text().splitlines().index("generated: {seed_file: suite.seed, count: 12}") + 1
    warning = f"warning: config.yml:{line}: generated.seed_file: everybody on this machine may read the file; chmod 600 it"
    assert world.run("validate").errors == [warning]
