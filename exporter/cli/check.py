"""check: one check of each target, now."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from exporter.cli import one_off, options
from exporter.cli.exits import exit_code_of
from exporter.cli.forecast import forecast_target
from exporter.cli.forecast_words import as_document, print_dry_run
from exporter.cli.render import print_json, print_note, print_verdicts, progress_bar
from exporter.cli.selection import select_targets
from exporter.cli.session import Outcome, Session
from exporter.cli.storage import copied, looked_at_if_any, written
from exporter.clock import SystemClock
from exporter.daemon.live import LiveConfig, LiveTarget, load_live
from exporter.reports import as_dict

_SIGNALLED = 128
"""What shells add to the number of the signal that ended a program."""


@click.command()
@options.config_file
@options.only_targets
@one_off.flags
@click.option("--dry-run", is_flag=True, help="Say what would be asked and what it should cost; ask nothing.")
@click.option("--no-save", is_flag=True, help="Keep nothing: the check is made on a copy of the history.")
@options.as_json
@click.pass_context
def check(
    context: click.Context, /, config_file: Path, names: tuple[str, ...], dry_run: bool, no_save: bool, as_json: bool, **told: Any
) -> int:
    """Check now: one check of each target.

    A second run, where one is needed, follows at once. Exit code: 0 nothing confirmed, 1 a confirmed change, 2 config or usage, 3 could
    not measure, or suspect. Of several targets the gravest counts.
    """
    live = _find_live(context, config_file, names, told, with_keys=not dry_run)
    targets = select_targets(live, names)
    if dry_run:
        return _tell_costs(live, targets, as_json=as_json)
    with (copied if no_save else written)(live) as store, progress_bar() as bar:
        session = Session(store, SystemClock(), live.config.total_budget, live.config.concurrency, bar.update, bar.note)
        outcome = asyncio.run(session.run(targets))
    _print_outcome(outcome, as_json=as_json)
    if outcome.interrupted_by is not None and outcome.problems:
        return _SIGNALLED + outcome.interrupted_by
    return exit_code_of(outcome.verdicts, failed=bool(outcome.problems))


def _find_live(context: click.Context, config_file: Path, names: Sequence[str], told: dict[str, Any], *, with_keys: bool) -> LiveConfig:
    if not one_off.is_told(told):
        return load_live(config_file, with_keys=with_keys)
    config_given = context.get_parameter_source("config_file") is not ParameterSource.DEFAULT
    one_off.refuse_mixture(told, names, config_given=config_given)
    return one_off.live_from_flags(told)


def _tell_costs(live: LiveConfig, targets: Sequence[LiveTarget], *, as_json: bool) -> int:
    now = SystemClock().now()
    with looked_at_if_any(live) as store:
        forecasts = [forecast_target(target, live.config.total_budget, store, now) for target in targets]
    if as_json:
        print_json({"dry_run": True, **as_document(forecasts)})
    else:
        print_dry_run(forecasts)
    return 0


def _print_outcome(outcome: Outcome, *, as_json: bool) -> None:
    errors = [str(problem) for problem in outcome.problems]
    if as_json:
        document: dict[str, Any] = {"targets": [as_dict(verdict) for verdict in outcome.verdicts]}
        print_json({**document, "errors": errors} if errors else document)
        return
    print_verdicts(outcome.verdicts)
    for error in errors:
        print_note(error)
