from __future__ import annotations

import subprocess
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest
from prometheus_client import Metric, generate_latest
from prometheus_client.openmetrics.exposition import generate_latest as generate_openmetrics
from prometheus_client.openmetrics.parser import text_string_to_metric_families as parse_openmetrics
from prometheus_client.parser import text_string_to_metric_families as parse_classic
from prometheus_client.registry import Collector

from exporter.metrics import FAMILIES, Exposition, MetricsView
from exporter.metrics.build import read_build
from exporter.metrics.collector import collect_process, collect_target, collect_totals
from exporter.metrics.samples import open_metric
from tests.metrics.snapshots import named, three_targets
from tests.tools import require_tool

EXPECTED = Path(__file__).parent / "expected"
WANTS_OPENMETRICS = "application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5"
HOSTILE_NAMES = (
    'quo"te',
    "back\\slash",
    "back\\\\n",
    "new\nline",
    "日本語 🤖",
    "tab\tand {brace}=,",
    "\ud83d",
    " ",
    "# HELP x",
    "naïve/../%2e",
    "\r",
)


class Given(Collector):
    def __init__(self, metrics: Iterable[Metric]) -> None:
        self.metrics = metrics

    def collect(self) -> Iterable[Metric]:
        return self.metrics


def render(view: MetricsView, accept: str = "") -> str:
    return Exposition().render(view, accept)[0].decode()


def own_text(text: str) -> str:
    """The families of this program: without those of the process and without the build's versions."""
    return text[text.index("# HELP model_drift_target_info") : text.index("# HELP process_")]


def merged(view: MetricsView) -> list[Metric]:
    """The same samples, one prometheus_client family each over all targets."""
    durations = view.tallies.request_durations
    sheets = [collect_process(view, read_build()), collect_totals(view)]
    sheets += [collect_target(snapshot, durations.of(snapshot.target)) for snapshot in view.snapshots]
    metrics = []
    for family in FAMILIES:
        metric = open_metric(family)
        metric.samples = [sample for sheet in sheets if family.name in sheet.metrics for sample in sheet.metrics[family.name].samples]
        metrics.append(metric)
    return metrics


def hostile_view() -> MetricsView:
    """One target for each hostile name, with the name as the value of every label that is free."""
    snapshots = tuple(
        replace(
            named(name, provider=name, model=name, suites=(name, name), labels={"team": name}),
            served=tuple(replace(served, identity=name, fingerprint=name) for served in named("x").served),
        )
        for name in HOSTILE_NAMES
    )
    return replace(three_targets(), snapshots=snapshots)


@pytest.mark.parametrize(("accept", "file"), [("", "classic.txt"), (WANTS_OPENMETRICS, "openmetrics.txt")])
def test_three_targets_in_different_states_are_shown_line_by_line_as_expected(accept: str, file: str) -> None:
    assert own_text(render(three_targets(), accept)) == (EXPECTED / file).read_text(encoding="utf-8")


@pytest.mark.parametrize("view", [three_targets(), hostile_view(), MetricsView()], ids=["three targets", "hostile names", "no target"])
def test_the_text_is_what_prometheus_client_makes_of_the_same_families(view: MetricsView) -> None:
    classic = render(view)
    assert classic[: classic.index("# HELP process_")] == generate_latest(Given(merged(view))).decode()
    openmetrics = render(view, WANTS_OPENMETRICS)
    ours = openmetrics[: openmetrics.index("# HELP process_")]
    assert ours + "# EOF\n" == generate_openmetrics(Given(merged(view))).decode()
    assert openmetrics.endswith("# EOF\n")
    assert openmetrics.count("# EOF\n") == 1


@pytest.mark.parametrize("view", [three_targets(), hostile_view(), MetricsView()], ids=["three targets", "hostile names", "no target"])
def test_both_parsers_of_prometheus_client_read_back_every_sample(view: MetricsView) -> None:
    expected = [(sample.name, sample.labels, sample.value) for metric in merged(view) for sample in metric.samples]
    parsed = [
        list(parse_classic(render(view))),
        list(parse_openmetrics(render(view, WANTS_OPENMETRICS))),
    ]
    for families in parsed:
        samples = [(s.name, s.labels, s.value) for family in families for s in family.samples if s.name.startswith("model_drift_")]
        assert samples == expected


def test_openmetrics_names_units() -> None:
    families = {family.name: family for family in parse_openmetrics(render(three_targets(), WANTS_OPENMETRICS))}
    assert families["model_drift_accuracy_ratio"].unit == "ratio"
    assert families["model_drift_spend_usd"].unit == "usd"
    assert families["model_drift_request_duration_seconds"].unit == "seconds"
    assert families["model_drift_verdict"].unit == ""


@pytest.mark.parametrize("view", [three_targets(), hostile_view(), MetricsView()], ids=["three targets", "hostile names", "no target"])
def test_promtool_has_nothing_to_say(view: MetricsView) -> None:
    promtool = require_tool("promtool")
    done = subprocess.run([promtool, "check", "metrics"], input=render(view).encode(), capture_output=True, timeout=30, check=False)
    assert (done.returncode, done.stdout.decode(), done.stderr.decode()) == (0, "", "")


def test_a_label_value_is_escaped() -> None:
    text = render(MetricsView(snapshots=(named('a"b\\c\nd'),)))
    assert 'model_drift_failed_checks{target="a\\"b\\\\c\\nd"} 0.0\n' in text


def test_half_a_surrogate_pair_becomes_its_escape() -> None:
    text = render(MetricsView(snapshots=(named("\ud83d"),)))
    assert 'model_drift_failed_checks{target="\\\\ud83d"} 0.0\n' in text


def test_a_removed_target_takes_all_its_series_with_it() -> None:
    exposition = Exposition()
    view = three_targets()
    assert b"support-bot" in exposition.render(view, "")[0]
    after = exposition.render(replace(view, snapshots=view.snapshots[1:]), "")[0]
    assert b"support-bot" not in after
    assert b'target="new-model"' in after


def test_a_new_snapshot_and_a_new_duration_are_shown_at_the_next_scrape() -> None:
    exposition = Exposition()
    view = three_targets()
    exposition.render(view, "")
    changed = replace(view.snapshots[0], runs_required=7)
    view.tallies.request_durations.observe("new-model", 3.0)
    text = exposition.render(replace(view, snapshots=(changed, *view.snapshots[1:])), "")[0].decode()
    assert 'model_drift_baseline_runs_required{target="support-bot"} 7.0\n' in text
    assert 'model_drift_request_duration_seconds_sum{target="new-model"} 3.0\n' in text


def test_a_target_is_rendered_again_only_after_it_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    collected = []

    def count(snapshot, durations):  # type: ignore[no-untyped-def]  # a spy with the signature of what it stands for
        collected.append(snapshot.target)
        return collect_target(snapshot, durations)

    monkeypatch.setattr("exporter.metrics.exposition.collect_target", count)
    exposition = Exposition()
    view = three_targets()
    exposition.render(view, "")
    exposition.render(view, WANTS_OPENMETRICS)
    exposition.render(replace(view, snapshots=(*view.snapshots[:2], replace(view.snapshots[2], model="other"))), "")
    assert collected == ["support-bot", "new-model", "summaries", "summaries"]


def test_process_platform_and_gc_families_are_there_without_the_global_registry() -> None:
    names = {family.name for family in parse_classic(render(MetricsView()))}
    assert {"process_start_time_seconds", "process_open_fds", "python_info", "python_gc_collections"} <= names
