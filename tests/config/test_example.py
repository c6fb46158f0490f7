from __future__ import annotations

import json

import pytest
import yaml
from jsonschema import Draft202012Validator

from exporter.config import Config, Target, example_config, json_schema, parse_config
from exporter.config.schema import file_keys


def test_the_example_loads_and_changes_no_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    target = Target(name="support-bot", api="openai_chat", model="gpt-5.5", api_key_env="OPENAI_API_KEY")
    assert parse_config(example_config(), "example.yml") == Config(targets=(target,))


def test_the_example_names_every_key_in_its_place_with_its_meaning() -> None:
    text = example_config()
    example = yaml.safe_load(
        text.replace("price: null", "price: {input_usd_per_mtok: 1, output_usd_per_mtok: 1, cached_input_usd_per_mtok: null}")
    )
    comments = " ".join(part for line in text.splitlines() if (part := line.partition("# ")[2]))
    for key in file_keys():
        value = example
        for part in key.path:
            value = value["targets"][0] if part == "targets[]" else value[part]
        assert key.description in comments


def test_a_default_of_the_model_stands_in_the_example() -> None:
    lines = example_config().splitlines()
    assert "  alpha: 0.004" in lines
    assert "  confirm_after: 1h" in lines
    assert "  - name: support-bot" in lines
    assert max(map(len, lines)) <= 120


def test_the_schema_is_valid_and_takes_the_example() -> None:
    schema = json_schema()
    Draft202012Validator.check_schema(schema)
    json.dumps(schema)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert [error.message for error in Draft202012Validator(schema).iter_errors(yaml.safe_load(example_config()))] == []


TARGET = {"name": "a", "api": "ollama", "model": "m"}


@pytest.mark.parametrize(
    "config",
    [
        {},
        {"targets": []},
        {"targets": [{"name": "a", "api": "ollama"}]},
        {"targets": [TARGET], "total_budget": {}},
        {"targets": [{**TARGET, "budget": {"total": {}}}]},
        {"targets": [{**TARGET, "request_timeout": 90}]},
        {"targets": [{**TARGET, "request_timeout": "90"}]},
        {"targets": [{**TARGET, "price": "free"}]},
        {"targets": [{**TARGET, "price": {"input_usd_per_mtok": 1}}]},
        {"targets": [TARGET], "decision": {"alpha": 1}},
    ],
)
def test_the_schema_refuses_what_loading_refuses(config: object) -> None:
    assert not Draft202012Validator(json_schema()).is_valid(config)


@pytest.mark.parametrize(
    "config",
    [
        {"targets": [TARGET], "budget": {"usd_per_day": None, "total": {"usd_per_day": 5}}},
        {"targets": [{**TARGET, "decision": {"tries": 1}, "request_timeout": "1m30s", "price": "unknown"}]},
        {"targets": [TARGET], "decision": {"confirm_after": 0, "recheck_after": "1.5h"}},
    ],
)
def test_the_schema_takes_what_loading_takes(config: object) -> None:
    assert Draft202012Validator(json_schema()).is_valid(config)
