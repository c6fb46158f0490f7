"""estimate: what checks should cost, and whether the caps let them."""

from __future__ import annotations

from pathlib import Path

import click

from exporter.cli import options
from exporter.cli.forecast import forecast_target, warn_of_total
from exporter.cli.forecast_words import as_document, print_schedule
from exporter.cli.render import print_json
from exporter.cli.selection import select_targets
from exporter.cli.storage import looked_at_if_any
from exporter.clock import SystemClock
from exporter.daemon.live import load_live


@click.command()
@options.config_file
@options.only_targets
@options.as_json
def estimate(config_file: Path, names: tuple[str, ...], as_json: bool) -> None:
    """Say what checks should cost.

    Told are one check, one with a second run, a day and 30 days of the schedule, by past checks where there are any. Caps that
    would stop a check, or its second run, are named. Nothing is asked.
    """
    live = load_live(config_file, with_keys=False)
    targets = select_targets(live, names)
    with looked_at_if_any(live) as store:
        forecasts = [forecast_target(target, live.config.total_budget, store, SystemClock().now()) for target in targets]
    warnings = [] if names else warn_of_total(forecasts, live.config.total_budget)
    if as_json:
        print_json(as_document(forecasts, warnings))
    else:
        print_schedule(forecasts, warnings)
