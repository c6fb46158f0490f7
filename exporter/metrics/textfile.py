"""Current values as a file for the textfile collector of node_exporter: no times, and nothing of this short-lived process."""

from __future__ import annotations

from exporter.metrics.build import read_build
from exporter.metrics.catalogue import FAMILIES
from exporter.metrics.collector import collect_process, collect_target, collect_totals
from exporter.metrics.exposition import CLASSIC_HEADERS, sample_lines
from exporter.metrics.family import Origin
from exporter.metrics.tallies import NO_DURATIONS
from exporter.metrics.view import MetricsView

_OF_A_PROCESS = frozenset(family.name for family in FAMILIES if family.origin in (Origin.PROCESS, Origin.DAEMON))


def render_textfile(view: MetricsView) -> str:
    """The same samples as on /metrics, in the classic format; families without a sample are left out."""
    sheets = [collect_process(view, read_build()), collect_totals(view), *(collect_target(one, NO_DURATIONS) for one in view.snapshots)]
    parts = [sample_lines(sheet) for sheet in sheets]
    families = [
        (header, "".join(lines.get(name, "") for lines in parts)) for name, header in CLASSIC_HEADERS.items() if name not in _OF_A_PROCESS
    ]
    return "".join(header + text for header, text in families if text)
