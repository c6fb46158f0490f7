from __future__ import annotations

from pathlib import Path

import pytest

from exporter.config import load_config, parse_config
from exporter.config.load import dump_yaml, flow_yaml
from exporter.errors import ConfigError
from tests.config.texts import TARGET, complaints

QUOTES = "put the value in quotes"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: [1,\nb", "1: not valid YAML: a bracket or brace that is never closed; close it, and put commas between its items"),
        ("\na: 'x\n\n\n", "2: not valid YAML: a quote that is never closed; close it"),
        (
            "a: *secret",
            "1: not valid YAML: an alias (*name) whose anchor (&name) is not defined above it; define it, or put the value in quotes",
        ),
        ("a: &x 1\nb: &x 2", "2: not valid YAML: an anchor (&name) that is defined twice; give one of them another name"),
        ("a:\n\tb: 1", "2: not valid YAML: a tab where spaces belong; indent with spaces"),
        ("a: @secret", f"1: not valid YAML: a character that must not come first in a plain value; {QUOTES}"),
        ("a: b: c", f"1: not valid YAML: a wrong indentation, or a second ': ' in a plain value; align the keys, or {QUOTES}"),
        ('a: "\\q"', "1: not valid YAML: an unknown escape after a backslash in double quotes; use single quotes"),
        ("a:\n  - b\n c: d", "3: not valid YAML: a wrong indentation, or a list item without its dash; align the keys of each block"),
        ("a: 1\nword\nb: 2", "2: not valid YAML: a key without ': ' after it; write it as key: value"),
        ("a: 1\n---\nb: 2", "2: not valid YAML: a second YAML document; keep one, and remove the --- line before the other"),
        ("%YAML 3.0\n---\na: 1", "1: not valid YAML; check the indentation, and put values with special characters in quotes"),
        ("a: 1\nb: \x07", "2: holds the control character U+0007; remove it"),
        ("a: " + "[" * 50, "1: not valid YAML: nested more than 40 levels deep; write it flatter"),
        ("a: &a\n  b: *a", "1: an alias inside its own anchor; write the value out"),
        ("a: &a\n  <<: *a\n  b: 1", "1: an alias inside its own anchor; write the value out"),
    ],
)
def test_what_is_not_yaml_is_one_complaint_with_its_line(text: str, message: str) -> None:
    assert complaints(text) == [f"config.yml:{message}"]


def test_aliases_that_multiply_are_stopped() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{level}: &a{level} [{', '.join([f'*a{level - 1}'] * 10)}]" for level in range(1, 12)]
    assert complaints("\n".join(lines)) == ["config.yml:1: more than 50000 values once aliases are followed; use fewer aliases"]


def test_a_key_written_twice_names_both_lines_and_the_first_is_checked() -> None:
    text = f"{TARGET}  concurrency: 0\n  stream: true\n  concurrency: 4\n"
    assert complaints(text) == [
        "config.yml:5: targets[0].concurrency: must be a whole number from 1 to 256, not 0",
        "config.yml:7: targets[0].concurrency: written twice, first on line 5; remove one",
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("extra_body: {a: !!binary aGk=}", ".extra_body.a: has a tag (a word with ! in front) that is not known here; remove the tag"),
        ("extra_body: {a: !!set {b}}", ".extra_body.a: has a tag (a word with ! in front) that is not known here; remove the tag"),
        ("extra_body: {a: !!int x}", ".extra_body.a: is not a whole number; remove the tag"),
        ("extra_body: {a: !!float x}", ".extra_body.a: is not a number; remove the tag"),
        ("extra_body: {a: !!bool x}", ".extra_body.a: is not true or false; remove the tag"),
        ('extra_body: {a: "\\ud800"}', ".extra_body.a: holds half of a surrogate pair; remove it"),
        ("extra_body: {[a]: 1}", ".extra_body: has a key that is a list or a mapping; write keys as plain words"),
        ('"\\ud800": 1', ": has a key with half of a surrogate pair; remove it"),
        ("<<: 5", ": << merges something that is not a mapping; merge an alias (*name) of a mapping"),
    ],
)
def test_yaml_that_no_setting_can_use_is_told(text: str, message: str) -> None:
    assert complaints(f"{TARGET}  {text}\n") == [f"config.yml:5: targets[0]{message}"]


def test_scalars_follow_the_core_schema_of_yaml_1_2() -> None:
    values = (
        "{a: no, b: 1e-6, c: 2026-01-02, d: 1_000, e: 12:30:00, f: 0x1F, g: 0o17, h: .5, i: ~, j: TRUE, k: '1', 7: x, l: !!str 5, m: -3}"
    )
    config = parse_config(f"{TARGET}  extra_body: {values}\n", "config.yml")
    assert config.targets[0].extra_body == {
        "a": "no",
        "b": 1e-6,
        "c": "2026-01-02",
        "d": "1_000",
        "e": "12:30:00",
        "f": 31,
        "g": 15,
        "h": 0.5,
        "i": None,
        "j": True,
        "k": "1",
        "7": "x",
        "l": "5",
        "m": -3,
    }


def test_merged_keys_come_after_own_ones_and_earlier_sources_first() -> None:
    text = """\
targets:
- &one {name: a, api: ollama, model: m, concurrency: 2, stream: true}
- &two {<<: *one, name: b, stream: false}
- <<: [*two, {reasoning_effort: low, concurrency: 9}]
  name: c
"""
    third = parse_config(text, "config.yml").targets[2]
    assert (third.name, third.api, third.stream, third.concurrency, third.reasoning_effort) == ("c", "ollama", False, 2, "low")
    assert third.locate("name") == "config.yml:5: targets[2].name"
    assert third.locate("stream") == "config.yml:3: targets[2].stream"
    assert third.locate("api") == "config.yml:2: targets[2].api"


def test_a_byte_order_mark_and_windows_line_ends_are_read(tmp_path: Path) -> None:
    path = tmp_path / "config.yml"
    path.write_bytes(b"\xef\xbb\xbf" + TARGET.replace("\n", "\r\n").encode() + b"  stream: yes\r\n")
    with pytest.raises(ConfigError) as caught:
        load_config(path)
    assert str(caught.value) == f"{path}:5: targets[0].stream: must be true or false, not 'yes'"


def test_what_is_written_reads_back_as_the_same_value() -> None:
    values = [
        "1e-6",
        "yes",
        "0o17",
        "0x1F",
        "1.",
        "-.5",
        "",
        "~",
        "null",
        "a: b",
        "#x",
        "2026-01-02",
        "日本",
        "a\nb",
        None,
        True,
        1e-6,
        5.0,
        7,
        [],
        {},
    ]
    config = parse_config(f"{TARGET}  extra_body: {flow_yaml({'values': values})}\n", "config.yml")
    assert config.targets[0].extra_body["values"] == values
    assert parse_config(dump_yaml({"targets": [{"name": "a", "api": "ollama", "model": "1e3"}]}), "config.yml").targets[0].model == "1e3"
