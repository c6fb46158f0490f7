"""simulate: what the rule of judging finds in made-up models, or in models like a target's own, and when it cries wolf."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.core import ParameterSource

from exporter.cli import options
from exporter.cli.render import print_json, print_line, print_text, progress_bar
from exporter.cli.simulated import as_csv, as_document, as_lines
from exporter.errors import Problem, UsageError

if TYPE_CHECKING:  # numpy, which comes with the room, may not be installed
    from exporter.simulation.figures import Table

TABLE_NAMES = ("day", "quiet", "delay")
MODEL_NAMES = ("strong", "mixed", "saturated", "calibrated")
QUIET_DAYS, DELAY_DAYS = 300, 60
"""Days that users are watched where no flag says otherwise."""

_Command = TypeVar("_Command", bound=Callable[..., Any])


def _conditions(command: _Command) -> _Command:
    """The flags that make answers come under other conditions."""
    share, deviation = click.FloatRange(0, 1), click.FloatRange(min=0)
    flags = (
        click.option(
            "--swing",
            type=deviation,
            default=0.0,
            show_default=True,
            metavar="SD",
            help="Swing of the whole model between checks, in log odds.",
        ),
        click.option(
            "--sticky", type=share, default=0.0, show_default=True, metavar="SHARE", help="Re-asked answers that repeat the run's first."
        ),
        click.option("--cached", is_flag=True, help="Let a check's second run copy its first."),
        click.option(
            "--unusable",
            type=share,
            default=0.0,
            show_default=True,
            metavar="SHARE",
            help="Re-asked answers unusable while the baseline grows.",
        ),
        click.option(
            "--token-swing", type=deviation, default=None, metavar="SD", help="Swing of all lengths between checks, in logarithms."
        ),
        click.option(
            "--bad-first-day", type=click.IntRange(min=0), default=0, show_default=True, help="Questions lost in the very first run only."
        ),
    )
    for flag in reversed(flags):
        command = flag(command)
    return command


@click.command()
@click.argument("tables", nargs=-1, type=click.Choice(TABLE_NAMES), metavar="[TABLE]...")
@click.option("--model", "models", multiple=True, type=click.Choice(MODEL_NAMES), help="Made-up models; default: each of them in turn.")
@click.option("--questions", "sizes", default="13,10,11", show_default=True, metavar="SIZES", help="How many questions each area has.")
@click.option("--from-history", "history_of", default=None, metavar="TARGET", help="Models and questions as in this target's baseline.")
@options.config_file
@click.option("--procedure", type=click.Choice(("ours", "count")), default="ours", show_default=True, help="count: right answers, counted.")
@click.option(
    "--set", "settings", multiple=True, metavar="KEY=VALUE", help="A setting of decision:, such as tries=4 or trend_windows=[3,7]."
)
@click.option("--scores", default=None, metavar="SCORES", help="Scores of the marks from 0, such as 0,1,2,3,4,5; default k(k+1)/2.")
@_conditions
@click.option("--trials", type=click.IntRange(min=2), default=2000, show_default=True, help="Days in each row of the table day.")
@click.option("--users", type=click.IntRange(min=2), default=500, show_default=True, help="Users of each model in the other tables.")
@click.option(
    "--days", type=click.IntRange(min=7), default=None, help=f"Days they are watched; default {QUIET_DAYS}, after a change {DELAY_DAYS}."
)
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True, help="Where chance starts; the same gives the same.")
@click.option("--processes", type=click.IntRange(min=1), default=None, help="Processes to share the work; default: one for each core.")
@click.option("--csv", "as_csv_table", is_flag=True, help="Print one table as CSV.")
@options.as_json
@click.pass_context
def simulate(
    context: click.Context, /, tables: tuple[str, ...], processes: int | None, as_csv_table: bool, as_json: bool, **told: Any
) -> None:
    """Try the judging on made-up models whose every change is known.

    day (the default): how often one check finds what. quiet: tickets and pages where nothing changes. delay: how long until a change is
    told. Beside each figure stands its standard error from the number of trials. Nothing is asked of anybody.
    """
    # not at the top: its room needs numpy, and says so where that is missing
    from exporter.cli.simulation import Request, read_request, sentences, simulate_table

    names = tuple(dict.fromkeys(tables)) or (("quiet", "delay") if told["history_of"] else ("day",))
    if as_csv_table and (as_json or len(names) > 1):
        raise UsageError(Problem("--csv", "prints one table and nothing else", f"choose one of {', '.join(names)}, without --json"))
    given = {name for name in told if context.get_parameter_source(name) is ParameterSource.COMMANDLINE}
    request: Request = read_request(told, given)
    with progress_bar() as bar:
        made = {name: simulate_table(name, request, processes or os.cpu_count() or 1, partial(bar.show, name)) for name in names}
    said = sentences(made, request)
    if as_csv_table:
        print_text(as_csv(made[names[0]]))
    elif as_json:
        print_json({"simulated": request.told, "tables": [as_document(table) for table in made.values()], "sentences": said})
    else:
        _print(request.told, list(made.values()), said)


def _print(told: Mapping[str, str], tables: Sequence[Table], said: Sequence[str]) -> None:
    print_line("; ".join(f"{name} {value}" for name, value in told.items()))
    for table in tables:
        print_text("")
        print_line(table.title, style="bold")
        for line in as_lines(table):
            print_text(line)
        for note in table.notes:
            print_line(note)
    for number, sentence in enumerate(said):
        if number == 0:
            print_text("")
        print_line(sentence)
