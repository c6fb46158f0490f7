"""status: how every target stands, by what the store remembers."""

from __future__ import annotations

from pathlib import Path

import click

from exporter.cli import options
from exporter.cli.render import print_json, print_line, print_table, print_text
from exporter.cli.selection import select_targets
from exporter.cli.standing import as_document, headlines, informing_lines, standing_table
from exporter.cli.storage import looked_at
from exporter.clock import SystemClock
from exporter.daemon.live import load_live
from exporter.daemon.snapshots import build_snapshot


@click.command()
@options.config_file
@options.only_targets
@options.as_json
def status(config_file: Path, names: tuple[str, ...], as_json: bool) -> None:
    """Show how every target stands.

    The store is only looked at, also beside a running serve; nothing is asked.
    """
    live = load_live(config_file, with_keys=False)
    targets, now = select_targets(live, names), SystemClock().now()
    with looked_at(live) as store:
        snapshots = [build_snapshot(store, target, now) for target in targets]
    if as_json:
        print_json(as_document(snapshots))
        return
    print_table(standing_table(snapshots, now))
    for number, (line, style) in enumerate((*headlines(snapshots), *informing_lines(snapshots))):
        if number == 0:
            print_text("")
        print_line(line, style=style)
