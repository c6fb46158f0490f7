"""`check` without a config file."""

from __future__ import annotations

import pytest

from tests.cli.world import World

APIS = "openai_chat, openai_responses, azure_openai, anthropic, gemini, mistral, cohere, ollama"
ADD_PRICE = "add --price.input and --price.output, or --price.unknown"
BAD_FLAGS = [
    ("--api openai_chat", ["--model: missing; a check without a config file needs --api and --model"]),
    ("--model m", ["--api: missing; a check without a config file needs --api and --model"]),
    (
        "--stream",
        [
            "--api: missing; a check without a config file needs --api and --model",
            "--model: missing; a check without a config file needs --api and --model",
        ],
    ),
    (
        "--api openai_cha --model m --base-url nowhere --price.input 3",
        [
            f"--api: must be one of {APIS}, not 'openai_cha'; did you mean openai_chat?",
            "--base-url: is not a URL of a server; write it as https://host/path",
            "--price.output: missing; add it: dollars for a million output tokens, reasoning included",
        ],
    ),
    (
        "--api openai_chat --model m --price.unknown --api-key-file none.txt",
        ["--api-key-file: no such file; name a file that holds the key and nothing else"],
    ),
    (
        "--api openai_chat --model m --price.unknown --api-key-env NO_SUCH_KEY",
        ["--api-key-env: the environment variable that it names is not set; set it where the exporter runs"],
    ),
    (
        "--api openai_chat --model made-up",
        [
            f"--price: missing, and the price table knows no 'made-up' at openai_chat; {ADD_PRICE}",
        ],
    ),
    (
        "--api openai_chat --model m --price.unknown --price.output 1",
        ["--price.unknown: a price is given as well; leave out one of them"],
    ),
    (
        "--api openai_chat --model m --price.unknown --tool-calling txt",
        ["--tool-calling: must be one of api, text, not 'txt'; did you mean text?"],
    ),
    (
        "--api openai_chat --model m --price.unknown --max-tokens-scale 0",
        ["--max-tokens-scale: must be a number above 0 and at most 1,000, not 0.0"],
    ),
    (
        "--api openai_chat --model m --price.unknown --storage history.db",
        ["--storage: is not the URL of a SQLite file; write sqlite:///data/history.db, with four slashes for an absolute path"],
    ),
    (
        "--api openai_chat --model m --price.unknown --suite none.yml",
        [
            (
                "none.yml: is neither a builtin suite nor a file; "
                "name a builtin suite (core, code, structure), or a file or folder relative to the config file"
            )
        ],
    ),
    (
        "--api openai_chat --model m --config.file config.yml",
        ["--config.file: a target is told by flags as well; leave out --config.file, or the flags of the target"],
    ),
    (
        "--api openai_chat --model m --target bot",
        ["--target: a target is told by flags as well; leave out --target, or the flags of the target"],
    ),
    (
        "--api openai_chat --model m --max-tokens-scale much",
        ["usage: Invalid value for '--max-tokens-scale': 'much' is not a valid float; see model-drift-exporter check --help"],
    ),
]


@pytest.mark.parametrize(("flags", "errors"), BAD_FLAGS, ids=[flags for flags, _ in BAD_FLAGS])
def test_bad_flags_are_told_by_their_names(world: World, flags: str, errors: list[str]) -> None:
    said = world.run("check", *flags.split())
    assert (said.code, said.errors, said.out) == (2, errors, "")
    assert sorted(file.name for file in world.folder.iterdir()) == ["questions.yml"]


def test_a_model_is_checked_by_flags_alone_and_its_history_grows(world: World) -> None:
    flags = ["--api", "openai_chat", "--model", "m", "--base-url", world.mock.base_url, "--suite", "questions.yml", "--price.unknown"]
    first = world.run("check", *flags)
    assert (first.code, first.out.splitlines()[0]) == (0, "m: Collecting the baseline: 1 of 5 runs.")
    assert (world.folder / "data" / "history.db").exists()
    second = world.run("check", *flags)
    assert second.out.splitlines()[0] == "m: Collecting the baseline: 1 of 5 runs."


def test_every_flag_reaches_the_request(world: World) -> None:
    (world.folder / "key").write_text("planted-key\n")
    world.behave("other", api_key="planted-key", faults={"null_answer": 1.0})  # a fault that streams cannot have
    said = world.run(
        *("check", "--api", "anthropic", "--model", "other", "--name", "bot", "--base-url", world.mock.base_url, "--stream"),
        *("--api-key-file", "key", "--suite", "questions.yml", "--price.input", "1", "--price.output", "2", "--max-tokens-scale", "2"),
        *("--tool-calling", "text"),
        *("--storage", "sqlite:///here.db", "--json"),
    )
    (target,) = said.document["targets"]
    assert (said.code, target["target"], target["kind"]) == (0, "bot", "collecting")
    assert target["spend_usd"] > 0
    assert (world.folder / "here.db").exists()
