"""serve: the daemon."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path

import click

from exporter.cli import options
from exporter.cli.storage import reach_config_store
from exporter.clock import SystemClock
from exporter.config import load_web_config
from exporter.daemon.last_load import LastLoad
from exporter.daemon.live import load_live
from exporter.daemon.logs import LEVELS, LogFormat, set_up_logs
from exporter.daemon.service import Service
from exporter.daemon.serving import serve as serve_service
from exporter.daemon.web_access import WebConfigFile
from exporter.metrics import Tallies
from exporter.web.address import parse_listen_address
from exporter.web.server import open_listener
from exporter.web.site import Site, parse_site


@click.command()
@options.config_file
@click.option(
    "--web.listen-address", "address", default=":10201", show_default=True, metavar="HOST:PORT", help="Address of /metrics and the page."
)
@options.web_config_file("Web config file: TLS, client certificates, logins, headers. Without it HTTP is open and in the clear.")
@click.option("--web.external-url", "external_url", metavar="URL", help="URL under which others reach this, such as behind a proxy.")
@click.option(
    "--web.route-prefix", "route_prefix", metavar="PATH", help="Prefix of every path here. Default: the path of --web.external-url."
)
@click.option("--web.enable-lifecycle", "lifecycle", is_flag=True, help="Allow POST: reload, check now, new baseline.")
@click.option("--log.level", "level", type=click.Choice(LEVELS), default="info", show_default=True, help="Least level that is logged.")
@click.option(
    "--log.format", "log_format", type=click.Choice(("logfmt", "json")), default="logfmt", show_default=True, help="Form of log lines."
)
def serve(
    config_file: Path,
    address: str,
    web_config_file: Path | None,
    external_url: str | None,
    route_prefix: str | None,
    lifecycle: bool,
    level: str,
    log_format: LogFormat,
) -> None:
    """Run the daemon.

    It checks every target on its schedule and serves the results on /metrics. SIGHUP reads the config again, SIGTERM stops.
    """
    listen_address = parse_listen_address(address)
    site = parse_site(external_url, route_prefix)
    clock = SystemClock()
    web_config = None if web_config_file is None else WebConfigFile(web_config_file, load_web_config(web_config_file), LastLoad(clock))
    web_config_load = None if web_config is None else web_config.last_load
    live = load_live(config_file)
    tallies = Tallies()
    set_up_logs(level, log_format, tallies)
    # The port comes before the store: a second daemon started by mistake changes nothing.
    listener, _ = open_listener(listen_address)
    with closing(listener), closing(reach_config_store(live.config)) as store:
        new_service = partial(
            Service, config_file, live, store, clock, tallies=tallies, lifecycle=lifecycle, web_config_load=web_config_load
        )
        asyncio.run(_run(new_service, listener, site, web_config))


async def _run(new_service: Callable[[], Service], listener: socket.socket, site: Site, web_config: WebConfigFile | None) -> None:
    stop = asyncio.Event()
    service = new_service()
    service.handle_signals(stop)
    await serve_service(service, [listener], stop, site=site, web_config=web_config)
