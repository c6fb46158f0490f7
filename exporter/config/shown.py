"""The configuration as people may see it: complete, defaults included, without a secret."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from exporter.config.load import dump_yaml
from exporter.config.model import Config, Target
from exporter.config.secrets import HIDDEN, hide_lookalikes, is_secret_header, is_secret_name, mask_url


def shown_config(config: Config) -> str:
    """The whole configuration as YAML in the shape of the file, secrets as `<secret>`."""
    shown: dict[str, Any] = config.model_dump(mode="json", exclude={"targets"})
    total = shown.pop("total_budget")
    shown["budget"]["total"] = total
    shown["storage"] = mask_url(shown["storage"])
    shown["targets"] = [shown_target(target) for target in config.targets]
    return dump_yaml(shown)


def shown_target(target: Target) -> dict[str, Any]:
    """One target in the shape of the file, complete, secrets as `<secret>`."""
    shown: dict[str, Any] = target.model_dump(mode="json")
    if shown["base_url"] is not None:
        shown["base_url"] = _masked(shown["base_url"])
    shown["headers"] = {name: HIDDEN if is_secret_header(name, value) else _masked(value) for name, value in shown["headers"].items()}
    shown["extra_body"] = _masked(shown["extra_body"])
    shown["sampling"] = _masked(shown["sampling"])
    return shown


def _masked(value: Any) -> Any:
    match value:
        case Mapping():
            return {name: HIDDEN if is_secret_name(name) and below is not None else _masked(below) for name, below in value.items()}
        case list():
            return [_masked(item) for item in value]
        case str():
            return mask_url(hide_lookalikes(value))
        case _:
            return value
