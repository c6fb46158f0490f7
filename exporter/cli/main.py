"""The command and its verbs. Errors become one line each and exit code 2; a traceback is shown to those who ask for one."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import click

from exporter import __version__
from exporter.cli.baseline import baseline
from exporter.cli.check import check
from exporter.cli.compare import compare
from exporter.cli.config import config
from exporter.cli.demo import demo
from exporter.cli.estimate import estimate
from exporter.cli.exits import EXIT_INTERRUPTED, EXIT_USAGE
from exporter.cli.export import export
from exporter.cli.render import print_json, print_note, print_traceback
from exporter.cli.serve import serve
from exporter.cli.simulate import simulate
from exporter.cli.status import status
from exporter.cli.store import store
from exporter.cli.suite import suite
from exporter.cli.validate import validate
from exporter.errors import ExporterError

PROGRAM = "model-drift-exporter"


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}, no_args_is_help=False)
@click.version_option(__version__, "--version", prog_name=PROGRAM)
@click.option("--debug", is_flag=True, help="Show the traceback of an error that nobody foresaw.")
def commands(debug: bool) -> None:
    """Watch the language models you depend on, and say when one of them has really changed."""


for _command in (serve, demo, check, estimate, status, compare, validate, suite, config, baseline, export, simulate, store):
    commands.add_command(_command)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit. Raises SystemExit."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    sys.exit(_run(given))


def _run(given: list[str]) -> int:
    """The exit code."""
    try:
        code = commands.main(args=given, prog_name=PROGRAM, standalone_mode=False)
    except ExporterError as error:
        return _complain(given, [str(problem) for problem in error.problems], error.exit_code)
    except click.ClickException as error:
        return _complain(given, [f"usage: {error.format_message().rstrip('.')}; see {_help_of(error)}"], EXIT_USAGE)
    except (KeyboardInterrupt, click.Abort):
        return _complain(given, ["interrupted"], EXIT_INTERRUPTED)
    except Exception as error:  # whatever it is, a person gets a line, and a program its exit code
        if "--debug" in given:
            print_traceback()
        text = " ".join(str(error).split())
        return _complain(given, [f"unexpected {type(error).__name__}: {text}; please report it, with the output of --debug"], EXIT_USAGE)
    return code if isinstance(code, int) else 0


def _help_of(error: click.ClickException) -> str:
    context = error.ctx if isinstance(error, click.UsageError) else None
    return f"{context.command_path if context else PROGRAM} --help"


def _complain(arguments: Sequence[str], problems: list[str], code: int) -> int:
    """Say what is wrong: as one JSON document on stdout where one was asked for, else a line each on stderr."""
    if "--json" in arguments:
        print_json({"errors": problems})
    else:
        for problem in problems:
            print_note(problem)
    return code
