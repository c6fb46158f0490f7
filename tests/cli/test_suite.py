from __future__ import annotations

import io
import sys

import pytest

from exporter.config import dump_yaml
from exporter.suites import generate_suite, load_suites
from tests.cli.world import World


def seed_of(world: World) -> bytes:
    return (world.folder / "suite.seed").read_bytes().strip()


@pytest.fixture
def seeded(world: World) -> World:
    said = world.run("suite", "generate", "--new-seed", "suite.seed")
    assert (said.code, said.out) == (0, "")
    assert said.err == "suite.seed: a new seed; keep a copy, as without it the questions cannot be made again\n"
    return world


def test_a_new_seed_is_random_and_its_owner_s_alone(seeded: World) -> None:
    seeded.run("suite", "generate", "--new-seed", "other.seed")
    path = seeded.folder / "suite.seed"
    assert len(bytes.fromhex(path.read_text())) == 32
    assert path.read_text() != (seeded.folder / "other.seed").read_text()
    assert path.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("level", ["easy", "medium", "hard"])
def test_what_is_printed_and_what_is_written_load_as_the_suite_in_memory(seeded: World, level: str) -> None:
    flags = ("suite", "generate", "--seed-file", "suite.seed", "--level", level, "--count", "36")
    printed = seeded.run(*flags)
    written = seeded.run(*flags, "--out", "private.yml")
    assert (printed.code, printed.err, written.code, written.err) == (0, "", 0, "private.yml: 36 questions\n")
    assert (seeded.folder / "private.yml").read_text(encoding="utf-8") == printed.out
    generated = generate_suite(seed_of(seeded), level, 36)  # type: ignore[arg-type] # one of the levels
    assert load_suites(["private.yml"], seeded.folder) == load_suites(["generated"], seeded.folder, None, generated)


def test_the_suite_in_memory_needs_no_file_and_shows_no_seed(seeded: World) -> None:
    seeded.write("generated: {seed_file: suite.seed, level: easy, count: 16}\n", suites="[generated]")
    said = seeded.run("validate")
    assert said.out == "config.yml: 1 target, 16 questions (reasoning 4, language 4, data 4, japanese 4), all references pass\n"
    shown = seeded.run("config")
    assert "seed_file: suite.seed\n" in shown.out
    assert seed_of(seeded).decode() not in shown.out + said.out


def test_a_text_of_several_lines_is_written_in_lines() -> None:
    assert dump_yaml({"prompt": "one\n\ntwo: 3"}) == "prompt: |-\n  one\n\n  two: 3\n"


BAD = [
    ((), "--seed-file: missing; name the file of a seed; --new-seed FILE makes one"),
    (("--seed-file", "none"), "--seed-file: no such file; name the file of a seed; --new-seed FILE makes one"),
    (("--seed-file", "."), "--seed-file: what it names is not a file; name a file that holds the seed"),
    (
        ("--new-seed", "a", "--seed-file", "suite.seed"),
        "--new-seed: only makes a seed; leave out --seed-file and --out, and give --seed-file afterwards",
    ),
    (("--new-seed", "suite.seed"), "--new-seed: suite.seed: is there already, and is not replaced; name a new file"),
    (
        ("--seed-file", "suite.seed", "--out", "none/private.yml"),
        "--out: none/private.yml: cannot be written: No such file or directory; name a file in a folder that can be written",
    ),
    (
        ("--seed-file", "suite.seed", "--count", "11"),
        "usage: Invalid value for '--count': 11 is not in the range 12<=x<=500; see model-drift-exporter suite generate --help",
    ),
]


@pytest.mark.parametrize(("flags", "message"), BAD)
def test_what_cannot_be_carried_out_is_told(seeded: World, flags: tuple[str, ...], message: str) -> None:
    said = seeded.run("suite", "generate", *flags)
    assert (said.code, said.out, said.errors) == (2, "", [message])


def test_a_terminal_without_japanese_is_told_rather_than_given_question_marks(seeded: World, monkeypatch: pytest.MonkeyPatch) -> None:
    ascii_only = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "stdout", ascii_only)
    said = seeded.run("suite", "generate", "--seed-file", "suite.seed")
    assert said.errors == ["standard output: cannot take Japanese characters; use --out, or set PYTHONIOENCODING=utf-8"]


def test_a_seed_that_everybody_may_read_is_warned_of(seeded: World) -> None:
    (seeded.folder / "suite.seed").chmod(0o644)
    said = seeded.run("suite", "generate", "--seed-file", "suite.seed", "--count", "12")
    assert said.errors == ["warning: --seed-file: everybody on this machine may read it; chmod 600 it"]


def test_a_check_told_by_flags_has_no_seed(world: World) -> None:
    said = world.run("check", "--api", "openai_chat", "--model", "m", "--price.unknown", "--suite", "generated", "--dry-run")
    assert said.errors == ["--suite: the suite generated needs a seed; name a file that model-drift-exporter suite generate wrote"]
