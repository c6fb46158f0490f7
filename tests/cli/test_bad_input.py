"""Bad input: one clear line for each mistake on stderr, exit code 2, and nothing is changed."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from exporter.store import open_store
from tests.cli.world import World, suite_text
from tests.store.damage import unprivileged

EXAMPLE = "model-drift-exporter config --example shows every key"
BAD_CONFIGS = {
    "an unknown key": ("  modle: x\n", ["config.yml:11: targets[0].modle: unknown key; did you mean model?"]),
    "a wrong type": (
        "  concurrency: many\n",
        ["config.yml:11: targets[0].concurrency: must be a whole number from 1 to 256, not 'many'"],
    ),
    "two targets of one name": (
        "- {name: bot, api: openai_chat, model: m, suites: [questions.yml], price: unknown}\n",
        ["config.yml:11: targets[1].name: 'bot' is already targets[0].name (line 5); give each target its own name"],
    ),
    "a missing key file": (
        "  api_key_file: none\n",
        ["config.yml:11: targets[0].api_key_file: no such file; a relative path starts at the folder of the config file"],
    ),
    "a cron that never fires": (
        "  schedule: {cron: 0 9 30 2 *}\n",
        ["config.yml:11: targets[0].schedule.cron: '0 9 30 2 *' never fires; choose a day that some month has"],
    ),
    "several at once": (
        "  modle: x\n  concurrency: many\ncolour: red\n",
        [
            "config.yml:11: targets[0].modle: unknown key; did you mean model?",
            "config.yml:12: targets[0].concurrency: must be a whole number from 1 to 256, not 'many'",
            f"config.yml:13: colour: unknown key; remove it; {EXAMPLE}",
        ],
    ),
}
VERBS = (["validate"], ["check"], ["serve"], ["status"], ["estimate"], ["config"], ["compare"], ["baseline", "show", "bot"])
NEED_NO_KEY = ("status", "estimate", "config", "compare", "baseline")


@pytest.mark.parametrize(("more", "errors"), BAD_CONFIGS.values(), ids=list(BAD_CONFIGS))
def test_a_bad_config_is_told_with_its_lines(world: World, more: str, errors: list[str]) -> None:
    world.write(more)
    said = world.run("validate")
    assert (said.code, said.errors, said.out) == (2, errors, "")
    assert world.run("validate", "--json").document == {"errors": errors}


@pytest.mark.parametrize("verb", VERBS, ids=" ".join)
def test_every_verb_refuses_a_bad_config_alike(world: World, verb: list[str]) -> None:
    world.write("  modle: x\n")
    said = world.run(*verb)
    assert (said.code, said.errors, said.out) == (2, ["config.yml:11: targets[0].modle: unknown key; did you mean model?"], "")
    assert not (world.folder / "history.db").exists()


@pytest.mark.parametrize("verb", VERBS, ids=" ".join)
def test_a_missing_config_is_told_by_every_verb(world: World, verb: list[str]) -> None:
    said = world.run(*verb)
    assert (said.code, said.errors) == (
        2,
        ["config.yml: no such file; name another with --config.file, or write one: model-drift-exporter config --example > config.yml"],
    )


@pytest.mark.parametrize("verb", VERBS, ids=" ".join)
def test_a_key_that_cannot_be_read_concerns_only_those_who_ask_a_model(world: World, verb: list[str]) -> None:
    world.write("  api_key_env: NO_SUCH_KEY\n")
    assert ("api_key_env" in world.run(*verb).err) is (verb[0] not in NEED_NO_KEY)


NO_SUITE = (
    "is neither a builtin suite nor a file; name a builtin suite (core, code, structure), or a file or folder relative to the config file"
)
RE2 = "write it in RE2's syntax (no look-around, no back-references)"
SUITES = {
    "unreadable": (None, f"questions.yml: {NO_SUITE}"),
    "a regex that does not compile": (
        "grader: {kind: regex, patterns: ['(']}",
        f"questions.yml:7: questions[0].grader.patterns[0]: does not compile: missing ): (; {RE2}",
    ),
    "a reference that fails its grader": (
        "grader: {kind: exact, answers: ['x']}",
        "questions.yml:8: questions[0].reference: fails its own grader; correct the reference or the grader",
    ),
}
NEWER = (
    "storage sqlite:///history.db: was written by a newer version of this program (schema 9999); "
    "install that version again, or name another file"
)


@pytest.mark.parametrize(("grader", "error"), SUITES.values(), ids=list(SUITES))
def test_a_bad_suite_is_told(world: World, grader: str | None, error: str) -> None:
    world.write()
    suite = world.folder / "questions.yml"
    if grader is None:
        suite.unlink()
    else:
        suite.write_text(suite.read_text().replace("grader: {kind: exact, answers: ['1']}", grader))
    said = world.run("validate")
    assert (said.code, said.errors) == (2, [error])
    assert world.run("check", "--json").document == {"errors": [error]}


def lock(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("BEGIN IMMEDIATE")
    return connection


@pytest.mark.parametrize("verb", [["check"], ["serve", "--web.listen-address", "127.0.0.1:0"]], ids=" ".join)
def test_a_locked_store_is_told(world: World, verb: list[str]) -> None:
    world.write()
    open_store(f"sqlite:///{world.folder}/history.db").close()
    with closing(lock(world.folder / "history.db")):
        said = world.run(*verb)
    assert (said.code, said.errors) == (
        2,
        ["storage sqlite:///history.db: is locked by another program; stop that program, or try again when it is done"],
    )


@pytest.mark.parametrize("verb", [["check"], ["status"], ["compare"], ["serve", "--web.listen-address", "127.0.0.1:0"]], ids=" ".join)
def test_a_store_of_a_newer_version_is_told_and_left_alone(world: World, verb: list[str]) -> None:
    world.write()
    open_store(f"sqlite:///{world.folder}/history.db").close()
    with closing(sqlite3.connect(world.folder / "history.db")) as connection:
        connection.execute("UPDATE model_drift_schema SET version_num = '9999'")
        connection.commit()
    said = world.run(*verb)
    assert (said.code, said.errors) == (
        2,
        [NEWER],
    )


@pytest.mark.parametrize("verb", [["check"], ["status"], ["compare"]], ids=" ".join)
def test_a_file_that_is_no_database_is_told(world: World, verb: list[str]) -> None:
    world.write()
    (world.folder / "history.db").write_text("hello, this is no database at all" * 40)
    said = world.run(*verb)
    assert (said.code, said.errors) == (
        2,
        ["storage sqlite:///history.db: is not a database; name another file, or move this one away to start anew"],
    )


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that every user may look into: those of pytest are their owner's only."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


def test_a_read_only_store_is_told(world: World, open_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    world.folder = open_folder
    monkeypatch.chdir(open_folder)
    (open_folder / "questions.yml").write_text(suite_text())
    world.write()
    open_store("sqlite:///history.db").close()
    with unprivileged():
        said = world.run("check")
    assert (said.code, said.errors) == (
        2,
        ["storage sqlite:///history.db: cannot be written; let this user write the file and its folder"],
    )
    assert world.asked() == 0


def test_a_store_in_a_folder_that_cannot_be_made_is_told(world: World) -> None:
    (world.folder / "data").write_text("a file, not a folder")
    world.write(storage="sqlite:///data/history.db")
    said = world.run("check")
    assert (said.code, len(said.errors)) == (2, 1)
    assert said.errors[0].startswith("storage sqlite:///data/history.db: cannot be created: ")


@pytest.mark.parametrize("verb", [["check"], ["status"], ["estimate"]], ids=" ".join)
def test_an_unknown_target_is_told_with_the_known_ones(world: World, verb: list[str]) -> None:
    world.write()
    said = world.run(*verb, "--target", "bto", "--target", "nobody")
    assert (said.code, said.errors) == (
        2,
        ["--target: 'bto' is not in the config; choose from: bot", "--target: 'nobody' is not in the config; choose from: bot"],
    )


@pytest.mark.parametrize("verb", [["status"], ["compare"], ["baseline", "show", "bot"], ["baseline", "reset", "bot"]], ids=" ".join)
def test_no_store_yet_is_told_and_none_is_made(world: World, verb: list[str]) -> None:
    world.write()
    said = world.run(*verb)
    assert (said.code, said.errors) == (
        2,
        ["storage sqlite:///history.db: there is no such file; run serve or check first, they create it"],
    )
    assert not (world.folder / "history.db").exists()
