"""store: look after the file that everything is kept in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import click

from exporter.cli import options
from exporter.cli.exits import EXIT_DAMAGED, EXIT_OK
from exporter.cli.render import confirm, print_json, print_line, print_note, progress_bar
from exporter.cli.storage import copied, looked_at, written
from exporter.cli.store_copy import copy
from exporter.clock import SystemClock
from exporter.daemon.housekeeping import Removed, keep_house
from exporter.daemon.live import LiveConfig, load_live
from exporter.store import back_up

_MIB = 1024 * 1024
_PROBLEMS_SHOWN = 20


@click.group(no_args_is_help=False)
def store() -> None:
    """Look after the store: check it, back it up, move it, remove what is old."""


store.add_command(copy)


@store.command()
@options.config_file
@options.as_json
def check(config_file: Path, as_json: bool) -> int:
    """Look whether the store is whole and its books add up.

    Every page, index and reference, and every sum against what it sums up. Nothing is changed; a running serve goes on. Exit
    code: 0 all is well, 1 something is wrong in the store, 2 it cannot be opened, or config or usage.
    """
    live = load_live(config_file, with_keys=False)
    with looked_at(live) as opened:
        problems, targets, where = opened.verify(), opened.targets(), opened.where
    if as_json:
        print_json({"storage": where.removeprefix("storage "), "ok": not problems, "problems": [str(problem) for problem in problems]})
    elif problems:
        _print_problems([str(problem) for problem in problems])
    else:
        print_line(f"{where}: whole, and everything adds up; targets: {len(targets)}", style="green")
    return EXIT_DAMAGED if problems else EXIT_OK


@store.command()
@click.argument("file", type=click.Path(path_type=Path))
@options.config_file
@options.as_json
def backup(file: Path, config_file: Path, as_json: bool) -> int:
    """Copy the store to a new file, also beside a running serve.

    The copy is of one moment, is looked through before it gets its name, and never replaces a file. Exit code: 0 all is well, 1
    written, but what is in the store does not add up, 2 not written, or config or usage.
    """
    live = load_live(config_file, with_keys=False)
    with progress_bar() as bar:
        made = back_up(live.config.storage, file, progress=lambda done, total: bar.show("pages", done, total))
    problems = [str(problem) for problem in made.problems]
    if as_json:
        print_json({"file": str(file), "size_bytes": made.size_bytes, "problems": problems})
    else:
        _print_problems(problems)
        print_line(f"{file}: {_mebibytes(made.size_bytes)}, {'as wrong as the store is' if problems else 'whole'}")
    return EXIT_DAMAGED if problems else EXIT_OK


@store.command()
@options.config_file
@options.as_json
@click.option("--dry-run", is_flag=True, help="Only say what would be removed.")
@click.option("--yes", is_flag=True, help="Do not ask whether it is meant.")
def prune(config_file: Path, as_json: bool, dry_run: bool, yes: bool) -> None:
    """Remove grades and errors older than retention in the config says, now.

    A running serve does so once a day. What judging still needs is never removed. Tried on a copy with --dry-run.
    """
    live = load_live(config_file, with_keys=False)
    now = SystemClock().now()
    with looked_at(live):
        pass  # a store that does not exist yet is not made for this
    if not dry_run and not yes and not confirm(f"Remove {_what(live)}? There is no way back but a backup."):
        _tell(Removed(), "nothing was changed", as_json=as_json)
        return
    with copied(live) if dry_run else written(live) as opened:
        removed = keep_house(opened, live, now)
    _tell(removed, f"{'would remove' if dry_run else 'removed'}: {_told(removed)}", as_json=as_json)


def _print_problems(problems: Sequence[str]) -> None:
    for problem in problems[:_PROBLEMS_SHOWN]:
        print_line(problem, style="bold red")
    if len(problems) > _PROBLEMS_SHOWN:
        print_note(f"and {len(problems) - _PROBLEMS_SHOWN:,} more; --json lists them all")


def _what(live: LiveConfig) -> str:
    retention = live.config.retention
    return f"grades older than {retention.grades} and errors older than {retention.errors}"


def _told(removed: Removed) -> str:
    return (
        f"{removed.grades:,} grades of {removed.runs:,} runs, {removed.errors:,} errors; condensed to sums: {removed.requests:,} requests"
    )


def _tell(removed: Removed, words: str, *, as_json: bool) -> None:
    if as_json:
        print_json(asdict(removed))
    else:
        print_line(words)


def _mebibytes(size_bytes: int) -> str:
    return f"{size_bytes / _MIB:,.1f} MiB"
