"""suite: questions made of a seed, as a suite file."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import get_args

import click

from exporter.cli.outfile import write_new, write_whole
from exporter.cli.render import fits_output, print_note, print_text
from exporter.config import FEWEST_GENERATED, MOST_GENERATED, Generated, GeneratedLevel, dump_yaml, is_open_to_all, read_seed_file
from exporter.errors import Problem, UsageError, split_told
from exporter.suites import generate_suite

_SEED_BYTES = 32
_DEFAULT = Generated()


@click.group()
def suite() -> None:
    """Make a suite of your own."""


@suite.command()
@click.option("--seed-file", type=click.Path(path_type=Path), metavar="FILE", help="File that holds the seed.")
@click.option("--level", type=click.Choice(get_args(GeneratedLevel)), default=_DEFAULT.level, show_default=True, help="How hard they are.")
@click.option(
    "--count",
    type=click.IntRange(FEWEST_GENERATED, MOST_GENERATED),
    default=_DEFAULT.count,
    show_default=True,
    metavar="N",
    help="How many questions.",
)
@click.option("--out", type=click.Path(path_type=Path), metavar="FILE", help="Write them into this file, for your eyes only.")
@click.option("--new-seed", type=click.Path(path_type=Path), metavar="FILE", help="Make a new seed, write it into this file, and no more.")
def generate(seed_file: Path | None, level: GeneratedLevel, count: int, out: Path | None, new_seed: Path | None) -> None:
    """Make private questions of a seed.

    The same seed gives the same questions, and nobody else has them: keep it as you keep a key. `suites: [generated]` in the
    config asks the same questions without a file.
    """
    if new_seed is not None:
        if seed_file is not None or out is not None:
            raise UsageError(Problem("--new-seed", "only makes a seed", "leave out --seed-file and --out, and give --seed-file afterwards"))
        write_new(new_seed, f"{secrets.token_hex(_SEED_BYTES)}\n", "--new-seed")
        print_note(f"{new_seed}: a new seed; keep a copy, as without it the questions cannot be made again")
        return
    text = _generate(seed_file, level, count)
    if out is not None:
        write_whole(out, text, "--out", private=True)
        print_note(f"{out}: {count} questions")
    elif fits_output(text):
        print_text(text.rstrip("\n"))
    else:
        raise UsageError(Problem("standard output", "cannot take Japanese characters", "use --out, or set PYTHONIOENCODING=utf-8"))


def _generate(seed_file: Path | None, level: GeneratedLevel, count: int) -> str:
    if seed_file is None:
        raise UsageError(Problem("--seed-file", "missing", "name the file of a seed; --new-seed FILE makes one"))
    try:
        seed = read_seed_file(seed_file)
    except ValueError as error:
        what, fix = split_told(error)
        known = {"no such file": "name the file of a seed; --new-seed FILE makes one"}
        raise UsageError(Problem("--seed-file", what, known.get(what, fix))) from None
    if is_open_to_all(seed_file):
        print_note("warning: --seed-file: everybody on this machine may read it; chmod 600 it")
    head = f"# Private: who has these questions can train on them. Made of a seed; level {level}."
    return f"{head}\n{dump_yaml(generate_suite(seed, level, count))}"
