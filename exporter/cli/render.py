"""The only place that prints. Results go to stdout, everything said beside them to stderr.

On a terminal lines are wrapped under their indent and verdicts have colours (not with NO_COLOR); elsewhere a line is a line.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from io import TextIOWrapper
from typing import Any, TextIO

import click
from rich.console import Console
from rich.padding import Padding
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from exporter.cli.exits import EXIT_BROKEN_PIPE
from exporter.cli.styles import STYLES
from exporter.records import Verdict
from exporter.reports import describe

_INDENT = 2


def print_text(text: str) -> None:
    """Plain text to stdout, as it is."""
    _out().print(text, markup=False, highlight=False, emoji=False, soft_wrap=True)


def print_json(document: Any) -> None:
    """One JSON document to stdout, in characters that stdout can write."""
    ensure_ascii = (sys.stdout.encoding or "").lower().replace("-", "") != "utf8"
    print_text(json.dumps(document, ensure_ascii=ensure_ascii, allow_nan=False, indent=2))


def print_parts(parts: Iterable[str]) -> None:
    """A long text to stdout, part by part and as it is."""
    try:
        for part in parts:
            sys.stdout.write(part)
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # else Python complains when it flushes at its end
        sys.exit(EXIT_BROKEN_PIPE)


def fits_output(text: str) -> bool:
    """Whether stdout can write every character of the text."""
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        return False
    return True


def print_line(text: str, *, indent: int = 0, style: str = "") -> None:
    """One line of a result to stdout."""
    _print_line(_out(), text, indent, style)


def print_note(text: str) -> None:
    """A word beside the result, to stderr."""
    _print_line(_err(), text, 0, "")


def print_table(table: Table) -> None:
    """A table to stdout."""
    _out().print(table)


def print_verdicts(verdicts: Sequence[Verdict]) -> None:
    """Verdicts in words: for each the headline, the details, the next step."""
    for number, verdict in enumerate(verdicts):
        if number:
            print_text("")
        report = describe(verdict)
        print_line(f"{verdict.target}: {report.headline}", style=STYLES[verdict.standing])
        for line in report.details:
            print_line(line, indent=_INDENT)
        print_line(f"→ {report.next_step}", indent=_INDENT)


def print_traceback() -> None:
    """The exception being handled, whole, to stderr."""
    _err().print_exception(max_frames=0)


def confirm(question: str) -> bool:
    """Ask a person, where one is there to be asked; True where nobody is."""
    return not sys.stdin.isatty() or click.confirm(question, err=True)


class ProgressBar:
    """A bar on stderr where a person watches; nothing otherwise."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._tasks: dict[str, Any] = {}

    def update(self, target: str, run: int, done: int, total: int) -> None:
        """Show that `done` of `total` asks of a target's run are over."""
        self.show(f"{target}, run {run}", done, total)

    def show(self, what: str, done: int, total: int) -> None:
        """Show that `done` of `total` pieces of some work are over."""
        if what not in self._tasks:
            self._tasks[what] = self._progress.add_task(what, total=total)
        self._progress.update(self._tasks[what], completed=done)

    def note(self, text: str) -> None:
        """Say a word above the bar."""
        _print_line(self._progress.console, text, 0, "")


@contextmanager
def progress_bar() -> Iterator[ProgressBar]:
    """A bar for as long as the block lasts."""
    console = _err()
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        yield ProgressBar(progress)


def _print_line(console: Console, text: str, indent: int, style: str) -> None:
    if console.is_terminal:
        console.print(Padding(Text(text, style), (0, 0, 0, indent)), highlight=False)
    else:
        console.print(Text(" " * indent + text, style), highlight=False, soft_wrap=True)


class _Console(Console):
    """Replaces what its stream cannot write, and ends with its own exit code where nobody reads on (`status | head`)."""

    def on_broken_pipe(self) -> None:
        """Leave: rich would end with 1, which here says that a model has changed."""
        with contextlib.suppress(SystemExit):
            super().on_broken_pipe()
        sys.exit(EXIT_BROKEN_PIPE)


def _out() -> Console:
    return _writing_to(sys.stdout)


def _err() -> Console:
    return _writing_to(sys.stderr)


def _writing_to(stream: TextIO) -> Console:
    if isinstance(stream, TextIOWrapper):
        stream.reconfigure(errors="replace")
    return _Console(file=stream)
