"""The benchmarks still run, with so little to do that they are over at once. Of what they measure nothing is said here."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import scrape
from benchmarks.stores import LIVED_DAYS, Size, fill_store, write_config
from exporter.store import open_store


@pytest.fixture
def config_file(tmp_path: Path) -> Path:
    return write_config(tmp_path, Size(targets=3, days=4, questions=5), base_url="http://127.0.0.1:9/v1")


def test_a_store_made_for_benchmarks_is_one_that_verify_accepts(config_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchmarks.stores.LIVED_DAYS", 3)
    monkeypatch.setattr("benchmarks.stores._REPEATED_DAYS", 2)
    live = fill_store(config_file, 6)

    store = open_store(live.config.storage)
    try:
        assert store.verify() == ()
        assert {target: len(store.checks(target, LIVED_DAYS)) for target in live.targets} == dict.fromkeys(live.targets, 6)
    finally:
        store.close()


def test_scrape() -> None:
    figures = scrape.measure(Size(targets=3, days=2, questions=5), rounds=1, changed=1, servers=False)

    assert figures["targets"] == 3
    assert figures["text"].keys() == figures["openmetrics"].keys() == {"static_samples_per_core_second", "of_static"}
