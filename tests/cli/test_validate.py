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
