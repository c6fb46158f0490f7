"""The text of /metrics, in the classic and the OpenMetrics format.

Sample lines are the same in both formats, so a target's lines are made once and kept until its snapshot is another object (those
of its request durations until they are). A scrape then only joins text.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from prometheus_client import CollectorRegistry, GCCollector, Metric, PlatformCollector, ProcessCollector, generate_latest
from prometheus_client.openmetrics.exposition import generate_latest as generate_openmetrics
from prometheus_client.registry import Collector
from prometheus_client.samples import Sample
from prometheus_client.utils import floatToGoString

from exporter.metrics.build import read_build
from exporter.metrics.catalogue import FAMILIES
from exporter.metrics.collector import collect_process, collect_target, collect_totals
from exporter.metrics.labels import escape_value
from exporter.metrics.negotiation import CLASSIC, OPENMETRICS, accepts_openmetrics
from exporter.metrics.samples import Sheet, open_metric
from exporter.metrics.tallies import Durations
from exporter.metrics.view import MetricsView
from exporter.records import Snapshot

END = "# EOF\n"
"""The last line of an OpenMetrics exposition."""

Lines = Mapping[str, str]
"""Sample lines by family name."""


class _Given(Collector):
    """A collector of the metrics given."""

    def __init__(self, metrics: Iterable[Metric]) -> None:
        self._metrics = metrics

    def collect(self) -> Iterable[Metric]:
        return self._metrics


@dataclass(frozen=True, slots=True)
class _KeptLines:
    snapshot: Snapshot
    durations: Durations
    lines: Lines


def _classic(*metrics: Metric) -> str:
    return generate_latest(_Given(metrics)).decode()


CLASSIC_HEADERS = {family.name: _classic(open_metric(family)) for family in FAMILIES}
OPENMETRICS_HEADERS = {
    family.name: generate_openmetrics(_Given((open_metric(family),))).decode().removesuffix(END)  # type: ignore[no-untyped-call]  # untyped there
    for family in FAMILIES
}


def sample_lines(sheet: Sheet) -> Lines:
    """The samples of a sheet as text.

    Written here and not by prometheus_client, which takes four times as long: a scrape of a thousand targets waits for this.
    """
    return {name: "".join(map(_line, metric.samples)) for name, metric in sheet.metrics.items()}


def _line(sample: Sample) -> str:
    labels = ",".join([_label(name, value) for name, value in sorted(sample.labels.items())])
    value: str = floatToGoString(sample.value)  # type: ignore[no-untyped-call]  # untyped there
    return f"{sample.name}{{{labels}}} {value}\n" if labels else f"{sample.name} {value}\n"


@lru_cache(maxsize=4096)
def _label(name: str, value: str) -> str:
    return f'{name}="{escape_value(value)}"'


def _duration_lines(target: str, durations: Durations) -> Lines:
    """What alone is new after a request of a check that goes on."""
    sheet = Sheet(target=target)
    sheet.put_durations("request_duration_seconds", durations)
    return sample_lines(sheet)


class Exposition:
    """Renders /metrics; one object for a process, since it keeps the targets' text. May be used from any thread."""

    def __init__(self) -> None:
        self._build = read_build()
        self._kept: dict[str, _KeptLines] = {}
        self._process = CollectorRegistry(auto_describe=False)
        ProcessCollector(registry=self._process)
        PlatformCollector(registry=self._process)
        GCCollector(registry=self._process)

    def render(self, view: MetricsView, accept: str) -> tuple[bytes, str]:
        """The body and its content type. `accept` is the request's Accept header, empty where there was none."""
        openmetrics = accepts_openmetrics(accept)
        headers = OPENMETRICS_HEADERS if openmetrics else CLASSIC_HEADERS
        parts = [sample_lines(collect_process(view, self._build)), sample_lines(collect_totals(view)), *self._target_lines(view)]
        texts: list[str] = []
        for name, header in headers.items():
            texts.append(header)
            texts += [lines[name] for lines in parts if name in lines]
        text = "".join(texts)
        if openmetrics:
            end: bytes = generate_openmetrics(self._process)  # type: ignore[no-untyped-call]  # untyped there
            return text.encode() + end, OPENMETRICS
        return text.encode() + generate_latest(self._process), CLASSIC

    def _target_lines(self, view: MetricsView) -> list[Lines]:
        kept: dict[str, _KeptLines] = {}
        for snapshot in view.snapshots:
            durations = view.tallies.request_durations.of(snapshot.target)
            known = self._kept.get(snapshot.target)
            if known is None or known.snapshot is not snapshot:
                known = _KeptLines(snapshot, durations, sample_lines(collect_target(snapshot, durations)))
            elif known.durations is not durations:
                known = _KeptLines(snapshot, durations, {**known.lines, **_duration_lines(snapshot.target, durations)})
            kept[snapshot.target] = known
        self._kept = kept
        return [known.lines for known in kept.values()]
