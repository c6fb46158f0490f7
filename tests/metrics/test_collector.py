from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exporter.metrics import BY_NAME, FAMILIES, MetricsView
from exporter.metrics.build import Build, read_build
from exporter.metrics.collector import collect_process, collect_target, collect_totals
from exporter.metrics.samples import Sheet
from exporter.metrics.tallies import NO_DURATIONS
from exporter.records import Reason, ServedModel, Signal, Snapshot, VerdictKind
from tests.metrics.snapshots import collecting, drifted, failed, named, three_targets

Values = dict[tuple[str, ...], float]


def values(sheet: Sheet, name: str, *labels: str) -> Values:
    """The samples of one family, keyed by the values of `labels`."""
    metric = sheet.metrics.get(BY_NAME[name].name)
    return {} if metric is None else {tuple(sample.labels[label] for label in labels): sample.value for sample in metric.samples}


def collect(snapshot: Snapshot) -> Sheet:
    return collect_target(snapshot, NO_DURATIONS)


def label_sets(sheet: Sheet, name: str) -> list[dict[str, str]]:
    return [sample.labels for sample in sheet.metrics[BY_NAME[name].name].samples]


def every_sheet(view: MetricsView) -> list[Sheet]:
    return [collect_process(view, read_build()), collect_totals(view), *map(collect, view.snapshots)]


@given(kind=st.none() | st.sampled_from(VerdictKind), standing=st.sampled_from(VerdictKind))
def test_exactly_one_verdict_is_1(kind: VerdictKind | None, standing: VerdictKind) -> None:
    snapshot = drifted()
    assert snapshot.verdict is not None
    verdict = None if kind is None else replace(snapshot.verdict, kind=kind, standing=standing)
    shown = values(collect(replace(snapshot, verdict=verdict)), "verdict", "verdict")
    expected = VerdictKind.COLLECTING if kind is None else standing
    assert shown == {(other,): float(other is expected) for other in VerdictKind}


def test_the_verdict_shown_is_the_standing_one() -> None:
    snapshot = drifted()
    assert snapshot.verdict is not None
    held = replace(snapshot.verdict, kind=VerdictKind.MEASUREMENT_FAILED, standing=VerdictKind.DRIFT)
    assert values(collect(replace(snapshot, verdict=held)), "verdict", "verdict")["drift",] == 1


def test_before_the_first_check_every_closed_label_set_is_there_and_0() -> None:
    sheet = collect(collecting())
    for family in ("confirmed", "conclusive", "confirmed_checks"):
        assert values(sheet, family, "signal") == {(signal,): 0 for signal in Signal}
    for family in ("measurement_errors_total", "request_failures_total"):
        assert values(sheet, family, "reason") == {(reason,): 0 for reason in Reason}
    assert values(sheet, "checks_total", "result") == {(kind,): 0 for kind in VerdictKind}
    for family in ("requests_total", "input_tokens_total", "failed_checks", "baseline_runs", "baseline_frozen", "confirmation_pending"):
        assert values(sheet, family) == {(): 0}


@pytest.mark.parametrize(
    "family",
    [
        "accuracy_ratio",
        "baseline_accuracy_ratio",
        "accuracy_change_ratio",
        "p_value",
        "significance_threshold",
        "baseline_overdispersion_p_value",
        "token_shift_ratio",
        "refusal_ratio",
        "unusable_answers_ratio",
        "questions",
        "questions_flipped",
        "verdict_changed_timestamp_seconds",
        "served_model_info",
        "spend_usd_total",
        "spend_estimated_usd_total",
        "budget_spent_usd",
        "budget_limit_usd",
        "check_estimate_usd",
        "last_check_timestamp_seconds",
        "last_check_duration_seconds",
    ],
)
def test_what_is_not_known_yet_is_absent(family: str) -> None:
    assert values(collect(collecting()), family) == {}


@pytest.mark.parametrize("unknown", [None, math.nan, math.inf, -math.inf])
def test_a_value_that_is_no_finite_number_is_absent(unknown: float | None) -> None:
    snapshot = drifted()
    assert snapshot.verdict is not None
    sheet = collect(replace(snapshot, verdict=replace(snapshot.verdict, token_shift_ratio=unknown)))
    assert values(sheet, "token_shift_ratio") == {}


def test_an_area_that_the_config_no_longer_has_is_not_shown() -> None:
    sheet = collect(replace(drifted(), areas=("reasoning",)))
    assert set(values(sheet, "accuracy_ratio", "area")) == {("overall",), ("reasoning",)}
    assert set(values(sheet, "p_value", "area", "test")) == {
        ("overall", "accuracy"),
        ("reasoning", "accuracy"),
        ("overall", "trend"),
        ("overall", "tokens"),
        ("overall", "input_tokens"),
        ("overall", "refusals"),
    }
    assert set(values(sheet, "questions", "area")) == {("reasoning",)}


def test_the_p_value_is_the_adjusted_one_and_the_level_that_of_the_whole_set() -> None:
    sheet = collect(drifted())
    assert values(sheet, "p_value", "test", "area")["accuracy", "reasoning"] == 0.0015
    assert values(sheet, "significance_threshold", "test") == {
        ("accuracy",): 0.004,
        ("trend",): 0.001,
        ("tokens",): 0.01,
        ("input_tokens",): 0.001,
        ("refusals",): 0.001,
    }


def test_a_target_s_own_labels_are_on_target_info_only() -> None:
    sheet = collect(named("a", labels={"team": "support", "cost_center": "42"}))
    with_team = {name for name, metric in sheet.metrics.items() if any("team" in sample.labels for sample in metric.samples)}
    assert with_team == {"model_drift_target_info"}
    assert label_sets(sheet, "target_info")[0]["cost_center"] == "42"


def test_own_labels_with_names_that_prometheus_refuses_or_that_are_taken_are_left_out() -> None:
    hostile = {
        "target": "x",
        "model": "x",
        "__name__": "x",
        "1st": "x",
        "with-dash": "x",
        "naïve": "x",
        "": "x",
        "team\n": "x",
        "team": "ok",
    }
    (labels,) = label_sets(collect(named("a", labels=hostile)), "target_info")
    assert labels == {
        "target": "a",
        "provider": "openai",
        "api": "openai_chat",
        "model": "gpt-5.5",
        "suites": "core,./our-questions.yml",
        "protocol": "a1b2c3d4",
        "identity_evidence": "strong",
        "team": "ok",
    }


def test_only_the_five_newest_served_models_are_shown() -> None:
    served = tuple(ServedModel(f"model-{number}", None, 0.1, in_baseline=False) for number in range(9))
    shown = values(collect(named("a", served=served)), "served_model_info", "served_model")
    assert list(shown) == [("model-0",), ("model-1",), ("model-2",), ("model-3",), ("model-4",)]


def test_what_a_provider_wrote_loses_control_characters_and_all_after_128_characters() -> None:
    served = (ServedModel("\x1b[31mgpt\r\n\x00-5\x85" + "x" * 200, "fp\t1", 1.0, in_baseline=True),)
    assert label_sets(collect(named("a", served=served)), "served_model_info") == [
        {"target": "a", "served_model": "[31mgpt-5" + "x" * 119, "fingerprint": "fp1", "baseline": "true"}
    ]


def test_two_served_models_that_look_the_same_once_cut_are_one_series() -> None:
    served = tuple(ServedModel("x" * 128 + ending, None, 0.5, in_baseline=False) for ending in ("a", "b"))
    assert values(collect(named("a", served=served)), "served_model_info", "served_model") == {("x" * 128,): 1}


def with_shares(*shares: ServedModel) -> Snapshot:
    snapshot = drifted()
    assert snapshot.verdict is not None
    return replace(snapshot, verdict=replace(snapshot.verdict, served=shares))


def test_the_shares_of_the_last_check_are_shown_by_served_model() -> None:
    assert values(collect(drifted()), "served_ratio", "served_model", "baseline") == {
        ("gpt-5.5-2026-09-01", "true"): 0.96875,
        ("gpt-5.5-2026-06-01", "false"): 0.03125,
    }


def test_only_the_five_largest_shares_are_shown() -> None:
    shares = tuple(ServedModel(f"model-{number}", None, 0.1, in_baseline=False) for number in range(9))
    assert [model for (model,) in values(collect(with_shares(*shares)), "served_ratio", "served_model")] == [f"model-{n}" for n in range(5)]


def test_shares_of_names_that_look_the_same_once_cut_are_added_up() -> None:
    shares = tuple(ServedModel("x" * 128 + ending, None, share, in_baseline=False) for ending, share in (("\n", 0.5), ("b", 0.25)))
    assert values(collect(with_shares(*shares)), "served_ratio", "served_model") == {("x" * 128,): 0.75}


def test_informing_tests_have_a_p_value_and_a_threshold_and_no_signal() -> None:
    sheet = collect(drifted())
    assert values(sheet, "p_value", "test", "area")["refusals", "overall"] == 0.00026
    assert values(sheet, "significance_threshold", "test")["refusals",] == 0.001
    assert set(values(sheet, "confirmed", "signal")) == set(values(sheet, "conclusive", "signal")) == {(signal,) for signal in Signal}


def test_dollars_are_absent_where_the_price_is_not_known() -> None:
    sheet = collect(replace(drifted(), price_known=False))
    assert values(sheet, "spend_usd_total") == {}
    assert values(sheet, "spend_estimated_usd_total") == {}


def test_the_caps_over_all_targets_have_an_empty_target() -> None:
    sheet = collect_totals(three_targets())
    assert values(sheet, "budget_limit_usd", "target", "period") == {("", "day"): 10.0}
    assert values(sheet, "budget_spent_usd", "target", "period") == {("", "day"): 0.25}
    assert values(sheet, "budget_limit_tokens", "target", "period") == {}


def test_a_full_view_has_samples_of_every_family_and_only_label_values_of_the_catalogue() -> None:
    seen = set()
    for sheet in every_sheet(three_targets()):
        for name, metric in sheet.metrics.items():
            family = BY_NAME[name.removeprefix("model_drift_")]
            seen.add(family)
            for label in family.labels:
                shown = {sample.labels[label.name] for sample in metric.samples}
                assert label.values is None or shown <= set(label.values), (name, label.name)
    assert seen == set(FAMILIES)


def test_no_label_set_is_there_twice() -> None:
    for sheet in [*map(collect, (drifted(), collecting(), failed())), collect_totals(three_targets())]:
        for metric in sheet.metrics.values():
            series = [(sample.name, *sorted(sample.labels.items())) for sample in metric.samples]
            assert len(series) == len(set(series))


def test_a_sample_with_other_labels_than_the_catalogue_s_is_refused() -> None:
    with pytest.raises(ValueError, match=r"model_drift_confirmed has the labels \['target', 'signal'\], not \['target'\]"):
        Sheet(target="a").put("confirmed", 1)


def test_build_info_says_what_runs() -> None:
    sheet = collect_process(MetricsView(), Build("1.2.3", "abcdef", "3.11.9"))
    assert label_sets(sheet, "build_info") == [{"version": "1.2.3", "revision": "abcdef", "python_version": "3.11.9"}]
