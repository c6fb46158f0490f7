"""/metrics."""

from __future__ import annotations

import gzip

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from exporter.metrics import Exposition, MetricsView
from exporter.web.encoding import accepts_gzip
from exporter.web.state import State

_GZIP_LEVEL = 1
"""Label names repeat so much that higher levels save little and take several times as long."""


class Scrape:
    """Renders and compresses in a thread, so that a large scrape does not hold up checks."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._exposition = Exposition()

    async def metrics(self, request: Request) -> Response:
        """Everything in metrics.md, in the format the scraper prefers."""
        accept = ",".join(request.headers.getlist("accept"))
        compressed = accepts_gzip(",".join(request.headers.getlist("accept-encoding")))
        body, content_type = await run_in_threadpool(self._render, self._state.view(), accept, compressed=compressed)
        headers = {"Content-Type": content_type, "Vary": "Accept, Accept-Encoding"}
        if compressed:
            headers["Content-Encoding"] = "gzip"
        return Response(body, headers=headers)

    def _render(self, view: MetricsView, accept: str, *, compressed: bool) -> tuple[bytes, str]:
        body, content_type = self._exposition.render(view, accept)
        return (gzip.compress(body, _GZIP_LEVEL, mtime=0) if compressed else body), content_type
