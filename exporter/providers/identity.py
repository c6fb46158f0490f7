"""The key under which a served identity is counted."""

from __future__ import annotations

from collections.abc import Sequence

from exporter.records import Identity

_ORDER = ("model", "fingerprint", "host", "tier", "region")


def identity_key(identity: Identity, counted: Sequence[str]) -> str | None:
    """The served model (`model@digest` where there is a digest) with whatever else is counted, in a fixed order.

    None where a counted part is not known: an unknown is no change, and must never look like one.
    """
    parts = []
    for name in (name for name in _ORDER if name in counted):
        value = _part(identity, name)
        if value is None:
            return None
        parts.append(value if name == "model" else f"{name}={value}")
    return " ".join(parts) or None


def _part(identity: Identity, name: str) -> str | None:
    if name == "model":
        return "@".join(part for part in (identity.served_model, identity.digest) if part) or None
    return identity.fingerprint if name == "fingerprint" else identity.facets.get(name)
