"""The path of a request as its sender wrote it, so that a slash in a name is not taken for one between names."""

from __future__ import annotations

from urllib.parse import unquote

from starlette.types import Scope


def path_segments(scope: Scope) -> list[str]:
    """The parts between slashes, decoded one by one: `/targets/a%2Fb/checks` has three. What the server stands under is left out."""
    below = str(scope["path"]).removeprefix(str(scope.get("root_path", "")))
    raw = scope.get("raw_path")
    if raw is None:
        return below.split("/")[1:]
    segments = [unquote(segment) for segment in raw.decode("latin-1").split("/")[1:]]
    above = sum(len(segment) + 1 for segment in segments) - len(below)
    while above > 0 and segments:
        above -= len(segments.pop(0)) + 1
    return segments
