"""baseline: what the norm of a target is, and a person's decisions about it. A running daemon notices within seconds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeVar

import click

from exporter.cli import options
from exporter.cli.membership import OTHERS_SHOWN, as_document, event_table, read_membership, run_table, summary
from exporter.cli.render import confirm, print_json, print_line, print_note, print_table, print_text
from exporter.cli.selection import select_targets
from exporter.cli.storage import looked_at, written
from exporter.clock import SystemClock
from exporter.daemon.decisions import accept_model, keep_baseline, pin_runs, reset_baseline
from exporter.daemon.live import LiveTarget, load_live
from exporter.daemon.memory import read_history
from exporter.daemon.snapshots import build_snapshot
from exporter.records import BaselineEvent, VerdictKind
from exporter.store import Store

_Command = TypeVar("_Command", bound=Callable[..., Any])

_VERDICTS_LOOKED_THROUGH = 200
_IDENTITIES_OFFERED = 50


@click.group(no_args_is_help=False)
def baseline() -> None:
    """Look at a baseline, or decide about it.

    Decisions are added to the history and nothing is ever deleted. A running serve follows them within seconds.
    """


def _arguments(command: _Command) -> _Command:
    return click.argument("target")(options.config_file(options.as_json(command)))


@baseline.command()
@_arguments
def show(target: str, config_file: Path, as_json: bool) -> None:
    """Show what a baseline is made of.

    Listed are its runs, the newest ones beside it, and what was decided about it.
    """
    live = load_live(config_file, with_keys=False)
    (chosen,) = select_targets(live, (target,), "TARGET")
    with looked_at(live) as store:
        standing = build_snapshot(store, chosen, SystemClock().now()).verdict
        recent = store.history(target, limit=2 * OTHERS_SHOWN)
        membership = read_membership(chosen, read_history(store, chosen.subject), recent, standing)
    if as_json:
        print_json(as_document(membership))
        return
    for number, line in enumerate(summary(membership)):
        print_line(line, indent=2 if number else 0)
    for table, rows in ((run_table(membership.rows), membership.rows), (event_table(membership.events), membership.events)):
        if rows:
            print_text("")
            print_table(table)


@baseline.command()
@_arguments
@click.option("--yes", is_flag=True, help="Do not ask whether it is meant.")
def reset(target: str, config_file: Path, as_json: bool, yes: bool) -> None:
    """Collect a new baseline.

    It starts with the next check. What is held as confirmed ends.
    """
    with _deciding(config_file, target) as (chosen, store):
        if not yes and not confirm(f"Collect a new baseline for {target}? Until it is ready, nothing is judged."):
            _tell(None, f"{target}: nothing was changed", as_json=as_json)
            return
        event = store.add_event(reset_baseline(chosen, SystemClock().now()))
    required = chosen.target.decision.baseline_runs
    _tell(event, f"{target}: the next {required} runs become the new baseline", as_json=as_json)


@baseline.command()
@_arguments
@click.option("--run", "run_ids", type=int, multiple=True, required=True, metavar="ID", help="A run to take; may be given several times.")
@click.option("--suite", metavar="NAME", help="For the questions of this suite only.")
def pin(target: str, config_file: Path, as_json: bool, run_ids: tuple[int, ...], suite: str | None) -> None:
    """Take runs of your choice as the baseline.

    They stay it until another decision. What is held as confirmed ends.
    """
    with _deciding(config_file, target) as (chosen, store):
        runs = store.runs(target, run_ids)
        event = store.add_event(pin_runs(chosen, store.events(target), runs, run_ids, suite, SystemClock().now()))
    required = chosen.target.decision.baseline_runs
    if len(event.run_ids) < required:
        print_note(f"note: with fewer than {required} runs only large losses can be told from chance")
    _tell(event, f"{target}: pinned to runs {', '.join(map(str, event.run_ids))}", as_json=as_json)


@baseline.command()
@_arguments
@click.option("--identity", metavar="NAME", help="The model to accept.  [default: the one that model_changed told of]")
def accept(target: str, config_file: Path, as_json: bool, identity: str | None) -> None:
    """Accept that another model answers.

    A new baseline starts, with the runs that the new model has served so far. What is held as confirmed ends.
    """
    with _deciding(config_file, target) as (chosen, store):
        now = SystemClock().now()
        standing = build_snapshot(store, chosen, now).verdict
        verdicts = store.verdicts(target, _VERDICTS_LOOKED_THROUGH)
        change = next((verdict for verdict in verdicts if verdict.kind is VerdictKind.MODEL_CHANGED), None)
        seen = list(dict.fromkeys(one.identity for one in store.served(target, _IDENTITIES_OFFERED)))
        event = store.add_event(accept_model(chosen, standing, change, seen, identity, now))
    _tell(event, f"{target}: {event.identity} is accepted, its baseline starts with the runs that it has served", as_json=as_json)


@baseline.command()
@_arguments
def keep(target: str, config_file: Path, as_json: bool) -> None:
    """Carry the baseline over a change of config.

    For a change of which you know that the model is still asked the same, such as a base_url that moved.
    """
    with _deciding(config_file, target) as (chosen, store):
        event = store.add_event(keep_baseline(chosen, read_history(store, chosen.subject), SystemClock().now()))
    _tell(event, f"{target}: the baseline from before the change stands for the way it is asked now, too", as_json=as_json)


@contextmanager
def _deciding(config_file: Path, target: str) -> Iterator[tuple[LiveTarget, Store]]:
    """The target and its store, to write a decision in. A store that does not exist yet is not made for it."""
    live = load_live(config_file, with_keys=False)
    (chosen,) = select_targets(live, (target,), "TARGET")
    with looked_at(live):
        pass
    with written(live) as store:
        yield chosen, store


def _tell(event: BaselineEvent | None, words: str, *, as_json: bool) -> None:
    if as_json:
        print_json({"event": None if event is None else asdict(event)})
    else:
        print_line(words)
