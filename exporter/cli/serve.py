"""serve: the daemon."""

from __future__ import annotations

import asyncio
import socket
from contextlib import closing
from pathlib import Path

import click

from exporter.cli import options
from exporter.clock import SystemClock
from exporter.daemon.live import LiveConfig, load_live
from exporter.daemon.logs import LEVELS, LogFormat, set_up_logs
from exporter.daemon.service import Service
from exporter.daemon.serving import serve as serve_service
from exporter.metrics import Tallies
from exporter.store import Store, open_store
from exporter.web.address import parse_listen_address
from exporter.web.server import open_listener


@click.command()
@options.config_file
@click.option(
    "--web.listen-address", "address", default=":10201", show_default=True, metavar="HOST:PORT", help="Address of /metrics and the page."
)
@click.option("--web.enable-lifecycle", "lifecycle", is_flag=True, help="Allow POST /-/reload.")
@click.option("--log.level", "level", type=click.Choice(LEVELS), default="info", show_default=True, help="Least level that is logged.")
@click.option(
    "--log.format", "log_format", type=click.Choice(("logfmt", "json")), default="logfmt", show_default=True, help="Form of log lines."
)
def serve(config_file: Path, address: str, lifecycle: bool, level: str, log_format: LogFormat) -> None:
    """Run the daemon.

    It checks every target on its schedule and serves the results on /metrics. SIGHUP reads the config again, SIGTERM stops.
    """
    listen_address = parse_listen_address(address)
    live = load_live(config_file)
    tallies = Tallies()
    set_up_logs(level, log_format, tallies)
    # The port comes before the store: a second daemon started by mistake changes nothing.
    listener, _ = open_listener(listen_address)
    with closing(listener), closing(open_store(live.config.storage)) as store:
        asyncio.run(_run(config_file, live, store, listener, tallies, lifecycle=lifecycle))


async def _run(config_file: Path, live: LiveConfig, store: Store, listener: socket.socket, tallies: Tallies, *, lifecycle: bool) -> None:
    stop = asyncio.Event()
    service = Service(config_file, live, store, SystemClock(), tallies=tallies, lifecycle=lifecycle)
    service.handle_signals(stop)
    await serve_service(service, [listener], stop)
