"""Headers that every response carries, and who may send a request that changes something."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from hashlib import sha256

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send


def security_headers(style: str, *, forms: bool = False) -> Mapping[str, str]:
    """Headers under which a browser runs nothing, loads nothing, and applies only the style sheet `style`.

    `forms`: pages may post to this server. They name themselves to it as where a post comes from (Referrer-Policy), to no other.
    """
    style_hash = b64encode(sha256(style.encode()).digest()).decode()
    return {
        "Content-Security-Policy": (
            f"default-src 'none'; style-src 'sha256-{style_hash}'; img-src data:; base-uri 'none'; "
            f"form-action '{'self' if forms else 'none'}'; frame-ancestors 'none'"
        ),
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "DENY",
        "Referrer-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Cache-Control": "no-store",
    }


class SecurityHeaders:
    """Middleware that adds `headers` to every response, but for those that it has already."""

    def __init__(self, app: ASGIApp, headers: Mapping[str, str]) -> None:
        self._app = app
        self._headers = headers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on."""

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in self._headers.items():
                    headers.setdefault(name, value)
            await send(message)

        await self._app(scope, receive, send_with_headers)


def comes_from_elsewhere(request: Request) -> bool:
    """True where a browser sends this for a page of another site, which no operator asked for.

    What a browser says of it counts (Sec-Fetch-Site, which no page can set); older ones, and those that reach this server
    without TLS, name only the page's origin. What is no browser says neither.
    """
    site = request.headers.get("sec-fetch-site")
    if site is not None:
        return site not in ("same-origin", "none")
    origin = request.headers.get("origin")
    return origin is not None and origin.partition("://")[2] != request.headers.get("host") and origin != request.scope.get(ORIGIN)


ORIGIN = "exporter.origin"
"""Where in the scope of a request the origin of --web.external-url stands, if there is one."""

USER = "exporter.user"
"""Where in the scope of a request the name stands that somebody signed in with."""


def asked_by(request: Request) -> str:
    """Who sends a request, for the log: the address of the other end of the connection, and the name if there is one."""
    address = "an unknown address" if request.client is None else request.client.host
    name = request.scope.get(USER)
    return address if name is None else f"{name} at {address}"
