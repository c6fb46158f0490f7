"""Two target-years of known history, exported, loaded into a real Prometheus, and asked every question of docs/cookbook.md."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from tests.acceptance.loaded import load_history, loaded_prometheus
from tests.acceptance.past_year import FIRST_DAY, MODEL, at, write_history
from tests.acceptance.programs import ROOT
from tests.prometheus import ask_prometheus
from tests.tools import require_tool

PAGE = (ROOT / "docs" / "cookbook.md").read_text(encoding="utf-8")
QUERIES = {
    f"{heading} {number}" if number else heading: query.strip()
    for heading, section in re.findall(r"^## (.+?)\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL)
    for number, query in enumerate(re.findall(r"^```promql\n(.*?)^```", section, re.MULTILINE | re.DOTALL))
}
BOT, MAILER = "support-bot", "mailer"
NOON_SECONDS = 43_200
OVER_SECONDS = 9 * 3600 + 120

ANSWERS: list[tuple[str, int, dict[tuple[str, ...], float]]] = [
    ("When did it drift?", 60, {(BOT,): at(40, OVER_SECONDS)}),
    ("When did it drift?", 42, {(BOT,): at(40, OVER_SECONDS)}),
    ("When did it drift?", 220, {(BOT,): at(200, OVER_SECONDS)}),
    ("When did it drift?", 360, {}),
    ("How long did it last?", 60, {(BOT,): 6}),
    ("How long did it last?", 220, {(BOT,): 3}),
    ("How often this quarter?", 39, {}),
    ("How often this quarter?", 42, {(BOT,): 1}),
    ("How often this quarter?", 89, {(BOT,): 1}),
    ("How long would somebody have been paged?", 60, {(BOT,): 5 * 24}),
    ("How long would somebody have been paged?", 220, {(BOT,): 2 * 24}),
    (
        "What did the checks say?",
        220,
        {
            ("stable", BOT): 85,
            ("drift", BOT): 3,
            ("unconfirmed", BOT): 1,
            ("measurement_failed", BOT): 1,
            ("stable", MAILER): 90,
        },
    ),
    ("What did the checks say?", 270, {("stable", BOT): 87, ("drift", BOT): 3, ("stable", MAILER): 80, ("token_shift", MAILER): 10}),
    ("How deep was the fall?", 60, {(BOT,): 20}),
    ("Which areas fell?", 220, {("instruction", BOT): 0.7, ("japanese", BOT): 0.7, ("reasoning", BOT): 0.7}),
    ("How much of the time could nothing be measured, and why?", 150, {(BOT,): 2 / 90}),
    ("How much of the time could nothing be measured, and why? 1", 150, {("rate_limited", BOT): 68}),
    ("What stood at that moment?", 300, {(BOT, "drift"): 1, (MAILER, "stable"): 1}),
    ("Which model answered?", 220, {(MODEL, BOT): 90, (MODEL, MAILER): 90}),
    ("What does it cost, by team?", 220, {("support",): 30 * 0.03, ("sales",): 30 * 0.01}),
    ("What does it cost, by team? 1", 220, {(BOT,): 0.03, (MAILER,): 0.01}),
    ("What does it cost, by team? 2", 220, {(BOT,): 9000, (MAILER,): 9000}),
]


@pytest.fixture(scope="module")
def prometheus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a Prometheus with both years."""
    require_tool("promtool")
    folder = tmp_path_factory.mktemp("years")
    write_history(folder)
    load_history(folder, "--until", "2026-01-01")
    with loaded_prometheus(folder) as url:
        yield url


def ask(url: str, query: str, day: int) -> dict[tuple[str, ...], float]:
    """What it says at noon of that day, by the values of the labels in the order of their names."""
    parameters = {"query": query, "time": str(at(day, NOON_SECONDS))}
    found = ask_prometheus(url, "query", parameters)
    return {tuple(value for _, value in sorted(one["metric"].items())): float(one["value"][1]) for one in found}


def test_every_query_of_the_page_is_asked() -> None:
    assert {heading for heading, _, _ in ANSWERS} == set(QUERIES)


@pytest.mark.parametrize(("question", "day", "expected"), ANSWERS)
def test_the_history_answers_what_is_known(prometheus: str, question: str, day: int, expected: dict[tuple[str, ...], float]) -> None:
    assert ask(prometheus, QUERIES[question], day) == pytest.approx(expected, rel=1e-3)


def test_there_is_no_moment_without_a_sample(prometheus: str) -> None:
    week = {"query": 'model_drift_conclusive{signal="accuracy"}', "start": str(at(28)), "end": str(at(35)), "step": "61"}
    points = {one["metric"]["target"]: len(one["values"]) for one in ask_prometheus(prometheus, "query_range", week)}
    assert points == {BOT: 9915, MAILER: 9915}


def test_past_series_bear_the_labels_of_a_scrape(prometheus: str) -> None:
    year = {"match[]": "model_drift_verdict", "start": str(FIRST_DAY), "end": str(at(365))}
    assert {(one["job"], one["instance"]) for one in ask_prometheus(prometheus, "series", year)} == {("model-drift", "localhost:10201")}
