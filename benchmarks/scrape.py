"""What a scrape of many targets costs, beside prometheus_client's rendering of as many gauges and two exporters written in Go.

Prints one line of JSON. Work is counted in samples a second of processor time, so that other programs do not show in it.
"""

from __future__ import annotations

import contextlib
import gzip
import itertools
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from prometheus_client import CollectorRegistry, Gauge, generate_latest
from prometheus_client.openmetrics.exposition import generate_latest as generate_openmetrics

from benchmarks.harness import (
    LOOPBACK,
    count_samples,
    cpu_seconds,
    free_port,
    get,
    middle,
    own_cpu_seconds,
    running,
    running_daemon,
    scratch,
    tell,
    wait_until_ready,
)
from benchmarks.stores import Size, fill_store, write_config
from exporter.daemon.live import LiveConfig
from exporter.daemon.snapshots import build_snapshot
from exporter.metrics import FAMILIES, Exposition, MetricsView
from exporter.store import open_store

TEXT = "text/plain;version=0.0.4"
OPENMETRICS = "application/openmetrics-text;version=1.0.0"
GZIP_LEVEL = 1
CHANGED_TARGETS = 20
ROUNDS = 7
HTTP_CPU_SECONDS = 1.0
"""Each server is scraped until it has used this much processor time in a round: less could not be told from nothing."""

OTHERS = {"prometheus-node-exporter": (), "prometheus-blackbox-exporter": ("--config.file=blackbox.yml",)}
"""Debian's names of the programs, and what they have to be told; one that is not on PATH is left out."""

Render = Callable[[CollectorRegistry], bytes]


def make_gauges(samples: int, targets: int) -> CollectorRegistry:
    """As many samples as the exporter shows, in as many families, with labels as long as its own."""
    registry = CollectorRegistry()
    each = -(-samples // (len(FAMILIES) * targets))
    left = itertools.count(samples, -1)
    for family in FAMILIES:
        gauge = Gauge(f"{family.name}_static", family.help, ("target", "area"), registry=registry)
        for target in range(targets):
            for area in range(each):
                if next(left) <= 0:  # as many as there are
                    return registry
                gauge.labels(f"target-{target:04}", f"area-{area}").set(0.8123)
    return registry


def read_view(live: LiveConfig) -> MetricsView:
    """What the daemon shows after a start."""
    store = open_store(live.config.storage)
    now = time.time()
    snapshots = tuple(build_snapshot(store, target, now) for target in live.targets.values())
    store.close()
    return MetricsView(snapshots=snapshots, read_at=now)


def change(view: MetricsView, number: int, changed: int) -> MetricsView:
    """The same with `changed` targets read anew."""
    first = number * changed % len(view.snapshots)
    chosen = range(first, first + changed)
    return replace(view, snapshots=tuple(replace(one) if at in chosen else one for at, one in enumerate(view.snapshots)))


@dataclass(frozen=True)
class Rendering:
    """One format: what renders it here, and what renders the gauges beside it."""

    accept: str
    render_static: Render
    registry: CollectorRegistry
    exposition: Exposition

    def time_first(self, view: MetricsView) -> float:
        """Processor time of the scrape that makes every target's text."""
        return own_cpu_seconds(lambda: self.exposition.render(view, self.accept))

    def compare(self, view: MetricsView, changed: MetricsView, first_seconds: float) -> dict[str, float]:
        """Processor time of the static gauges over that of each kind of scrape."""
        static = own_cpu_seconds(lambda: self.render_static(self.registry))
        packing_static = own_cpu_seconds(lambda: pack(self.render_static(self.registry))) - static
        first_after_change = self.time_first(changed)
        steady = self.time_first(changed)
        packing = own_cpu_seconds(lambda: pack(self.exposition.render(changed, self.accept)[0])) - steady
        self.exposition.render(view, self.accept)
        return {
            "static_seconds": static,
            "plain": static / steady,
            "plain_after_change": static / first_after_change,
            "gzip": (static + packing_static) / (steady + packing),
            "gzip_after_change": (static + packing_static) / (first_after_change + packing),
            "first_of_all": static / first_seconds,
        }


def pack(text: bytes) -> bytes:
    """Compress as the exporter does."""
    return gzip.compress(text, GZIP_LEVEL, mtime=0)


def compare_renderings(view: MetricsView, targets: int, rounds: int, changed: int) -> dict[str, object]:
    """For both formats the median ratios in samples a core second, beside prometheus_client's own rendering of as many gauges."""
    samples = count_samples(Exposition().render(view, TEXT)[0])
    registry = make_gauges(samples, targets)
    figures: dict[str, object] = {"samples": samples, "bytes": len(Exposition().render(view, TEXT)[0])}
    for name, accept, render in (("text", TEXT, generate_latest), ("openmetrics", OPENMETRICS, generate_openmetrics)):
        rendering = Rendering(accept, render, registry, Exposition())
        first = rendering.time_first(view)
        rows = [rendering.compare(view, change(view, number, changed), first) for number in range(rounds)]
        figures[name] = {
            "static_samples_per_core_second": round(samples / middle((row.pop("static_seconds") for row in rows), 6)),
            "of_static": {key: middle(row[key] for row in rows) for key in rows[0]},
        }
    return figures


def scrape_for(port: int, pid: int, headers: dict[str, str]) -> float:
    """Samples a second of processor time, all that the server does for a scrape included."""
    started, samples = cpu_seconds(pid), 0
    while (spent := cpu_seconds(pid) - started) < HTTP_CPU_SECONDS:
        samples += count_samples(unpack(get(port, "/metrics", headers)[1]))
    return samples / spent


def unpack(body: bytes) -> bytes:
    """The text of a body that may be compressed."""
    return gzip.decompress(body) if body.startswith(b"\x1f\x8b") else body


def compare_servers(config_file: Path, folder: Path, rounds: int) -> dict[str, object]:
    """Thousands of samples a core second over HTTP, plain and compressed, of the daemon and of the others, in turn."""
    (folder / "blackbox.yml").write_text("modules: {}\n")
    with contextlib.ExitStack() as stack:
        daemon, port = stack.enter_context(running_daemon(config_file, folder))
        wait_until_ready(daemon, port)
        servers = {"exporter": (port, daemon.pid)}
        for program, told in OTHERS.items():
            if shutil.which(program) is not None:
                other_port = free_port()
                address = f"--web.listen-address={LOOPBACK}:{other_port}"
                process = stack.enter_context(running([program, address, *told], folder, program))
                wait_until_ready(process, other_port, "/metrics")
                servers[program.removeprefix("prometheus-")] = (other_port, process.pid)
        kinds = {"plain": {"Accept": TEXT}, "gzip": {"Accept": TEXT, "Accept-Encoding": "gzip"}}
        speeds: dict[str, dict[str, list[float]]] = {kind: {name: [] for name in servers} for kind in kinds}
        for _ in range(rounds):
            for kind, headers in kinds.items():
                for name, (port, pid) in servers.items():
                    speeds[kind][name].append(scrape_for(port, pid, headers) / 1000)
    return {kind: {name: middle(values, 0) for name, values in of_kind.items()} for kind, of_kind in speeds.items()}


def measure(size: Size, rounds: int = ROUNDS, changed: int = CHANGED_TARGETS, *, servers: bool = True) -> dict[str, object]:
    """All figures for a store of this size."""
    with scratch() as folder:
        config_file = write_config(folder, size, base_url=f"http://{LOOPBACK}:9/v1")
        view = read_view(fill_store(config_file, size.days))
        figures = {"targets": size.targets, **compare_renderings(view, size.targets, rounds, changed)}
        if servers:
            figures["thousand_samples_per_core_second_over_http"] = compare_servers(config_file, folder, 3)
    return figures


if __name__ == "__main__":
    tell("scrape", measure(Size(targets=1000, days=60)))
