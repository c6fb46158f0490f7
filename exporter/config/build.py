"""Plain values to a Config: defaults, the targets' own blocks, all checks."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from exporter.config.complaints import Complaints, explain, value_at
from exporter.config.crosschecks import cross_check
from exporter.config.model import PRICE_FORMS, Config
from exporter.config.places import KeyPath
from exporter.config.words import kind

_BLOCKS = ("schedule", "decision", "budget")


def config_from(data: Mapping[str, object], where: str, folder: Path = Path()) -> Config:
    """The configuration in plain values shaped like the file. `where` names their origin in messages. Raises ConfigError."""
    return build_config(dict(data), Complaints(where), folder)


def build_config(data: object, complaints: Complaints, folder: Path, *, with_keys: bool = True) -> Config:
    """The configuration in the values of a file. Raises ConfigError with all complaints, those already collected included.

    Whether API keys can be read is looked at unless told otherwise.
    """
    if not isinstance(data, dict) or not data:
        what, fix = f"must be a mapping of settings, not {kind(data)}", "start with targets: and the other top-level keys"
        if data is None or data == {}:
            what, fix = "empty", "write targets into it; model-drift-exporter config --example shows every key"
        complaints.add((), what, fix)
        raise complaints.error()
    file = _complete(data, folder)
    config = _validated(file, data, complaints)
    for path, what, fix in cross_check(file, data, complaints.places, with_keys=with_keys):
        complaints.add(path, what, fix)
    if complaints:
        raise complaints.error()
    places = complaints.places
    for index, target in enumerate(config.targets):
        target.placed(places.below("targets", index))
    return config.placed(places)


def _complete(data: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """The file as the model wants it: each target's blocks complete, its paths resolved, `budget.total` beside the budget."""
    file = {key: value for key, value in data.items() if key != "total_budget"}
    if isinstance(budget := file.get("budget"), dict) and "total" in budget:
        file["budget"] = {key: value for key, value in budget.items() if key != "total"}
        file["total_budget"] = budget["total"]
    if isinstance(generated := file.get("generated"), dict):
        file["generated"] = _resolved(generated, "seed_file", folder)
    file = _resolved(file, "storage_password_file", folder)
    if file.get("targets") is None:
        file["targets"] = []
    if isinstance(targets := file["targets"], list):
        file["targets"] = [_complete_target(target, file, folder) if isinstance(target, dict) else target for target in targets]
    return file


def _complete_target(target: Mapping[str, Any], file: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    complete = dict(target)
    for block in _BLOCKS:
        common, own = file.get(block), target.get(block, {})
        complete[block] = _over(common, own) if isinstance(common, dict) and isinstance(own, dict) else own
    return _resolved(complete, "api_key_file", folder)


def _resolved(block: Mapping[str, Any], key: str, folder: Path) -> dict[str, Any]:
    """The block with the path under `key`, where there is one, seen from `folder`."""
    path = block.get(key)
    return {**block, key: str(folder / path)} if isinstance(path, str) and path else dict(block)


def _over(common: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """`common` with the keys of `own` laid over it, in blocks inside blocks too."""
    laid = {**common, **own}
    for key in common.keys() & own.keys():
        if isinstance(common[key], dict) and isinstance(own[key], dict):
            laid[key] = _over(common[key], own[key])
    return laid


def _validated(file: Mapping[str, Any], data: Mapping[str, Any], complaints: Complaints) -> Config:
    """The model's own checks; a complaint for each that fails, and then an empty Config."""
    if "total_budget" in data:
        complaints.add(("total_budget",), "unknown key", "did you mean budget.total?")
    try:
        # JSON is the strict mode in which a list may become a tuple and a word an enum, and nothing else changes its kind.
        return Config.model_validate_json(json.dumps(file), strict=True)
    except ValidationError as error:
        for fault in error.errors(include_url=False):
            path = _path(fault["loc"])
            # a list that has only bad items is too short for pydantic, but not for its writer
            if not _inherited(path, data) and not (fault["type"] == "too_short" and value_at(data, path)):
                complaints.add(path, *explain(fault, path, data))
    return Config()


def _path(location: KeyPath) -> KeyPath:
    """The key in the file that pydantic's location stands for."""
    match location:
        case ("total_budget", *below):
            return ("budget", "total", *below)
        case ("targets", int(), "price", form, *below) if form in PRICE_FORMS:
            return (*location[:3], *below)
        case ("targets", int(), "headers" | "labels", str(), "[key]"):
            return location[:4]
    return location


def _inherited(path: KeyPath, data: object) -> bool:
    """Whether a fault in a target's block comes from the top-level block, where it has been told already."""
    if path[:1] != ("targets",) or len(path) < 4 or path[2] not in _BLOCKS:
        return False
    for part in path:
        try:
            data = data[part]  # type: ignore[index]  # whatever cannot be followed is not the target's own
        except (KeyError, IndexError, TypeError):
            return True
    return False
