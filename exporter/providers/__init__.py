"""Providers: a Request becomes an Answer. Each API is one file; what they share is beside them.

Done here: building the request of an API, sending it once, reading whatever comes back into an Answer with a reason from the
closed set. Never done here: retrying, grading, deciding whether another model served than the baseline knows, spending money
that nobody reserved, raising into the caller, or letting a key into a message.
"""

from __future__ import annotations

from collections.abc import Callable

from exporter.clock import Clock
from exporter.config.model import Target
from exporter.errors import ConfigError, Problem
from exporter.providers.base import Provider
from exporter.providers.http_provider import HttpProvider
from exporter.providers.identity import identity_key
from exporter.providers.presets import find_preset, host_of
from exporter.providers.registry import ADAPTERS

__all__ = ["Provider", "default_base_url", "identity_key", "open_provider", "provider_label"]


def open_provider(target: Target, read_key: Callable[[], str | None], clock: Clock) -> Provider:
    """The target's endpoint, ready to be asked; nothing is sent yet. `read_key` is called before each request.

    Raises ConfigError where the API has no URL of its own and the target gives none.
    """
    adapter = ADAPTERS[target.api]
    if target.base_url is None and "<" in adapter.default_base_url:
        raise ConfigError(Problem(target.locate("base_url"), "missing", f"give {adapter.default_base_url}"))
    return HttpProvider(adapter, target, read_key, clock)


def default_base_url(api: str) -> str:
    """Where an API is asked unless the target says otherwise."""
    return ADAPTERS[api].default_base_url


def provider_label(target: Target) -> str:
    """The target's `provider` setting, else the known name of its host, else the host itself."""
    base_url = target.base_url or default_base_url(target.api)
    preset = find_preset(base_url)
    return target.provider or (preset.provider if preset else host_of(base_url))
