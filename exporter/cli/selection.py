"""The targets that a verb is about."""

from __future__ import annotations

from collections.abc import Sequence

from exporter.daemon.live import LiveConfig, LiveTarget
from exporter.errors import Problem, UsageError


def select_targets(live: LiveConfig, names: Sequence[str], flag: str = "--target") -> list[LiveTarget]:
    """The named targets, or all of them, in the order of the config. Raises UsageError for a name that is not in it."""
    unknown = [name for name in dict.fromkeys(names) if name not in live.targets]
    if unknown:
        known = ", ".join(live.targets)
        raise UsageError([Problem(flag, f"{name!r} is not in the config", f"choose from: {known}") for name in unknown])
    return [target for name, target in live.targets.items() if not names or name in names]
