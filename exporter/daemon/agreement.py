"""Whether programs with one store mean the same by their configs: hashes of what is asked, judged and paid, and who may begin what.

Pure. A config that was loaded later counts for more, whoever loaded it: a replica that has an older one goes on with the targets
that both define alike, and leaves the others alone.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Protocol

from exporter.config import shown_target
from exporter.daemon.live import LiveConfig, LiveTarget

_NOT_ASKED = {"name", "formerly", "provider", "labels", "api_key_file", "api_key_env", "concurrency", "suites", "areas", "price"}
"""Keys of a target that decide nothing, or that `_describe` replaces by what follows from them."""


def hash_targets(live: LiveConfig) -> dict[str, str]:
    """A hash for each target: of what it is asked, when, how it is judged, and what it may cost. Secrets are no part of it."""
    caps = live.config.total_budget.model_dump(mode="json")
    return {name: _digest({**_describe(target), "total": caps}) for name, target in live.targets.items()}


def hash_config(live: LiveConfig, targets: Mapping[str, str]) -> str:
    """A hash of all that has to be the same on every replica: of `targets`, and what is shown and kept of them."""
    config = live.config
    shown = {name: (target.provider, target.target.formerly, target.target.labels) for name, target in live.targets.items()}
    rest = {"retention": config.retention.model_dump(mode="json"), "export_questions": config.export_questions}
    return _digest({"targets": dict(targets), "shown": shown, **rest})


class Loaded(Protocol):
    """A program that lives, with the config that it has loaded; when it did so is by the clock of the database."""

    @property
    def config_hash(self) -> str:
        """See `hash_config`."""
        ...

    @property
    def config_loaded_at(self) -> float:
        """Unix seconds."""
        ...


@dataclass(frozen=True, slots=True)
class Agreement:
    """What a program knows of the configs that are in use. Without any other program: all is as its own config says.

    `replicas` are those that live, itself among them; `newest` are the targets of the config that was loaded last, with their
    hashes, `own` those of its own one. `is_outdated`: the two configs are not the same.
    """

    replicas: int = 1
    is_outdated: bool = False
    own: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    newest: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    def may_work_on(self, target: str) -> bool:
        """Whether a check of this target may be begun or taken over here."""
        return not self.is_outdated or (target in self.newest and self.newest[target] == self.own.get(target))

    @property
    def left_alone(self) -> list[str]:
        """The program's own targets that it may not work on, sorted."""
        return sorted(target for target in self.own if not self.may_work_on(target))


def agree(own_hash: str, own: Mapping[str, str], replicas: Sequence[Loaded], configs: Mapping[str, Mapping[str, str]]) -> Agreement:
    """What follows from those who live. `configs` are the targets of each config, by its hash.

    Of configs loaded in the same moment the one with the greater hash counts, so that all decide alike.
    """
    newest = max(replicas, key=lambda replica: (replica.config_loaded_at, replica.config_hash), default=None)
    if newest is None or newest.config_hash == own_hash:
        return Agreement(max(1, len(replicas)), own=own, newest=own)
    return Agreement(len(replicas), is_outdated=True, own=own, newest=configs.get(newest.config_hash, {}))


def _describe(live: LiveTarget) -> dict[str, Any]:
    price = None if live.price is None else live.price.model_dump(mode="json")
    described = {key: value for key, value in shown_target(live.target).items() if key not in _NOT_ASKED}
    return {**described, "protocol": live.protocol, "questions": [question.key for question in live.questions], "price": price}


def _digest(document: object) -> str:
    return hashlib.sha256(json.dumps(document, sort_keys=True, ensure_ascii=False).encode()).hexdigest()[:16]
