"""Configs of several programs: what makes them different, which one counts, and what an older one may still do."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from exporter.config import parse_config
from exporter.daemon.agreement import Agreement, agree, hash_config, hash_targets
from exporter.daemon.live import LiveConfig, build_live
from tests.daemon.world import suite_text

TARGET = {
    "name": "bot",
    "api": "openai_chat",
    "base_url": "http://127.0.0.1:9/v1",
    "model": "model-1",
    "suites": ["questions.yml"],
    "price": {"input_usd_per_mtok": 1, "output_usd_per_mtok": 2},
}

Build = Callable[..., LiveConfig]


@dataclass(frozen=True)
class Known:
    """A replica as the store tells of it."""

    config_hash: str
    config_loaded_at: float


@pytest.fixture
def build(tmp_path: Path) -> Build:
    """Build a config of `bot` with some of its keys set otherwise, and of another target."""
    (tmp_path / "questions.yml").write_text(suite_text())
    (tmp_path / "moved.yml").write_text(suite_text())
    (tmp_path / "others.yml").write_text(suite_text().replace("Which number", "What number"))

    def build_it(keys: dict[str, Any] | None = None, **top: Any) -> LiveConfig:
        document = {"targets": [{**TARGET, **(keys or {})}, {**TARGET, "name": "other"}], **top}
        return build_live(parse_config(json.dumps(document), "config.yml", tmp_path), tmp_path)

    return build_it


@pytest.mark.parametrize(
    "keys",
    [
        {"model": "model-2"},
        {"base_url": "http://127.0.0.1:10/v1"},
        {"suites": ["others.yml"]},
        {"areas": ["one"]},
        {"system": "Be brief."},
        {"price": {"input_usd_per_mtok": 1, "output_usd_per_mtok": 3}},
        {"schedule": {"cron": "0 10 * * *"}},
        {"decision": {"alpha": 0.001}},
        {"budget": {"usd_per_day": 1}},
        {"page_signals": ["tokens"]},
        {"run_deadline": "20m"},
        {"extra_body": {"top_k": 5}},
    ],
)
def test_what_is_asked_judged_or_paid_makes_a_target_another_one_and_no_other_target(build: Build, keys: dict[str, Any]) -> None:
    usual, changed = hash_targets(build()), hash_targets(build(keys))
    assert usual["bot"] != changed["bot"]
    assert usual["other"] == changed["other"]


@pytest.mark.parametrize(
    "keys",
    [{"concurrency": 9}, {"suites": ["moved.yml"]}, {"api_key_env": "SOME_KEY"}, {"headers": {"Authorization": "Bearer of-somebody"}}],
)
def test_where_keys_and_files_are_and_how_much_is_asked_at_once_is_each_replicas_own(
    build: Build, keys: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOME_KEY", "sk-of-this-machine")
    base = {"headers": {"Authorization": "Bearer of-nobody"}} if "headers" in keys else {}
    usual, changed = build(base), build(keys)
    assert hash_targets(usual) == hash_targets(changed)
    assert hash_config(usual, hash_targets(usual)) == hash_config(changed, hash_targets(changed))


def test_what_is_only_shown_or_kept_makes_another_config_of_the_same_targets(build: Build) -> None:
    usual = build()
    for changed in (build({"labels": {"team": "support"}}), build({"provider": "us"}), build(retention={"grades": "500d"})):
        assert hash_targets(usual) == hash_targets(changed)
        assert hash_config(usual, hash_targets(usual)) != hash_config(changed, hash_targets(changed))


def test_where_the_store_is_and_the_processs_own_limit_are_no_part_of_it(build: Build) -> None:
    usual, changed = build(), build(storage="sqlite:///elsewhere.db", concurrency=7)
    assert hash_config(usual, hash_targets(usual)) == hash_config(changed, hash_targets(changed))


def test_a_cap_over_all_targets_makes_each_of_them_another_one(build: Build) -> None:
    usual, changed = hash_targets(build()), hash_targets(build(budget={"total": {"usd_per_day": 3}}))
    assert all(usual[name] != changed[name] for name in usual)


def test_a_program_alone_works_on_all_that_it_has() -> None:
    for replicas in ([], [Known("mine", 5.0)]):
        agreement = agree("mine", {"bot": "1"}, replicas, {})
        assert (agreement.replicas, agreement.is_outdated, agreement.may_work_on("bot")) == (1, False, True)
    assert Agreement().may_work_on("any")


def test_the_config_that_was_loaded_last_counts_and_an_older_one_goes_on_with_what_is_the_same() -> None:
    replicas = [Known("old", 5.0), Known("new", 9.0), Known("old", 7.0)]
    configs = {"old": {"same": "1", "changed": "2", "gone": "3"}, "new": {"same": "1", "changed": "8", "fresh": "9"}}
    old, new = agree("old", configs["old"], replicas, configs), agree("new", configs["new"], replicas, configs)
    assert (old.replicas, old.is_outdated, old.left_alone) == (3, True, ["changed", "gone"])
    assert [old.may_work_on(name) for name in ("same", "changed", "gone", "fresh")] == [True, False, False, False]
    assert (new.replicas, new.is_outdated, new.left_alone) == (3, False, [])


def test_of_two_configs_loaded_in_the_same_moment_all_find_the_same_one() -> None:
    replicas, configs = [Known("a", 5.0), Known("b", 5.0)], {"a": {"bot": "1"}, "b": {"bot": "2"}}
    assert agree("a", configs["a"], replicas, configs).is_outdated
    assert not agree("b", configs["b"], replicas, configs).is_outdated


def test_nothing_is_begun_by_an_outdated_program_that_does_not_know_the_newest_targets() -> None:
    agreement = agree("old", {"bot": "1"}, [Known("new", 9.0)], {})
    assert (agreement.is_outdated, agreement.left_alone) == (True, ["bot"])
