"""The routes. Paths are exact: nothing redirects, and what is not listed here is not found."""

from __future__ import annotations

from starlette.applications import Starlette
from starlette.convertors import Convertor, register_url_convertor
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from exporter.web.api import Api
from exporter.web.door import Door, Doorkeeper
from exporter.web.operations import Operations
from exporter.web.pages import STYLE, Pages
from exporter.web.scrape import Scrape
from exporter.web.security import SecurityHeaders, security_headers
from exporter.web.site import OnSite, Site
from exporter.web.state import State


class _AnyText(Convertor[str]):
    """The rest of a path: a target's name may have any character in it."""

    regex = r"[\s\S]+"

    def convert(self, value: str) -> str:
        return value

    def to_string(self, value: str) -> str:
        return value


register_url_convertor("target_name", _AnyText())


def create_app(state: State, site: Site | None = None, door: Door | None = None) -> ASGIApp:
    """The whole of HTTP, for whoever serves it. Sets nothing going and reads nothing until it is asked.

    It stands open, at the top of its host, unless told otherwise.
    """
    site = site or Site()
    operations, scrape = Operations(state), Scrape(state)
    pages, api = Pages(state, site.links), Api(state, site.links)

    async def explain(_request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)  # noqa: S101  # registered for these alone
        word = {404: f"not found; {site.links.home} lists what there is", 405: "method not allowed"}.get(error.status_code, error.detail)
        return PlainTextResponse(f"{word}\n", error.status_code, headers=error.headers)

    async def apologise(_request: Request, _error: Exception) -> Response:
        return PlainTextResponse("internal error; the log has it\n", 500)

    app = Starlette(
        routes=[
            Route("/metrics", scrape.metrics),
            Route("/-/healthy", operations.healthy),
            Route("/-/ready", operations.ready),
            Route("/-/reload", operations.reload, methods=["POST"]),
            Route("/config", operations.config),
            Route("/api/{path:target_name}", api),
            Route("/targets/{name:target_name}", pages.target, methods=["GET", "POST"] if state.lifecycle else ["GET"]),
            Route("/", pages.status),
        ],
        exception_handlers={HTTPException: explain, Exception: apologise},
    )
    app.router.redirect_slashes = False
    return SecurityHeaders(Doorkeeper(OnSite(app, site), door or Door()), security_headers(STYLE, forms=state.lifecycle))
