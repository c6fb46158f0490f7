"""The log: one line an event on stderr, as logfmt or JSON, each level counted."""

from __future__ import annotations

import contextlib
import logging
import sys
from collections.abc import MutableMapping
from typing import Any, Literal

import structlog

from exporter.metrics import Tallies

LogFormat = Literal["logfmt", "json"]
LEVELS = ("debug", "info", "warn", "error")
"""Values of --log.level, as Prometheus spells them."""


class _Lines(structlog.PrintLogger):
    """Writes lines. One that cannot be written, for want of a reader or of room, is lost: what is logged never ends what goes on."""

    def msg(self, message: str) -> None:
        """Write one."""
        with contextlib.suppress(OSError, ValueError):  # a closed stream is a ValueError
            super().msg(message)

    debug = info = warning = error = msg


def set_up_logs(level: str, log_format: LogFormat, tallies: Tallies) -> None:
    """Send every log line of the process to stderr from now on."""

    def count(_logger: Any, method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
        tallies.log_messages.count(event.get("level", method))
        return event

    renderer: Any = structlog.processors.JSONRenderer(ensure_ascii=False)
    if log_format == "logfmt":
        renderer = structlog.processors.LogfmtRenderer(key_order=["ts", "level", "msg"], drop_missing=True)
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            count,
            structlog.processors.TimeStamper(fmt="iso", utc=True, key="ts"),
            structlog.processors.EventRenamer("msg"),
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(_LEVEL_NUMBERS[level]),
        logger_factory=lambda *_: _Lines(sys.stderr),
        cache_logger_on_first_use=False,
    )
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr, format="level=%(levelname)s msg=%(message)r", force=True)
    # Its warnings are about what a client sent: whoever reaches the port could fill the log.
    logging.getLogger("uvicorn.error").setLevel(logging.ERROR)


_LEVEL_NUMBERS = {"debug": logging.DEBUG, "info": logging.INFO, "warn": logging.WARNING, "error": logging.ERROR}
