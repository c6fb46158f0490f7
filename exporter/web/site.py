"""Under which names and paths this server is reached: --web.external-url and --web.route-prefix, with Prometheus' meaning."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from exporter.errors import Problem, UsageError
from exporter.web.links import Links
from exporter.web.security import ORIGIN

EXTERNAL_URL_FLAG, ROUTE_PREFIX_FLAG = "--web.external-url", "--web.route-prefix"

_PATH = re.compile(r"(?:/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*")
_HOST = re.compile(r"(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?")
_EXAMPLE = "write it as https://tools.example.com/drift, or only its path, /drift"


@dataclass(frozen=True, slots=True)
class Site:
    """`route_prefix` stands before every path that is answered here ("" or as "/drift"); `links` is how others reach it.

    `origin` is scheme and host of --web.external-url, from whose pages requests come too; None where that was not given.
    """

    route_prefix: str = ""
    links: Links = field(default_factory=Links)
    origin: str | None = None


def parse_site(external_url: str | None, route_prefix: str | None) -> Site:
    """The site that two flags describe. Raises UsageError that says what is wrong with one.

    The prefix is by default the path of the external URL, and links carry the prefix where no URL is given.
    """
    origin, path = _split(external_url) if external_url else (None, "")
    prefix = path if route_prefix is None else _prefix(route_prefix)
    return Site(prefix, Links(path if external_url else prefix), origin)


class OnSite:
    """Middleware that puts an app below the site's prefix. `/`, and the prefix without a slash at its end, lead to its first page."""

    def __init__(self, app: ASGIApp, site: Site) -> None:
        self._app = app
        self._prefix = site.route_prefix
        self._origin = site.origin

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on without the prefix; outside of it nothing is found."""
        path: str = scope["path"]
        if self._prefix and path in ("/", self._prefix):
            await RedirectResponse(f"{self._prefix}/", 302)(scope, receive, send)
            return
        inside = path.startswith(f"{self._prefix}/")
        below = path[len(self._prefix) :] if inside else ""
        await self._app({**scope, "path": below, ORIGIN: self._origin}, receive, send)


def _split(url: str) -> tuple[str | None, str]:
    """Origin, None for a path alone, and path without a slash at its end."""
    if url.startswith("/"):
        return None, _path(EXTERNAL_URL_FLAG, url)
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise _problem(EXTERNAL_URL_FLAG, url, "is no URL", _EXAMPLE) from None
    if parts.scheme not in ("http", "https") or not _HOST.fullmatch(parts.netloc) or port == 0:
        raise _problem(EXTERNAL_URL_FLAG, url, "is no URL of a web page", _EXAMPLE)
    if parts.query or parts.fragment or url.endswith(("?", "#")):
        raise _problem(EXTERNAL_URL_FLAG, url, "has a part after ? or #", "leave it out")
    usual = {"http": 80, "https": 443}[parts.scheme]
    host = parts.netloc.lower().removesuffix(f":{usual}")
    return f"{parts.scheme}://{host}", _path(EXTERNAL_URL_FLAG, parts.path, url)


def _prefix(text: str) -> str:
    return _path(ROUTE_PREFIX_FLAG, f"/{text.strip('/')}", text)


def _path(flag: str, path: str, given: str | None = None) -> str:
    path = path.rstrip("/")
    if not _PATH.fullmatch(path):
        fix = "use letters, digits, and . _ ~ - in each part of it, such as /drift"
        raise _problem(flag, path if given is None else given, "has a path that cannot be served", fix)
    return path


def _problem(flag: str, text: str, what: str, fix: str) -> UsageError:
    return UsageError(Problem(f"{flag} {text!r}", what, fix))
