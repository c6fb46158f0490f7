from __future__ import annotations

from exporter.config.scalars import PLATFORM_LABELS, TARGET_INFO_LABELS
from exporter.metrics import BY_NAME, FAMILIES, FamilyType, Origin
from exporter.records import Reason, Signal, VerdictKind


def closed(name: str, label: str) -> tuple[str, ...] | None:
    return next(known.values for known in BY_NAME[name].labels if known.name == label)


def test_every_name_is_there_once_and_has_the_prefix() -> None:
    names = [family.name for family in FAMILIES]
    assert len(names) == len(set(names))
    assert all(name.startswith("model_drift_") for name in names)


def test_counters_and_only_counters_end_in_total() -> None:
    assert all((family.type is FamilyType.COUNTER) == family.name.endswith("_total") for family in FAMILIES)


def test_a_unit_is_the_last_word_of_the_name() -> None:
    assert all(family.base_name.endswith(f"_{family.unit}") for family in FAMILIES if family.unit)


def test_no_label_has_a_name_that_scrapers_use_themselves() -> None:
    assert {label.name for family in FAMILIES for label in family.labels} & PLATFORM_LABELS == set()


def test_the_config_refuses_for_a_target_s_own_labels_just_those_that_target_info_has() -> None:
    assert {label.name for label in BY_NAME["target_info"].labels} == TARGET_INFO_LABELS


def test_closed_sets_are_those_of_the_records() -> None:
    assert closed("verdict", "verdict") == tuple(VerdictKind)
    assert closed("checks_total", "result") == tuple(VerdictKind)
    assert closed("confirmed", "signal") == tuple(Signal)
    assert closed("measurement_errors_total", "reason") == tuple(Reason)
    assert closed("store_errors_total", "operation") == (
        "open",
        "claim",
        "reserve",
        "settle",
        "close",
        "event",
        "rename",
        "prune",
        "read",
        "verify",
    )


def test_help_says_where_the_values_come_from() -> None:
    assert BY_NAME["accuracy_ratio"].help == (
        "Share of questions answered right at the first try. Result of the last check, as stored; a scrape measures nothing."
    )
    assert BY_NAME["requests_total"].help.endswith("Counted in the store: a restart does not set it back.")
    assert BY_NAME["log_messages_total"].help == "Log lines. Counted since this process started."
    assert {family.origin for family in FAMILIES if family.type is FamilyType.COUNTER} == {Origin.STORE, Origin.PROCESS}


def test_a_histogram_has_three_series_names() -> None:
    assert BY_NAME["request_duration_seconds"].series_names == (
        "model_drift_request_duration_seconds_bucket",
        "model_drift_request_duration_seconds_count",
        "model_drift_request_duration_seconds_sum",
    )
    assert BY_NAME["verdict"].series_names == ("model_drift_verdict",)
