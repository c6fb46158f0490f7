"""The log, where it cannot be written: what is logged never ends what goes on."""

from __future__ import annotations

import contextlib
import io
import logging
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TextIO

import pytest
import structlog

from exporter.daemon.logs import set_up_logs
from exporter.metrics import Tallies


@pytest.fixture(autouse=True)
def logs_as_before() -> Iterator[None]:
    root = logging.getLogger()
    level, handlers = root.level, list(root.handlers)
    yield
    structlog.reset_defaults()
    logging.getLogger("uvicorn.error").setLevel(logging.NOTSET)
    root.setLevel(level)
    root.handlers[:] = handlers


def closed() -> TextIO:
    stream = io.StringIO()
    stream.close()
    return stream


def full() -> TextIO:
    return Path("/dev/full").open("w", encoding="utf-8", buffering=1)


@pytest.mark.parametrize("make_stream", [closed, full])
def test_a_line_that_cannot_be_written_is_lost_and_counted(make_stream: Callable[[], TextIO], monkeypatch: pytest.MonkeyPatch) -> None:
    tallies, stream = Tallies(), make_stream()
    monkeypatch.setattr("sys.stderr", stream)
    set_up_logs("info", "logfmt", tallies)
    log = structlog.get_logger()
    for tell in (log.debug, log.info, log.warning, log.warning, log.error):
        tell("nobody hears this")
    assert dict(tallies.log_messages.counts()) == {"debug": 0, "info": 1, "warning": 2, "error": 1, "critical": 0}
    with contextlib.suppress(OSError):
        stream.close()
