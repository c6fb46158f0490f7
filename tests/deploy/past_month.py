"""Three targets with a month of daily checks that hold everything a dashboard shows, as Prometheus would have scraped it."""

from __future__ import annotations

from pathlib import Path

from exporter.metrics.tallies import DURATION_BOUNDS_SECONDS
from exporter.records import VerdictKind
from tests.acceptance.loaded import load_history, load_samples
from tests.acceptance.past_year import CONFIG, Life, at, write_history

DAYS = 31
END = at(DAYS - 1, 9.5 * 3600)
"""Half an hour after the last check: support-bot drifts, translator could not be measured, summariser collects a new baseline."""

LIVES = (
    Life(
        "support-bot",
        0.03,
        {**dict.fromkeys((*range(14, 20), 29, 30), VerdictKind.DRIFT), 9: VerdictKind.UNCONFIRMED, 27: VerdictKind.SUSPECT},
    ),
    Life("translator", 0.02, dict.fromkeys((*range(11, 13), *range(28, 31)), VerdictKind.MEASUREMENT_FAILED)),
    Life(
        "summariser",
        0.01,
        {**dict.fromkeys(range(12, 15), VerdictKind.TOKEN_SHIFT), **dict.fromkeys(range(18, 22), VerdictKind.MODEL_CHANGED)},
        new_protocol_day=26,
    ),
)

_TARGET = """\
- name: {name}
  api: openai_chat
  model: {name}
  base_url: http://127.0.0.1:9/v1
  price: {{{{input_usd_per_mtok: 1, output_usd_per_mtok: 2}}}}
"""

_STEP_SECONDS = 240


def load_month(folder: Path) -> None:
    """The month as blocks of a Prometheus in `folder`: what `export` writes, and what only a live scrape has."""
    head, _, _ = CONFIG.partition("- name:")
    write_history(folder, DAYS, LIVES, head + "".join(_TARGET.format(name=life.target) for life in LIVES))
    load_history(folder, "--until", "2025-02-01")
    scraped = folder / "scraped.om"
    scraped.write_text("".join(_live_lines()), encoding="utf-8")
    load_samples(folder, scraped)


def _live_lines() -> list[str]:
    """What begins with the process, over the last two days: when the store was read, and 34 requests a day of two seconds."""
    labels = 'instance="localhost:10201",job="model-drift"'
    times = range(int(END) - 2 * 86_400, int(END) + 1, _STEP_SECONDS)
    lines = ["# TYPE model_drift_snapshot_timestamp_seconds gauge\n"]
    lines += [f"model_drift_snapshot_timestamp_seconds{{{labels}}} {time} {time}\n" for time in times]
    lines.append("# TYPE model_drift_request_duration_seconds histogram\n")
    for bound in (*DURATION_BOUNDS_SECONDS, "+Inf"):
        of_bound = f'model_drift_request_duration_seconds_bucket{{{labels},target="support-bot",le="{bound}"}}'
        lines += [f"{of_bound} {34 * ((time - times[0] + 3600) // 86_400) if float(bound) >= 2 else 0} {time}\n" for time in times]
    return [*lines, "# EOF\n"]
