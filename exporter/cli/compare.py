"""compare: which questions flipped since the reference and since the run before, and whether that is only noise."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from exporter.cli import options
from exporter.cli.exits import EXIT_CONFIRMED, EXIT_OK, EXIT_UNKNOWN
from exporter.cli.outfile import write_whole
from exporter.cli.render import print_json, print_line, print_text
from exporter.cli.selection import select_targets
from exporter.cli.storage import looked_at
from exporter.daemon.live import LiveTarget, load_live
from exporter.daemon.memory import RECENT_CHECKS, read_history
from exporter.errors import Problem, UsageError
from exporter.records import FlipClass, SkipKind, SuiteComparison, TargetComparison
from exporter.reports import comparison_as_dict, describe_comparison, gravest_class
from exporter.store import Store
from exporter.verdicts import compare_check

_STYLES = {FlipClass.NONE: "green", FlipClass.WEAK: "green", FlipClass.MEDIUM: "yellow", FlipClass.STRONG: "bold red"}
_NOTHING_THERE = (SkipKind.NO_REFERENCE, SkipKind.OWN_REFERENCE, SkipKind.NO_PREVIOUS, SkipKind.NO_MARKS)


@click.command()
@click.argument("names", nargs=-1, metavar="[TARGET]...")
@options.config_file
@click.option("--held-out", "held_out", multiple=True, metavar="SUITE", help="A suite nobody else has seen; may be given several times.")
@click.option(
    "--medium-flip-count",
    type=click.IntRange(min=1),
    default=None,
    metavar="N",
    help="Flips that are medium.  [default: 2, above 20 questions one in ten]",
)
@click.option("--out", type=click.Path(path_type=Path), default=None, metavar="FILE", help="Write the JSON document to this file, too.")
@options.as_json
def compare(
    names: tuple[str, ...], config_file: Path, held_out: tuple[str, ...], medium_flip_count: int | None, out: Path | None, as_json: bool
) -> int:
    """Compare the newest check with the reference and the run before.

    For each suite: questions lost and gained, a class, and how often as much flips with nothing changed. Stored runs are read, nothing is
    asked. Exit code: 0 none, weak or skipped, 1 medium or strong, 2 config or usage, 3 nothing to compare.
    """
    live = load_live(config_file, with_keys=False)
    targets = select_targets(live, names, "TARGET")
    _require_known(held_out, targets)
    with looked_at(live) as store:
        compared = [_compare(store, target, held_out, medium_flip_count) for target in targets]
    document = {"class": gravest_class(compared), "targets": [comparison_as_dict(target) for target in compared]}
    if out is not None:
        write_whole(out, json.dumps(document, ensure_ascii=False, allow_nan=False, indent=2) + "\n", "--out")
    _print(compared, document, as_json=as_json)
    return _exit_code_of(compared)


def _require_known(held_out: Sequence[str], targets: Sequence[LiveTarget]) -> None:
    known = list(dict.fromkeys(question.suite for target in targets for question in target.questions))
    unknown = [suite for suite in dict.fromkeys(held_out) if suite not in known]
    if unknown:
        choose = f"choose from: {', '.join(known)}"
        raise UsageError([Problem("--held-out", f"{suite!r} is not asked of any of the targets", choose) for suite in unknown])


def _compare(store: Store, live: LiveTarget, held_out: Sequence[str], medium_flip_count: int | None) -> TargetComparison:
    recent = store.history(live.name, limit=RECENT_CHECKS)
    if recent:
        recent[-1] = store.check(recent[-1].id)
    history = read_history(store, live.subject)
    return compare_check(live.subject, history, recent, held_out=held_out, medium_flip_count=medium_flip_count)


def _print(compared: Sequence[TargetComparison], document: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        print_json(document)
        return
    for number, target in enumerate(compared):
        if number:
            print_text("")
        headline, reports = describe_comparison(target)
        print_line(headline, style="bold")
        for report in reports:
            print_line(report.headline, indent=2, style=_STYLES[report.flip_class] if report.flip_class is not None else "")
            for line in report.details:
                print_line(line, indent=4)


def _exit_code_of(compared: Sequence[TargetComparison]) -> int:
    """The gravest: a class that asks for a look, then a target of which nothing could be compared. What was skipped is well."""
    if gravest_class(compared) in (FlipClass.MEDIUM, FlipClass.STRONG):
        return EXIT_CONFIRMED
    return EXIT_UNKNOWN if any(map(_has_nothing, compared)) else EXIT_OK


def _has_nothing(target: TargetComparison) -> bool:
    return all(not isinstance(one, SuiteComparison) and one.skip.kind in _NOTHING_THERE for one in target.suites)
