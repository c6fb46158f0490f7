from __future__ import annotations

import re
from pathlib import Path

import pytest

from exporter.config import parse_config
from exporter.config.load import flow_yaml
from exporter.config.scalars import PLATFORM_LABELS, TARGET_INFO_LABELS
from exporter.config.schema import Key, file_keys
from tests.config.texts import TARGET, complaints

TEXT = (Path(__file__).parents[2] / "docs" / "configuration.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^#+ (.+)\n((?:(?!#).*\n?)*)", TEXT, re.MULTILINE))
EXAMPLES = re.findall(r"^```yaml\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)


def section_of(key: Key) -> str:
    block = ".".join(key.path[:-1])
    return {"": "Top level", "targets[]": "`targets`"}.get(block, f"`{block}`")


def row_of(key: Key) -> str:
    default = "required" if key.required else f"`{flow_yaml(key.default)}`"
    return f"| `{key.path[-1]}` | {key.words} | {default} | {key.description} |"


@pytest.mark.parametrize("key", file_keys(), ids=lambda key: ".".join(key.path))
def test_each_key_is_documented_in_its_section_with_its_default(key: Key) -> None:
    assert row_of(key) in SECTIONS[section_of(key)].splitlines()


def test_no_key_is_documented_that_does_not_exist() -> None:
    assert sorted(re.findall(r"^\| `.*$", TEXT, re.MULTILINE)) == sorted(map(row_of, file_keys()))


def test_the_examples_load(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    assert len(EXAMPLES) == 3
    for example in EXAMPLES:
        assert parse_config(example, "configuration.md").targets


def test_the_errors_shown_are_the_errors_that_come() -> None:
    text = f"# one\n# two\n# three\n# four\n# five\n{TARGET}\n\n  request_timeout: 90\n".replace("openai_chat", "opnai_chat")
    assert complaints(text)
    for line in complaints(text):
        assert f"  {line}\n" in TEXT


def test_every_refused_label_is_listed() -> None:
    listed = re.search(r"\* `labels` need(.*?)\n\*", TEXT, re.DOTALL)
    assert listed is not None
    assert set(re.findall(r"`(\w+)`", listed[1])) >= TARGET_INFO_LABELS | PLATFORM_LABELS
