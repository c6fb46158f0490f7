"""The web config file, read again while it is in use: a certificate is renewed and a user added without a restart."""

from __future__ import annotations

import asyncio
from pathlib import Path

import structlog

from exporter.clock import Clock
from exporter.config import WebConfig, load_web_config
from exporter.daemon.last_load import LastLoad
from exporter.errors import ConfigError
from exporter.web.door import Door

POLL_SECONDS = 3.0
"""How often the file and what it names are read. What is new is used once it is the same twice: it may be half written."""


async def watch_web_config(path: Path, in_use: WebConfig, door: Door, clock: Clock, last: LastLoad) -> None:
    """Have the door adopt what the file says, whenever that changes; how that went is noted in `last`.

    A file with mistakes is told once, and the old one stays in use.
    """
    log = structlog.get_logger()
    _warn(in_use)
    used: bytes | str = in_use.digest
    seen = told = used
    while True:
        await clock.sleep(POLL_SECONDS)
        found = await asyncio.to_thread(_read, path)
        state = found.digest if isinstance(found, WebConfig) else found
        if state == seen and state not in (used, told):
            told = state
            if isinstance(found, WebConfig):
                door.adopt(found)
                used = state
                last.succeed()
                log.info("web config reloaded", file=str(path), scheme="http" if found.tls is None else "https", users=len(found.users))
                _warn(found)
            else:
                last.fail()
                log.error("the web config was not reloaded; the old one stays in use", file=str(path), error=state)
        elif state == used:
            told = used
            if not last.is_successful:
                last.succeed()
        seen = state


def _warn(config: WebConfig) -> None:
    for warning in config.warnings:
        structlog.get_logger().warning("the web config is used, but", warning=warning)


def _read(path: Path) -> WebConfig | str:
    """What the file says, or what is wrong with it."""
    try:
        return load_web_config(path)
    except ConfigError as error:
        return str(error)
    except Exception as error:  # the watch must outlive what nobody foresaw, or a certificate would run out unnoticed
        return repr(error)
