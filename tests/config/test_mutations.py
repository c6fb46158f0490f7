"""Whatever becomes of a good file, it loads or ends in a ConfigError that can be shown."""

from __future__ import annotations

import copy
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from exporter.config import Config, parse_config, shown_config
from exporter.config.load import dump_yaml
from exporter.config.schema import file_keys
from exporter.errors import ConfigError

GOOD = """\
schedule: {cron: 0 9 * * *, timezone: Europe/Berlin, spread: 15m}
decision: &decision {alpha: 0.004, tries: 5, retry_failed_check: {after: 1h, times: 3}}
budget: {usd_per_day: 5, total: {tokens_per_month: 100000}}
targets:
- name: bot
  api: openai_chat
  base_url: https://user:planted@[::1]:8080/v1?x=1
  model: "gpt-5.5"
  price: {input_usd_per_mtok: 1.25, output_usd_per_mtok: 10}
  headers: {Authorization: "Bearer planted", X-Team: support}
  extra_body: {api_key: planted, nested: [1, {a: ~}]}
  labels: {team: support}
  decision: {<<: *decision, confirm_after: 0}
- name: 日本
  formerly: old
  api: ollama
  model: llama
  price: unknown
  suites: [core, ./ours.yml]
"""
VALUES: dict[str, Any] = {
    "schedule": {"cron": "0 9 * * *", "timezone": "UTC"},
    "decision": {"tries": 5, "baseline_runs": 6, "retry_failed_check": {"after": "1h"}},
    "budget": {"usd_per_day": 5, "total": {}},
    "targets": [
        {"name": "a", "api": "ollama", "model": "m", "budget": {"tokens_per_day": 5}, "labels": {"team": "x"}},
        {"name": "b", "formerly": "c", "api": "gemini", "model": "m", "price": {"input_usd_per_mtok": 1, "output_usd_per_mtok": 2}},
    ],
}
KEYS = sorted({part for key in file_keys() for part in key.path} | {"[key]", "<prices>", "<word>", "total_budget", "x", ""})
scraps = st.sampled_from(
    [
        *" \t\n:-[]{}&*!|>'\"%@`#,?~<0",
        "<<: ",
        "*decision",
        "&a ",
        "!!int ",
        "\\ud800",
        "1e999",
        ".nan",
        "\x00",
        "\ufeff",
        "---\n",
        "0x",
        "null",
        "é",
    ]
)
words = st.sampled_from(
    ["core", "1h", "0 9 * * *", "9 9 31 2 *", "UTC", "unknown", "https://[::", "sqlite:///", "a", "Bearer x", "x\ud800y"]
)
scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | words
values = st.recursive(
    scalars,
    lambda below: st.lists(below, max_size=3) | st.dictionaries(st.sampled_from(KEYS) | st.text(max_size=4), below, max_size=3),
    max_leaves=6,
)


def check(text: str) -> None:
    outcome = outcome_of(text)
    if isinstance(outcome, Config):
        assert parse_config(shown_config(outcome), "shown.yml").targets
    else:
        assert "pydantic" not in str(outcome)
        assert len(str(outcome).splitlines()) == len(outcome.problems) > 0


def outcome_of(text: str) -> Config | ConfigError:
    try:
        return parse_config(text, "config.yml")
    except ConfigError as error:
        return error


def paths(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    below = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(found for part, item in below for found in paths(item, (*path, part)))]


def test_the_text_that_is_changed_is_good() -> None:
    assert [target.name for target in parse_config(GOOD, "config.yml").targets] == ["bot", "日本"]
    assert [target.name for target in parse_config(dump_yaml(VALUES), "config.yml").targets] == ["a", "b"]


@settings(max_examples=200)
@given(st.data())
def test_a_text_with_characters_put_in_or_left_out_never_crashes(data: st.DataObject) -> None:
    text = GOOD
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(text)))
        left_out = data.draw(st.integers(0, 12))
        text = text[:start] + data.draw(scraps | st.just("")) + text[start + left_out :]
    check(text)


@settings(max_examples=200)
@given(st.data())
def test_values_of_any_kind_in_any_place_never_crash(data: st.DataObject) -> None:
    changed = copy.deepcopy(VALUES)
    for _ in range(data.draw(st.integers(1, 3))):
        *above, last = data.draw(st.sampled_from([path for path in paths(changed) if path]))
        place: Any = changed
        for part in above:
            place = place[part]
        if isinstance(place, dict) and data.draw(st.booleans()):
            place[data.draw(st.sampled_from(KEYS))] = data.draw(values)
        else:
            place[last] = data.draw(values)
    check(dump_yaml(changed))
