"""A target told by flags alone: `check` without a config file. Messages name the flag, not a key of a file."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import click

from exporter.config import config_from
from exporter.daemon.live import LiveConfig, build_live
from exporter.errors import ConfigError, Problem, UsageError

_Command = TypeVar("_Command", bound=Callable[..., Any])

_ORIGIN = "command line"
_TARGET = "targets[0]."
_FIXES = {
    "--price": "add --price.input and --price.output, or --price.unknown",
    "--api-key-file": "name a file that holds the key and nothing else",
    "--suite": "name a file that model-drift-exporter suite generate wrote",
}
"""How to mend on the command line what a file would have mended otherwise."""


def flags(command: _Command) -> _Command:
    """The flags that tell of a target."""
    for option in reversed(
        (
            click.option("--api", metavar="API", help="API that the endpoint speaks, such as openai_chat or anthropic."),
            click.option("--model", metavar="MODEL", help="The model to ask for, as the endpoint names it."),
            click.option("--name", metavar="NAME", help="What the target is called in the history.  [default: the model]"),
            click.option("--base-url", metavar="URL", help="URL of the endpoint.  [default: the vendor's own]"),
            click.option("--api-key-env", metavar="VARIABLE", help="Environment variable that holds the API key."),
            click.option("--api-key-file", metavar="FILE", help="File that holds the API key and nothing else."),
            click.option("--suite", "suites", multiple=True, metavar="SUITE", help="Suite to ask; repeatable.  [default: core]"),
            click.option("--price.input", "price_input", type=float, metavar="USD", help="Dollars for a million input tokens."),
            click.option("--price.output", "price_output", type=float, metavar="USD", help="Dollars for a million output tokens."),
            click.option("--price.unknown", "price_unknown", is_flag=True, help="Cap tokens only, as no price is known."),
            click.option("--stream", is_flag=True, help="Have answers streamed."),
            click.option("--tool-calling", metavar="WAY", help="How tools are offered: api, or text for a server without.  [default: api]"),
            click.option("--max-tokens-scale", type=float, metavar="FACTOR", help="Factor on the answer limit of every question."),
            click.option("--storage", metavar="URL", help="Where history is kept.  [default: sqlite:///data/history.db]"),
        )
    ):
        command = option(command)
    return command


def is_told(given: Mapping[str, Any]) -> bool:
    """Whether any of these flags was given."""
    return any(given.values())


def refuse_mixture(given: Mapping[str, Any], names: Sequence[str], *, config_given: bool) -> None:
    """Raise UsageError where flags that tell of a target are incomplete, contradict each other, or stand beside a config file."""
    problems = []
    if config_given or names:
        flag = "--config.file" if config_given else "--target"
        problems.append(Problem(flag, "a target is told by flags as well", f"leave out {flag}, or the flags of the target"))
    problems += [
        Problem(f"--{flag}", "missing", "a check without a config file needs --api and --model")
        for flag in ("api", "model")
        if not given[flag]
    ]
    if given["price_unknown"] and (given["price_input"] is not None or given["price_output"] is not None):
        problems.append(Problem("--price.unknown", "a price is given as well", "leave out one of them"))
    if problems:
        raise UsageError(problems)


def live_from_flags(given: Mapping[str, Any]) -> LiveConfig:
    """A config of one target, from its flags. Raises ConfigError that names them."""
    try:
        config = config_from(_as_file(given), _ORIGIN)
        return build_live(config, Path())
    except ConfigError as error:
        raise ConfigError([_about_flag(problem) for problem in error.problems]) from None


def _as_file(given: Mapping[str, Any]) -> dict[str, object]:
    """What a config file would say."""
    target: dict[str, object] = {"name": given["name"] or given["model"]}
    target |= {
        key: given[key]
        for key in ("api", "model", "base_url", "api_key_env", "api_key_file", "max_tokens_scale", "tool_calling")
        if given[key] is not None
    }
    target["stream"] = given["stream"]
    if given["suites"]:
        target["suites"] = list(given["suites"])
    prices = {f"{kind}_usd_per_mtok": given[f"price_{kind}"] for kind in ("input", "output") if given[f"price_{kind}"] is not None}
    if prices or given["price_unknown"]:
        target["price"] = prices or "unknown"
    file: dict[str, object] = {"targets": [target]}
    return file if given["storage"] is None else {"storage": given["storage"], **file}


def _about_flag(problem: Problem) -> Problem:
    where = problem.where.removeprefix(f"{_ORIGIN}: ").removeprefix(_TARGET)
    flag = f"--{where.replace('_usd_per_mtok', '').replace('_', '-')}" if where != problem.where else where
    flag = re.sub(r"^--suites\b.*", "--suite", flag)
    fix = problem.fix.replace("api: ", "--api ").replace("base_url: ", "--base-url ")
    return replace(problem, where=flag, fix=_FIXES.get(flag, fix))
