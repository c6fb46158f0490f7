"""The service behind its HTTP server, from start to stop."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import socket
import sys
from collections.abc import Sequence

import structlog

from exporter.clock import Clock, SystemClock
from exporter.config import WebConfig
from exporter.daemon.service import Service
from exporter.daemon.web_access import WebConfigFile, watch_web_config
from exporter.web.app import create_app
from exporter.web.door import Door
from exporter.web.server import serve_app
from exporter.web.site import Site

_YOUNG_OBJECTS = 10_000
"""Objects made until Python looks for unused ones among them; its own 700 cost one twentieth of a busy daemon's time."""

_YOUNG_ROUNDS = 5
"""Such searches until what they left is looked through again: with Python's own 10 that takes 40 ms at a time while a crowd is due."""

_SWITCH_SECONDS = 0.001
"""How long a thread that computes keeps the event loop from going on; with Python's own 5 ms several of them add up to 100 ms."""


async def serve(
    service: Service,
    listeners: Sequence[socket.socket],
    stop: asyncio.Event,
    *,
    site: Site | None = None,
    web_config: WebConfigFile | None = None,
    clock: Clock | None = None,
) -> None:
    """Answer HTTP at once (ready once the last values are restored) and run the service until `stop` is set.

    `web_config` is read again when it changes; `service` shows how that went if it was made with its `last_load`. Raises what ends either
    the service or the server.
    """
    # Program, config, watches and what was read at the start: looked through each time, they keep the event loop waiting for a tenth of a
    # second. What of them is used no more is freed as ever, by its count; only a cycle among them that dies later is not found, and since
    # nothing is frozen after the start, no more can come of that with the years.
    gc.freeze()
    gc.set_threshold(_YOUNG_OBJECTS, _YOUNG_ROUNDS)
    sys.setswitchinterval(_SWITCH_SECONDS)
    clock = clock or SystemClock()
    closing = asyncio.Event()
    access = WebConfig() if web_config is None else web_config.at_start
    door = Door(access, clock)
    for listener in listeners:
        host, port = listener.getsockname()[:2]
        structlog.get_logger().info(
            "listening", host=host, port=port, scheme="http" if access.tls is None else "https", users=len(access.users)
        )
    web = asyncio.create_task(serve_app(create_app(service, site, door), listeners, stop=closing, door=door))
    running = asyncio.create_task(service.run(stop, gc.freeze))
    watching = None
    if web_config is not None:
        watching = asyncio.create_task(watch_web_config(web_config, door, clock))
    try:
        done, _ = await asyncio.wait((web, running), return_when=asyncio.FIRST_COMPLETED)
        stop.set()
        await running
    finally:
        closing.set()
        if watching is not None:
            watching.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await watching
        await web
    for task in done:
        task.result()
