"""The benchmarks still run, with so little to do that they are over at once. Of what they measure nothing is said here."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import check, crowd, judging, memory, replicas, scrape, start
from benchmarks.stores import LIVED_DAYS, Size, fill_store, write_config
from exporter.store import open_store
from tests.postgres import find_program


def test_a_store_made_for_benchmarks_is_one_that_verify_accepts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config_file = write_config(tmp_path, Size(targets=3, days=6, questions=5), base_url="http://127.0.0.1:9/v1")
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


def test_check() -> None:
    figures = check.measure(questions=4, latency_seconds=0.01, concurrencies=(4,), rounds=1)

    assert figures["concurrency_4"].keys() == {"of_ideal", "plain_client_of_ideal"}


def test_crowd() -> None:
    figures = crowd.measure(Size(targets=3, days=0, questions=5), seconds=20, plain_seconds=0.1)

    assert figures["requests"] == 15
    assert figures["loop"].keys() == figures["idle_loop"].keys()
    assert figures["loop"]["naps"] > 0


def test_memory() -> None:
    figures = memory.weigh(Size(targets=2, days=1, questions=5), scrapes=2, pause_seconds=0.0)

    assert 20 < figures["resident_mb"] <= figures["peak_mb"]


def test_start() -> None:
    figures = start.measure(targets=2, days=(1,), rounds=1, questions=5)

    assert figures["days_1"].keys() == {"ready_seconds", "of_import", "refresh_ms", "scrape_ms"}


@pytest.mark.parametrize("questions", judging.SIZES)
def test_judging_makes_a_target_of_every_size(questions: int) -> None:
    assert len(judging.make_life(questions, 0.8, seed=1).questions) == questions


def test_replicas() -> None:
    find_program("initdb")
    figures = replicas.measure(Size(targets=2, days=0, questions=5), replicas=(1, 2), window_seconds=0.1, counted=1)

    assert {"replicas_1", "replicas_2", "ratio_2"} <= figures.keys()
    assert figures["statements"]["per_answer"] > 2
