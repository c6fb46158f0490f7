"""/metrics.

It may be as large as many megabytes, so little of it lies in memory for a client that does not read: it is kept compressed,
unpacked piece by piece for whoever cannot do that, and made once for all who ask at the same time.
"""

from __future__ import annotations

import asyncio
import gzip
import zlib
from collections.abc import AsyncIterator
from dataclasses import dataclass

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from exporter.metrics import Exposition, MetricsView
from exporter.metrics.negotiation import accepts_openmetrics
from exporter.web.encoding import accepts_gzip
from exporter.web.state import State

_GZIP_LEVEL = 1
"""Label names repeat so much that higher levels save little and take several times as long."""

_GZIP_BITS = 16 + zlib.MAX_WBITS
_PACKED_PIECE_BYTES = 4096


@dataclass(frozen=True, slots=True)
class _Rendered:
    packed: bytes
    size_bytes: int
    content_type: str


class Scrape:
    """Renders and compresses in a thread, so that a large scrape does not hold up checks."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._exposition = Exposition()
        self._rendering: dict[bool, asyncio.Task[_Rendered]] = {}

    async def metrics(self, request: Request) -> Response:
        """Everything in metrics.md, in the format the scraper prefers."""
        accept = ",".join(request.headers.getlist("accept"))
        openmetrics = accepts_openmetrics(accept)
        rendering = self._rendering.get(openmetrics)
        if rendering is None:
            rendering = asyncio.create_task(run_in_threadpool(self._render, self._state.view(), accept))
            self._rendering[openmetrics] = rendering
            rendering.add_done_callback(lambda _: self._rendering.pop(openmetrics))
        rendered = await asyncio.shield(rendering)
        headers = {"Content-Type": rendered.content_type, "Vary": "Accept, Accept-Encoding"}
        if accepts_gzip(",".join(request.headers.getlist("accept-encoding"))):
            return Response(rendered.packed, headers={**headers, "Content-Encoding": "gzip"})
        return StreamingResponse(_unpack(rendered.packed), headers={**headers, "Content-Length": str(rendered.size_bytes)})

    def _render(self, view: MetricsView, accept: str) -> _Rendered:
        body, content_type = self._exposition.render(view, accept)
        return _Rendered(gzip.compress(body, _GZIP_LEVEL, mtime=0), len(body), content_type)


async def _unpack(packed: bytes) -> AsyncIterator[bytes]:
    unpacker = zlib.decompressobj(_GZIP_BITS)
    for start in range(0, len(packed), _PACKED_PIECE_BYTES):
        yield unpacker.decompress(packed[start : start + _PACKED_PIECE_BYTES])
