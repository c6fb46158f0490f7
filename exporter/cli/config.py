"""config: the config in use, an example of one, and its schema."""

from __future__ import annotations

from pathlib import Path

import click

from exporter.cli import options
from exporter.cli.render import print_json, print_text
from exporter.config import example_config, json_schema, load_config, shown_config
from exporter.errors import Problem, UsageError


@click.command()
@options.config_file
@click.option("--example", is_flag=True, help="Print a commented file with every key and its default.")
@click.option("--schema", is_flag=True, help="Print the JSON Schema of the file, for editors.")
def config(config_file: Path, example: bool, schema: bool) -> None:
    """Print the config in use.

    It is printed as it is understood: complete with all defaults, secrets hidden.
    """
    if example and schema:
        raise UsageError(Problem("--example", "cannot be printed together with --schema", "give one of the two"))
    if schema:
        print_json(json_schema())
    else:
        print_text((example_config() if example else shown_config(load_config(config_file, with_keys=False))).rstrip("\n"))
