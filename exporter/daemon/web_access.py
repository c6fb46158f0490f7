"""The web config file, read again while it is in use: a certificate is renewed and a user added without a restart."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path

import structlog

from exporter.clock import Clock
from exporter.config import WebConfig, WebConfigReader
from exporter.daemon.last_load import LastLoad
from exporter.errors import ConfigError
from exporter.web.door import Door

POLL_SECONDS = 3.0
"""How often the file and what it names are read. What is new is used once it is the same twice: it may be half written."""


@dataclass(frozen=True, slots=True)
class WebConfigFile:
    """The file, what it said at the start, and how it went when it was last read again."""

    path: Path
    at_start: WebConfig
    last_load: LastLoad


async def watch_web_config(file: WebConfigFile, door: Door, clock: Clock) -> None:
    """Have the door adopt what the file says, whenever that changes; how that went is noted in its `last_load`.

    A file with mistakes is told once, and the old one stays in use.
    """
    log = structlog.get_logger()
    path, last = file.path, file.last_load
    reader = WebConfigReader(path)
    _warn(file.at_start)
    used: bytes | str = file.at_start.digest
    seen = told = used
    while True:
        await clock.sleep(POLL_SECONDS)
        found = await asyncio.to_thread(_read, reader)
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
                last.fail(found)
                log.error("the web config was not reloaded; the old one stays in use", file=str(path), error=found)
        elif state == used:
            told = used
            if not last.is_successful:
                last.succeed()
        seen = state


def _warn(config: WebConfig) -> None:
    for warning in config.warnings:
        structlog.get_logger().warning("the web config is used, but", warning=warning)


def _read(reader: WebConfigReader) -> WebConfig | str:
    """What the file says, or what is wrong with it."""
    try:
        return reader.read()
    except ConfigError as error:
        return str(error)
    except Exception as error:  # the watch must outlive what nobody foresaw, or a certificate would run out unnoticed
        return repr(error)
