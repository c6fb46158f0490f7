"""A verdict as plain JSON values."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from exporter.records import Verdict
from exporter.reports.words import describe


def as_dict(verdict: Verdict) -> dict[str, Any]:
    """Every figure of the verdict under its own name, and the report's words as `headline`, `details` and `next_step`."""
    report = describe(verdict)
    words = {"headline": report.headline, "details": list(report.details), "next_step": report.next_step}
    return {**words, **_plain(asdict(verdict))}


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value
