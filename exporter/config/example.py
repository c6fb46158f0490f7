"""A config file with every key and every default, made from the model so that it cannot go stale."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from exporter.config.load import flow_yaml
from exporter.config.schema import Key, file_keys

_WIDTH = 120
_FIRST_OF_TARGET = ("targets[]", "name")
_PRICE = ("targets[]", "price")
_SAMPLES = {
    ("targets[]", "name"): "support-bot",
    ("targets[]", "api"): "openai_chat",
    ("targets[]", "model"): "gpt-5.5",
    ("targets[]", "api_key_env"): "OPENAI_API_KEY",
    ("targets[]", "price", "input_usd_per_mtok"): 1.25,
    ("targets[]", "price", "output_usd_per_mtok"): 10,
}
"""What stands where there is no default, or where the default would not let the file be used."""


def example_config() -> str:
    """A commented YAML file that loads as it stands, given the environment variable that it names."""
    intro = "Every key of the config file with its default; only targets, with name, api and model, must be set."
    return "\n".join((f"# {intro}", *(line for key in file_keys() for line in _lines(key)), ""))


def _lines(key: Key) -> Iterator[str]:
    """One key with its comment above it. The keys of a price are comments themselves: its default is none."""
    if len(key.path) == 1:
        yield ""
    if key.path[:2] == _PRICE and len(key.path) > len(_PRICE):
        yield f"    #   {key.path[-1]}: {_value(key)}  # {key.description}"
        return
    in_target = key.path[0] == "targets[]"
    margin = "  " * (len(key.path) if in_target else len(key.path) - 1)
    first = key.path == _FIRST_OF_TARGET
    comment = margin.removesuffix("  ") if first else margin
    yield from textwrap.wrap(key.description, _WIDTH, initial_indent=f"{comment}# ", subsequent_indent=f"{comment}# ")
    start = f"{comment}- " if first else margin
    yield f"{start}{key.path[-1]}:" if key.block and key.path != _PRICE else f"{start}{key.path[-1]}: {_value(key)}"
    if key.path == _PRICE:
        yield f"{margin}# or price:"


def _value(key: Key) -> str:
    return flow_yaml(_SAMPLES.get(key.path, key.default))
