from __future__ import annotations

from pathlib import Path

import pytest

from exporter.config import Config, Target, config_from, load_config, parse_config
from exporter.errors import ConfigError
from tests.config.texts import TARGET, complaints


def complaint_of(path: Path) -> str:
    with pytest.raises(ConfigError) as caught:
        load_config(path)
    return str(caught.value)


def test_a_file_that_is_not_there_says_how_to_write_one(tmp_path: Path) -> None:
    path = tmp_path / "config.yml"
    fix = "name another with --config.file, or write one: model-drift-exporter config --example > config.yml"
    assert complaint_of(path) == f"{path}: no such file; {fix}"


def test_a_folder_is_no_config_file(tmp_path: Path) -> None:
    assert complaint_of(tmp_path) == f"{tmp_path}: is a directory; name the config file in it"


def test_a_path_below_a_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text(TARGET)
    path = tmp_path / "file" / "config.yml"
    assert complaint_of(path) == f"{path}: cannot be read (Not a directory); check the path and its permissions"


def test_a_file_that_is_not_utf_8_is_told_with_the_line(tmp_path: Path) -> None:
    path = tmp_path / "config.yml"
    path.write_bytes(TARGET.encode() + b"  system: gr\xfc\xdfe\n")
    assert complaint_of(path) == f"{path}:5: not UTF-8 text; save the file as UTF-8"


def test_a_file_without_end_is_not_read_to_its_end() -> None:
    assert complaint_of(Path("/dev/zero")) == "/dev/zero: larger than 4 MiB; name a config file"


def test_all_errors_come_at_once_in_the_order_of_the_file() -> None:
    text = """\
concurency: 8
schedule:
  cron: 0 9 30 2 *
decision:
  baseline_runs: 20
  tries: five
targets:
- name: a
  api: openai_chat
  decision: {alpha: 7}
  headers:
    X-Team: [a]
- name: a
  api: anthropic
  model: m
  labels:
    job: x
  formerly: a
budget: {total: {usd_per_day: -1}}
storage: mysql://x
"""
    assert complaints(text) == [
        "config.yml:1: concurency: unknown key; did you mean concurrency?",
        "config.yml:3: schedule.cron: '0 9 30 2 *' never fires; choose a day that some month has",
        "config.yml:5: decision.baseline_runs: 20 is more than baseline_max_runs, 15; lower it, or raise baseline_max_runs",
        "config.yml:6: decision.tries: must be a whole number from 1 to 10, not 'five'",
        "config.yml:8: targets[0].model: missing; add it: the model to ask for, as the endpoint names it",
        "config.yml:10: targets[0].decision.alpha: must be a number above 0 and below 1, not 7",
        "config.yml:12: targets[0].headers.X-Team: must be text, not a list",
        "config.yml:13: targets[1].name: 'a' is already targets[0].name (line 8); give each target its own name",
        "config.yml:17: targets[1].labels.job: is a label that Prometheus or the platform sets; use another name, such as target_job",
        "config.yml:18: targets[1].formerly: 'a' is the name of targets[0].name (line 8); remove it, or rename that target",
        "config.yml:19: budget.total.usd_per_day: must be a number above 0 or null, not -1",
        "config.yml:20: storage: is not the URL of a SQLite file; write sqlite:///data/history.db, with four slashes for an absolute path",
    ]


def test_the_smallest_file_has_every_default() -> None:
    assert parse_config(TARGET, "config.yml") == Config(targets=(Target(name="bot", api="openai_chat", model="m"),))


def test_a_target_lays_its_own_keys_over_the_top_level_blocks() -> None:
    text = f"""\
schedule: {{cron: 0 6 * * *, spread: 1m}}
decision: {{alpha: 0.01, retry_failed_check: {{after: 5m, times: 7}}}}
budget: {{usd_per_day: 2, usd_per_month: 20, total: {{usd_per_day: 9}}}}
{TARGET}  schedule: {{timezone: Asia/Tokyo}}
  decision: {{tries: 3, retry_failed_check: {{times: 1}}}}
  budget: {{usd_per_day: null}}
- name: other
  api: ollama
  model: m
"""
    config = parse_config(text, "config.yml")
    own, other = config.targets
    assert (own.schedule.cron, own.schedule.timezone, own.schedule.spread) == ("0 6 * * *", "Asia/Tokyo", 60.0)
    assert (own.decision.alpha, own.decision.tries) == (0.01, 3)
    assert (own.decision.retry_failed_check.after, own.decision.retry_failed_check.times) == (300.0, 1)
    assert (own.budget.usd_per_day, own.budget.usd_per_month, own.budget.tokens_per_check) == (None, 20.0, 300_000)
    assert (other.schedule, other.decision, other.budget) == (config.schedule, config.decision, config.budget)
    assert (config.total_budget.usd_per_day, config.total_budget.usd_per_month) == (9.0, None)


def test_a_fault_of_a_top_level_block_is_not_told_again_for_every_target() -> None:
    text = f"decision: {{alpha: 2, retry_failed_check: {{after: 5}}, x: 1, baseline_runs: 99}}\n{TARGET}  decision: {{tries: 99}}\n"
    assert [line.partition(": ")[2].partition(":")[0] for line in complaints(text)] == [
        "decision.alpha",
        "decision.retry_failed_check.after",
        "decision.x",
        "decision.baseline_runs",
        "targets[0].decision.tries",
    ]


def test_a_target_may_set_right_what_its_own_key_would_break() -> None:
    text = f"decision: {{baseline_max_runs: 10}}\n{TARGET}  decision: {{baseline_runs: 12}}\n"
    expected = "targets[0].decision.baseline_runs: 12 is more than baseline_max_runs, 10; lower it, or raise baseline_max_runs"
    assert complaints(text) == [f"config.yml:6: {expected}"]
    assert complaints(text.replace("{baseline_runs: 12}", "{baseline_runs: 12, baseline_max_runs: 12}")) == []


def test_a_key_file_is_looked_for_beside_the_config_file(tmp_path: Path) -> None:
    (tmp_path / "keys").mkdir()
    (tmp_path / "keys" / "openai").write_text("sk-planted\n")
    path = tmp_path / "config.yml"
    path.write_text(f"{TARGET}  api_key_file: keys/openai\n")
    assert load_config(path).targets[0].api_key_file == str(tmp_path / "keys" / "openai")


def test_a_file_and_a_variable_for_one_key_are_told_at_the_target(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "key").write_text("k")
    monkeypatch.setenv("BOT_KEY", "k")
    text = f"{TARGET}  api_key_file: key\n  api_key_env: BOT_KEY\n"
    assert complaints(text, tmp_path) == ["config.yml:2: targets[0]: has both api_key_file and api_key_env; keep one of the two"]


def test_a_room_above_can_name_the_place_of_a_setting() -> None:
    config = parse_config(f"{TARGET}  price: unknown\n- name: b\n  api: ollama\n  model: m\n", "config.yml")
    assert config.locate("targets", 0, "price") == "config.yml:5: targets[0].price"
    assert config.targets[0].locate("price") == "config.yml:5: targets[0].price"
    assert config.targets[1].locate("price") == "config.yml:6: targets[1].price"
    assert config.targets[1].locate() == "config.yml:6: targets[1]"
    assert config.locate("storage") == "config.yml:1: storage"
    assert Target(name="b", api="ollama", model="m").locate("price") == "target b: price"


def test_two_configs_are_equal_whatever_lines_they_stand_on() -> None:
    assert parse_config(TARGET, "config.yml") == parse_config(f"# moved down\n\n{TARGET}", "other.yml")
    assert parse_config(TARGET, "config.yml") != parse_config(TARGET.replace("model: m", "model: n"), "config.yml")


def test_plain_values_are_checked_like_a_file() -> None:
    target = {"name": "bot", "api": "openai_chat", "model": "m"}
    assert config_from({"targets": [target]}, "command line") == parse_config(TARGET, "config.yml")
    with pytest.raises(ConfigError) as caught:
        config_from({"targets": [{**target, "base_url": "localhost"}]}, "command line")
    assert str(caught.value) == "command line: targets[0].base_url: is not a URL of a server; write it as https://host/path"
