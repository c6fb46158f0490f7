"""The service behind its HTTP server, from start to stop."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Sequence

from exporter.daemon.service import Service
from exporter.web.app import create_app
from exporter.web.server import serve_app


async def serve(service: Service, listeners: Sequence[socket.socket], stop: asyncio.Event) -> None:
    """Answer HTTP at once (ready once the last values are restored) and run the service until `stop` is set.

    Raises what ends either of them.
    """
    closing = asyncio.Event()
    web = asyncio.create_task(serve_app(create_app(service), listeners, stop=closing))
    running = asyncio.create_task(service.run(stop))
    try:
        done, _ = await asyncio.wait((web, running), return_when=asyncio.FIRST_COMPLETED)
        stop.set()
        await running
    finally:
        closing.set()
        await web
    for task in done:
        task.result()
