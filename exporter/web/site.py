"""Under which paths and names this server is reached."""

from __future__ import annotations

from dataclasses import dataclass, field

from exporter.web.links import Links


@dataclass(frozen=True, slots=True)
class Site:
    """`route_prefix` stands before every path that is answered here ("" or as "/drift"); `links` is how others reach it.

    `origin` is scheme and host of --web.external-url, from whose pages requests come too; None where that was not given.
    """

    route_prefix: str = ""
    links: Links = field(default_factory=Links)
    origin: str | None = None
