from __future__ import annotations

import json

import pytest

from exporter.config import json_schema, parse_config
from tests.cli.world import World


def test_the_config_is_shown_complete_and_without_secrets(world: World) -> None:
    world.write("  headers: {X-Api-Key: planted-secret}\n")
    said = world.run("config")
    assert said.code == 0
    assert "planted-secret" not in said.out
    assert "X-Api-Key: <secret>" in said.out
    assert "request_timeout: 1m30s" in said.out


def test_what_is_shown_can_be_read_again(world: World) -> None:
    path = world.write()
    shown = world.run("config").out
    assert parse_config(shown, "shown") == parse_config(path.read_text(), "written")


def test_the_example_loads(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "a-key")
    example = world.run("config", "--example").out
    (world.folder / "config.yml").write_text(example)
    assert world.run("validate").out == (
        "config.yml: 1 target, 34 questions (reasoning 13, instruction 10, japanese 11), all references pass\n"
    )


def test_the_schema_is_one_json_document(world: World) -> None:
    assert json.loads(world.run("config", "--schema").out) == json_schema()


def test_example_and_schema_do_not_go_together(world: World) -> None:
    said = world.run("config", "--example", "--schema")
    assert (said.code, said.errors) == (2, ["--example: cannot be printed together with --schema; give one of the two"])
