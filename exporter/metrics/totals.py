"""Counters, spend against its caps, and the times of checks, as samples."""

from __future__ import annotations

from collections.abc import Iterable

from exporter.metrics.samples import Sheet
from exporter.records import Snapshot, Spend


def put_counters(sheet: Sheet, snapshot: Snapshot) -> None:
    """Totals since the store began. Dollars only where the price is known."""
    counters = snapshot.counters
    sheet.put_each("measurement_errors_total", "reason", counters.measurement_errors)
    sheet.put_each("checks_total", "result", counters.checks)
    sheet.put("requests_total", counters.requests)
    sheet.put_each("request_failures_total", "reason", counters.request_failures)
    sheet.put("input_tokens_total", counters.input_tokens)
    sheet.put("output_tokens_total", counters.output_tokens)
    sheet.put("reasoning_tokens_total", counters.reasoning_tokens)
    if snapshot.price_known:
        sheet.put("spend_usd_total", counters.spend_usd)
        sheet.put("spend_estimated_usd_total", counters.spend_estimated_usd)


def put_budget(sheet: Sheet, spends: Iterable[Spend]) -> None:
    """What is spent in each period, and the caps there are."""
    for spend in spends:
        sheet.put("budget_limit_usd", spend.limit_usd, period=spend.period)
        sheet.put("budget_spent_usd", spend.spent_usd, period=spend.period)
        sheet.put("budget_limit_tokens", spend.limit_tokens, period=spend.period)
        sheet.put("budget_spent_tokens", spend.spent_tokens, period=spend.period)


def put_progress(sheet: Sheet, snapshot: Snapshot) -> None:
    """When the last checks ended, when the next is due, and whether one is under way."""
    progress = snapshot.progress
    sheet.put("confirmation_pending", progress.confirmation_pending)
    sheet.put("check_estimate_usd", snapshot.check_estimate_usd)
    sheet.put("last_check_timestamp_seconds", progress.last_check_at)
    sheet.put("last_success_timestamp_seconds", progress.last_success_at)
    sheet.put("next_check_timestamp_seconds", progress.next_check_at)
    sheet.put("last_check_duration_seconds", progress.last_duration_seconds)
    sheet.put("check_in_progress", progress.in_progress)
