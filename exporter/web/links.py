"""Where things are on this server."""

from __future__ import annotations

from urllib.parse import quote


def target_path(target: str) -> str:
    """The path of a target's page. Every character that is not plainly safe is encoded, slashes too."""
    return "/targets/" + quote(target, safe="", errors="replace")
