"""From what is known to samples: one sheet a target, and one for what belongs to no target."""

from __future__ import annotations

from exporter.metrics.build import Build
from exporter.metrics.identities import put_served_models, put_served_shares, put_target
from exporter.metrics.results import put_figures, put_verdict
from exporter.metrics.samples import Sheet
from exporter.metrics.tallies import Durations
from exporter.metrics.totals import put_budget, put_counters, put_progress
from exporter.metrics.view import MetricsView
from exporter.records import Snapshot


def collect_target(snapshot: Snapshot, durations: Durations) -> Sheet:
    """Every sample of one target."""
    sheet = Sheet(target=snapshot.target)
    put_target(sheet, snapshot)
    put_verdict(sheet, snapshot)
    if snapshot.verdict is not None:
        put_figures(sheet, snapshot.verdict, snapshot.areas)
        put_served_shares(sheet, snapshot.verdict)
    put_served_models(sheet, snapshot)
    put_counters(sheet, snapshot)
    sheet.put_durations("request_duration_seconds", durations)
    put_budget(sheet, snapshot.spend)
    put_progress(sheet, snapshot)
    return sheet


def collect_totals(view: MetricsView) -> Sheet:
    """What is spent over all targets together; its `target` is empty."""
    sheet = Sheet(target="")
    put_budget(sheet, view.total_spend)
    return sheet


def collect_process(view: MetricsView, build: Build) -> Sheet:
    """Every sample that has no target."""
    sheet = Sheet()
    sheet.put("build_info", 1, version=build.version, revision=build.revision, python_version=build.python_version)
    sheet.put("snapshot_timestamp_seconds", view.read_at)
    sheet.put("config_last_reload_successful", view.reload_successful)
    sheet.put("config_last_reload_success_timestamp_seconds", view.reloaded_at)
    sheet.put("web_config_last_reload_successful", view.web_reload_successful)
    sheet.put("web_config_last_reload_success_timestamp_seconds", view.web_reloaded_at)
    sheet.put("config_outdated", view.config_outdated)
    sheet.put("replicas", view.replicas)
    sheet.put_each("store_errors_total", "operation", view.store_errors)
    sheet.put_each("log_messages_total", "level", view.tallies.log_messages.counts())
    return sheet
