"""Flags that several verbs share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

_Command = TypeVar("_Command", bound=Callable[..., Any])

DEFAULT_CONFIG_FILE = Path("config.yml")


def config_file(command: _Command) -> _Command:
    """--config.file, default config.yml."""
    option = click.option(
        "--config.file",
        "config_file",
        type=click.Path(path_type=Path),
        default=DEFAULT_CONFIG_FILE,
        show_default=True,
        metavar="FILE",
        help="The config file.",
    )
    return option(command)


def web_config_file(meaning: str) -> Callable[[_Command], _Command]:
    """--web.config.file, none by default."""
    return click.option("--web.config.file", "web_config_file", type=click.Path(path_type=Path), metavar="FILE", help=meaning)


def as_json(command: _Command) -> _Command:
    """--json: one JSON document on stdout, errors included."""
    return click.option("--json", "as_json", is_flag=True, help="Print one JSON document on stdout, whatever happens.")(command)


def only_targets(command: _Command) -> _Command:
    """--target, any number of times."""
    return click.option("--target", "names", multiple=True, metavar="NAME", help="Only this target; may be given several times.")(command)
