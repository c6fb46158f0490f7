"""Snapshots with their times become text that promtool takes: each series dense, in order, and nothing between its samples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

import pytest
from prometheus_client.openmetrics.parser import text_string_to_metric_families as parse

from exporter.daemon.past import Moment
from exporter.metrics.backfill import Backfill, Steps
from exporter.metrics.selection import Wanted, choose_usual
from exporter.records import Snapshot
from tests.metrics.snapshots import collecting, drifted, failed, named
from tests.metrics.test_exposition import HOSTILE_NAMES

STEP = 240
START = 7_500_000  # in steps: 1_800_000_000, 2027-01-15 08:00:00 UTC
BASELINE: Wanted = {"baseline_runs": {}, "failed_checks": {}}


def at(step: float) -> float:
    return (START + step) * STEP


def text_of(moments: Sequence[Moment], steps: int = 3, wanted: Wanted | None = BASELINE, **labels: str) -> str:
    return "".join(Backfill([(iter(moments), wanted)], labels).write(Steps(STEP, START, START + steps)))


def with_runs(runs: int, **changes: object) -> Snapshot:
    snapshot = drifted()
    assert snapshot.verdict is not None
    baseline = replace(snapshot.verdict.baseline, runs=runs)
    return replace(snapshot, verdict=replace(snapshot.verdict, baseline=baseline), **changes)  # type: ignore[arg-type]  # any field


def test_a_value_is_repeated_at_every_step_until_it_changes() -> None:
    text = text_of([(at(0.5), with_runs(6)), (at(2.5), with_runs(7))], steps=5, instance="i", job="j")
    labels = 'instance="i",job="j",target="support-bot"'
    assert text == (
        "# HELP model_drift_failed_checks Scheduled checks in a row, up to the last one, that could not be measured. Result of the "
        "last check, as stored; a scrape measures nothing.\n"
        "# TYPE model_drift_failed_checks gauge\n"
        f"model_drift_failed_checks{{{labels}}} 0.0 1800000240\n"
        f"model_drift_failed_checks{{{labels}}} 0.0 1800000480\n"
        f"model_drift_failed_checks{{{labels}}} 0.0 1800000720\n"
        f"model_drift_failed_checks{{{labels}}} 0.0 1800000960\n"
        "# HELP model_drift_baseline_runs Runs that the baseline is made of. Result of the last check, as stored; a scrape measures "
        "nothing.\n"
        "# TYPE model_drift_baseline_runs gauge\n"
        f"model_drift_baseline_runs{{{labels}}} 6.0 1800000240\n"
        f"model_drift_baseline_runs{{{labels}}} 6.0 1800000480\n"
        f"model_drift_baseline_runs{{{labels}}} 7.0 1800000720\n"
        f"model_drift_baseline_runs{{{labels}}} 7.0 1800000960\n"
        "# EOF\n"
    )


def values(text: str, name: str) -> list[tuple[int, float]]:
    return [
        (int(float(sample.timestamp)) // STEP - START, sample.value)
        for family in parse(text)
        for sample in family.samples
        if sample.name == name
    ]


def test_of_what_was_published_between_two_steps_the_last_is_seen() -> None:
    text = text_of([(at(-9), with_runs(1)), (at(-1), with_runs(2)), (at(0.2), with_runs(3)), (at(1), with_runs(4))], steps=2)
    assert values(text, "model_drift_baseline_runs") == [(0, 2.0), (1, 4.0)]


def test_a_series_that_goes_leaves_a_hole_and_no_old_value() -> None:
    known, unknown = with_runs(1), with_runs(1, verdict_changed_at=None)
    wanted: Wanted = {"verdict_changed_timestamp_seconds": {}}
    text = text_of([(at(0), known), (at(1), unknown), (at(3), known)], steps=4, wanted=wanted)
    assert [step for step, _ in values(text, "model_drift_verdict_changed_timestamp_seconds")] == [0, 3]


def test_months_follow_each_other_without_a_gap_or_a_sample_twice() -> None:
    since = 1_706_700_000.0  # 2024-01-31 11:20:00 UTC
    steps = Steps.between(since, since + 32 * 86_400, STEP)
    months = list(steps.months())
    assert [name for name, _ in months] == ["2024-01", "2024-02", "2024-03"]
    assert [month.first * STEP for _, month in months] == [1_706_700_000, 1_706_745_600, 1_709_251_200]
    past = Backfill([(iter([(since, with_runs(1)), (since + 86_400, with_runs(2))]), BASELINE)], {})
    texts = ["".join(past.write(month)) for _, month in months]
    times = [step for text in texts for step, _ in values(text, "model_drift_baseline_runs")]
    assert times == [step - START for step in range(steps.first, steps.stop)]
    assert {value for _, value in values(texts[2], "model_drift_baseline_runs")} == {2.0}


def test_a_month_before_the_first_moment_has_no_sample() -> None:
    past = Backfill([(iter([(at(5), with_runs(1))]), BASELINE)], {})
    assert "".join(past.write(Steps(STEP, START, START + 3))) == "# EOF\n"
    assert values("".join(past.write(Steps(STEP, START + 3, START + 7))), "model_drift_baseline_runs") == [(5, 1.0), (6, 1.0)]


def test_series_are_whole_families_are_whole_and_times_rise() -> None:
    moments = ((at(0), snapshot) for snapshot in (drifted(),))
    pasts = [(moments, None), (iter([(at(1), collecting()), (at(2), named("new-model"))]), None), (iter([(at(1), failed())]), None)]
    text = "".join(Backfill(pasts, {"job": "j"}).write(Steps(STEP, START, START + 4)))
    samples = [line for line in text.splitlines() if not line.startswith("#")]
    keys = [key for key, _ in groupby(line.rsplit(" ", 2)[0] for line in samples)]
    assert len(keys) == len(set(keys)) > 100
    names = [name for name, _ in groupby(key.partition("{")[0] for key in keys)]
    assert len(names) == len(set(names))
    for _, lines in groupby(samples, key=lambda line: line.rsplit(" ", 2)[0]):
        times = [int(line.rsplit(" ", 1)[1]) for line in lines]
        assert times == sorted(set(times))
    assert text.endswith("\n# EOF\n")


def test_whatever_names_are_like_they_come_back() -> None:
    odd = (*HOSTILE_NAMES, "line\u2028separator", "next\x85line")
    pasts = [(iter([(at(0), named(name))]), BASELINE) for name in odd]
    text = "".join(Backfill(pasts, {"instance": 'a"b\\c\nd', "job": "日本"}).write(Steps(STEP, START, START + 2)))
    samples = [sample for family in parse(text) for sample in family.samples if sample.name == "model_drift_baseline_runs"]
    assert len(samples) == 2 * len(odd)
    assert {sample.labels["target"] for sample in samples} == {name.replace("\ud83d", "\\ud83d") for name in odd}
    assert {(sample.labels["instance"], sample.labels["job"]) for sample in samples} == {('a"b\\c\nd', "日本")}


def test_the_usual_series_are_about_forty_and_none_is_of_what_never_was() -> None:
    text = text_of([(at(0), drifted())], steps=1, wanted=choose_usual(drifted()))
    samples = [sample for family in parse(text) for sample in family.samples]
    assert 40 <= len(samples) <= 60
    assert {sample.labels["verdict"] for sample in samples if sample.name == "model_drift_verdict"} == {"collecting", "stable", "drift"}
    reasons = {sample.labels["reason"] for sample in samples if sample.name == "model_drift_measurement_errors_total"}
    assert reasons == {"truncated"}
    assert {sample.labels["test"] for sample in samples if sample.name == "model_drift_p_value"} == {"accuracy", "trend", "tokens"}


def test_all_series_are_those_of_a_scrape_but_for_what_is_not_kept() -> None:
    text = text_of([(at(0), drifted())], steps=1, wanted=None)
    names = {family.name for family in parse(text)}
    assert "model_drift_check_in_progress" in names
    assert not {"model_drift_request_duration_seconds", "model_drift_reasoning_tokens", "model_drift_log_messages"} & names


@pytest.mark.parametrize(("since", "until", "expected"), [(0, 480, [0, 1, 2]), (1, 479, [1]), (240, 240, [1]), (241, 479, [])])
def test_steps_lie_on_multiples_of_their_length(since: float, until: float, expected: list[int]) -> None:
    steps = Steps.between(since, until, STEP)
    assert list(range(steps.first, steps.stop)) == expected
