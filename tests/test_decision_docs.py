"""docs/decision.md says something about every verdict, signal, reason and setting, and quotes the defaults in force."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from exporter.config import Decision, format_duration
from exporter.records import Reason, Signal, VerdictKind
from exporter.statistics import Stratum, exact_test

TEXT = (Path(__file__).parent.parent / "docs" / "decision.md").read_text(encoding="utf-8")
DURATIONS = ("confirm_after", "recheck_after", "baseline_min_gap", "after")


def rows_of(heading: str) -> dict[str, str]:
    """The tables of a section: the word in the first column, the second column."""
    section = TEXT.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    return dict(re.findall(r"^\| `([^`]+)` \| ([^|]+) \|", section, re.MULTILINE))


def test_each_verdict_has_a_row() -> None:
    assert set(rows_of("The verdicts")) == set(VerdictKind)


def test_each_reason_has_a_row() -> None:
    assert set(rows_of("Reasons")) == set(Reason)


@pytest.mark.parametrize("signal", Signal)
def test_each_signal_is_named(signal: Signal) -> None:
    assert f"`{signal}`" in TEXT.split("\n## Signals")[1].split("\n## ")[0]


def test_each_setting_has_a_row_with_its_default() -> None:
    defaults = Decision().model_dump()
    assert rows_of("Settings") == {key: _written(key, value) for key, value in defaults.items()}


@pytest.mark.parametrize("questions", [1, 2, 5])
def test_the_worked_example_is_right(questions: int) -> None:
    tails = exact_test([Stratum((0, 0, 1, 0, 0), (3,))] * questions)
    assert tails.upper == pytest.approx(6**-questions, rel=1e-12)
    assert f"1/{6**questions}" in TEXT


@pytest.mark.parametrize("runs", [5, 15])
def test_two_days_are_the_worst_with_the_probability_it_quotes(runs: int) -> None:
    # each day one number: the two new ones are the largest of all
    tails = exact_test([Stratum(tuple(range(runs)), (runs, runs + 1))])
    assert f"{100 * tails.upper:.1f} % at n = {runs}" in TEXT


def _written(key: str, value: object) -> str:
    """A value as YAML has it."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{inner}: {_written(inner, one)}" for inner, one in value.items()) + "}"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return str(list(value))
    return format_duration(value) if key in DURATIONS and isinstance(value, float) else f"{value:g}"
