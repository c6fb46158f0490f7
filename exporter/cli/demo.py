"""demo: a pretended provider and the daemon that watches it, in one process."""

from __future__ import annotations

import asyncio
import shutil
import socket
import tempfile
from contextlib import closing
from pathlib import Path

import click

from exporter.cli.render import print_line
from exporter.clock import SystemClock
from exporter.daemon.logs import set_up_logs
from exporter.daemon.service import Service
from exporter.daemon.serving import serve as serve_service
from exporter.demo.behaviour import Behaviour, changed
from exporter.demo.mock import running_mock
from exporter.demo.scenario import MODELS, STEPS, SUITE, follow, load_trusting, play, write_config
from exporter.metrics import Tallies
from exporter.store import open_store
from exporter.suites import load_suites
from exporter.web.address import parse_listen_address
from exporter.web.server import open_listener


@click.command()
@click.option(
    "--web.listen-address", "address", default=":10201", show_default=True, metavar="HOST:PORT", help="Address of /metrics and the page."
)
def demo(address: str) -> None:
    """Show a drift within two minutes.

    A pretended provider serves four models on this machine; the daemon watches them, and what happens is told step by step. Nothing is
    asked of anybody else, and the history is thrown away at the end.
    """
    listen_address = parse_listen_address(address)
    tallies = Tallies()
    set_up_logs("error", "logfmt", tallies)
    listener, bound = open_listener(listen_address)
    folder = Path(tempfile.mkdtemp(prefix="model-drift-demo-"))
    try:
        with closing(listener):
            asyncio.run(_run(folder, listener, f"http://localhost:{bound.port}", tallies))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print_line("The demo is over; its history was thrown away.")


async def _run(folder: Path, listener: socket.socket, url: str, tallies: Tallies) -> None:
    clock = SystemClock()
    models = {name: changed(Behaviour(latency_seconds=0.05), fields, name)[0] for name, fields in MODELS.items()}
    async with running_mock(load_suites([SUITE], folder), models, seed=1, clock=clock) as mock:
        config_file = folder / "config.yml"
        config_file.write_text(write_config(mock.base_url, folder / "history.db"))
        live = load_trusting(config_file)
        with closing(open_store(live.config.storage)) as store:
            service = Service(config_file, live, store, clock, tallies=tallies, lifecycle=True, load=load_trusting)
            stop = asyncio.Event()
            service.handle_signals(stop)
            for line in _where_to_look(url, config_file, mock.url):
                print_line(line)
            telling = (
                asyncio.create_task(play(STEPS, mock.state, service.view, clock, _tell_step)),
                asyncio.create_task(follow(service.view, clock, _tell)),
            )
            try:
                await serve_service(service, [listener], stop)
            finally:
                for task in telling:
                    task.cancel()
                await asyncio.gather(*telling, return_exceptions=True)


def _where_to_look(url: str, config_file: Path, mock_url: str) -> tuple[str, ...]:
    return (
        f"status page    {url}/",
        f"metrics        curl -s {url}/metrics | grep -E 'model_drift_(verdict|confirmed|conclusive).* 1'",
        f"one target     {url}/targets/support-bot",
        f"its config     {config_file}",
        f"the provider   {mock_url}/control",
        "",
    )


def _tell_step(seconds: float, text: str) -> None:
    print_line(f"{_time(seconds)}  {text}", style="bold")


def _tell(seconds: float, text: str) -> None:
    print_line(f"{_time(seconds)}  {text}", style="red" if "_confirmed" in text else "yellow" if "Could not measure" in text else "")


def _time(seconds: float) -> str:
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"
