"""export: the history as OpenMetrics, JSON lines or CSV, or the present values as a file for node_exporter."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

import click
from click.core import ParameterSource

from exporter.cli import options
from exporter.cli.outfile import make_folder, write_whole, written_whole
from exporter.cli.render import print_note, print_parts, progress_bar
from exporter.cli.selection import select_targets
from exporter.cli.storage import looked_at
from exporter.clock import SystemClock
from exporter.config.durations import parse_duration
from exporter.daemon.live import LiveTarget, load_live
from exporter.daemon.past import read_checks, read_moments
from exporter.daemon.snapshots import build_snapshot, total_spend
from exporter.errors import Problem, UsageError
from exporter.metrics import MetricsView
from exporter.metrics.backfill import DEFAULT_STEP_SECONDS, MAX_STEP_SECONDS, Backfill, Steps
from exporter.metrics.selection import choose_usual
from exporter.metrics.textfile import render_textfile
from exporter.records import Verdict
from exporter.reports import as_dict, as_row
from exporter.store import Store

STDOUT = "-"
_OPENMETRICS, _JSONL, _CSV = "openmetrics", "jsonl", "csv"
_OF_SERIES = ("step", "job", "instance", "all_series")
_OF_HISTORY = ("kind", "since", "until", "out", *_OF_SERIES)


def _unix(context: click.Context, parameter: click.Parameter, value: str | None) -> float | None:
    """A time in Unix seconds; one that names no zone is in UTC."""
    if value is None:
        return None
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        raise click.BadParameter(f"{value!r} is not a time; write 2026-01-31 or 2026-01-31T09:00", context, parameter) from None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


def _seconds(context: click.Context, parameter: click.Parameter, value: str) -> int:
    """The step in whole seconds."""
    try:
        seconds = parse_duration(value)
    except ValueError as error:
        raise click.BadParameter(str(error), context, parameter) from None
    if not 1 <= seconds <= MAX_STEP_SECONDS or seconds != int(seconds):
        raise click.BadParameter(
            f"{value}: needs whole seconds, 1s to 4m30s: Prometheus looks back for five minutes only", context, parameter
        )
    return int(seconds)


@click.command()
@click.argument("names", nargs=-1, metavar="[TARGET]...")
@options.config_file
@click.option(
    "--format", "kind", type=click.Choice((_OPENMETRICS, _JSONL, _CSV)), default=_OPENMETRICS, show_default=True, help="What is written."
)
@click.option(
    "--since",
    callback=_unix,
    default=None,
    metavar="TIME",
    help="Begin here (UTC): 2026-01-31, or 2026-01-31T09:00.  [default: the first check]",
)
@click.option("--until", callback=_unix, default=None, metavar="TIME", help="End before this.  [default: now]")
@click.option(
    "--out", default=STDOUT, show_default=True, metavar="PATH", help="A file, for OpenMetrics a folder (a file a month), - for stdout."
)
@click.option(
    "--step", callback=_seconds, default=f"{DEFAULT_STEP_SECONDS // 60}m", show_default=True, metavar="TIME", help="Time between samples."
)
@click.option("--job", default="model-drift", show_default=True, help="Label job of every series, as Prometheus has it.")
@click.option("--instance", default="localhost:10201", show_default=True, help="Label instance of every series, as Prometheus has it.")
@click.option("--all-series", is_flag=True, help="All series, not only those that dashboards, alerts and the cookbook use.")
@click.option(
    "--textfile",
    type=click.Path(path_type=Path),
    default=None,
    metavar="FILE",
    help="Write the present values, and no history, for node_exporter.",
)
@click.pass_context
def export(
    context: click.Context,
    /,
    names: tuple[str, ...],
    config_file: Path,
    kind: str,
    since: float | None,
    until: float | None,
    out: str,
    step: int,
    job: str,
    instance: str,
    all_series: bool,
    textfile: Path | None,
) -> None:
    """Write the history to files that other programs read.

    OpenMetrics for Prometheus, with a sample at every step, as if it had scraped all the time; a verdict a line as JSON, or as CSV. Or,
    with --textfile, the present values for the textfile collector of node_exporter. The store is only looked at.
    """
    _require_fitting(context, kind, textfile)
    live = load_live(config_file, with_keys=False)
    targets, now = select_targets(live, names, "TARGET"), SystemClock().now()
    begin, end = -math.inf if since is None else since, now if until is None else min(now, until)
    with looked_at(live) as store:
        if textfile is not None:
            snapshots = tuple(build_snapshot(store, target, now) for target in targets)
            view = MetricsView(snapshots, read_at=now, total_spend=total_spend(store, live.config.total_budget, now))
            write_whole(textfile, render_textfile(view), "--textfile")
            return
        firsts = _firsts(store, targets)
        begin = max(begin, min(firsts.values(), default=end))
        if not begin < end:
            raise UsageError(Problem("--since, --until", "nothing was checked in that time", _first_said(firsts)))
        if kind == _OPENMETRICS:
            pasts = [
                (read_moments(store, target, present := build_snapshot(store, target, now)), None if all_series else choose_usual(present))
                for target in targets
                if target.name in firsts
            ]
            _write_series(Backfill(pasts, {"instance": instance, "job": job}), Steps.between(begin, end, step), out)
        else:
            verdicts = _verdicts(store, targets, begin, end)
            _write_lines(_json_lines(verdicts) if kind == _JSONL else _csv_lines(verdicts), out)


def _require_fitting(context: click.Context, kind: str, textfile: Path | None) -> None:
    """Raise UsageError for flags that mean nothing beside the others."""
    given = [name for name in _OF_HISTORY if context.get_parameter_source(name) is not ParameterSource.DEFAULT]
    flags = {name: "--format" if name == "kind" else f"--{name.replace('_', '-')}" for name in given}
    if textfile is not None:
        if flags:
            raise UsageError(Problem("--textfile", "is of now and of no history", f"leave out {', '.join(flags.values())}"))
        if textfile.suffix != ".prom":
            raise UsageError(Problem(f"--textfile: {textfile}", "node_exporter reads files called *.prom only", "call it so"))
    idle = [flag for name, flag in flags.items() if name in _OF_SERIES]
    if kind != _OPENMETRICS and idle:
        raise UsageError(Problem(f"--format: {kind}", "has a line a verdict and no series", f"leave out {', '.join(idle)}"))


def _firsts(store: Store, targets: Sequence[LiveTarget]) -> dict[str, float]:
    """When each target was first checked; those that never were are left out, and told."""
    firsts = {}
    for target in targets:
        first = next(read_checks(store, target.name, page=1), None)
        if first is None:
            print_note(f"{target.name}: not checked yet, nothing to export")
        else:
            firsts[target.name] = first.check.claimed_at
    return firsts


def _first_said(firsts: dict[str, float]) -> str:
    if not firsts:
        return "let serve run, or check"
    return f"the first check was at {datetime.fromtimestamp(min(firsts.values()), UTC):%Y-%m-%dT%H:%M} (UTC)"


def _write_series(past: Backfill, steps: Steps, out: str) -> None:
    if out == STDOUT:
        print_parts(past.write(steps))
        return
    folder = make_folder(Path(out), "--out")
    months = list(steps.months())
    with progress_bar() as bar:
        for done, (name, month) in enumerate(months):
            bar.show("months", done, len(months))
            with written_whole(folder / f"{name}.om", "--out") as file:
                file.writelines(past.write(month))


def _write_lines(lines: Iterator[str], out: str) -> None:
    if out == STDOUT:
        print_parts(lines)
        return
    with written_whole(Path(out), "--out") as file:
        file.writelines(lines)


def _verdicts(store: Store, targets: Sequence[LiveTarget], begin: float, end: float) -> Iterator[Verdict]:
    for target in targets:
        for past in read_checks(store, target.name):
            if past.check.verdict is not None and begin <= past.check.verdict.decided_at < end:
                yield past.check.verdict


def _json_lines(verdicts: Iterable[Verdict]) -> Iterator[str]:
    for verdict in verdicts:
        yield json.dumps(as_dict(verdict), ensure_ascii=False, allow_nan=False) + "\n"


def _csv_lines(verdicts: Iterable[Verdict]) -> Iterator[str]:
    line = io.StringIO()
    writer = csv.writer(line, lineterminator="\n")
    for number, verdict in enumerate(verdicts):
        row = as_row(verdict)
        if number == 0:
            writer.writerow(row)
        writer.writerow(row.values())
        yield line.getvalue()
        line.seek(0)
        line.truncate()
