"""Present values for node_exporter's textfile collector."""

from __future__ import annotations

import subprocess

from prometheus_client.parser import text_string_to_metric_families as parse

from exporter.metrics import FAMILIES, MetricsView
from exporter.metrics.textfile import render_textfile
from tests.metrics.snapshots import three_targets
from tests.metrics.test_exposition import render
from tests.tools import require_tool


def test_it_says_what_a_scrape_says_but_for_this_process() -> None:
    scraped = {family.name: family.samples for family in parse(render(three_targets()))}
    written = {family.name: family.samples for family in parse(render_textfile(three_targets()))}
    assert written
    assert {name: scraped[name] for name in written} == written
    own = {family.base_name for family in FAMILIES}
    gone = {name for name in own & scraped.keys() if scraped[name] and name not in written}
    assert gone == {
        "model_drift_request_duration_seconds",
        "model_drift_store_errors",
        "model_drift_log_messages",
        "model_drift_config_last_reload_successful",
        "model_drift_config_last_reload_success_timestamp_seconds",
        "model_drift_web_config_last_reload_successful",
        "model_drift_web_config_last_reload_success_timestamp_seconds",
        "model_drift_config_outdated",
        "model_drift_replicas",
    }


def test_no_line_has_a_time_and_no_family_is_empty() -> None:
    families = list(parse(render_textfile(three_targets())))
    assert {sample.timestamp for family in families for sample in family.samples} == {None}
    assert all(family.samples for family in families)


def test_without_a_target_there_is_only_the_build() -> None:
    assert {family.name for family in parse(render_textfile(MetricsView()))} == {"model_drift_build_info"}


def test_promtool_has_nothing_to_say() -> None:
    text = render_textfile(three_targets())
    done = subprocess.run(
        [require_tool("promtool"), "check", "metrics"], input=text, capture_output=True, text=True, timeout=30, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
