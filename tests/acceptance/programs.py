"""Programs in processes of their own, each ended by its own id, and what can be asked of them from outside."""

from __future__ import annotations

import itertools
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

import httpx

from tests.ports import free_port

ROOT = Path(__file__).parents[2]
_PAUSE_SECONDS = 0.02
_NUMBERS = itertools.count(1)
EXPORTER = (sys.executable, "-m", "exporter")


class Program:
    """A running program, in `folder`; what it says is in a new `log` there. As a context manager it is gone afterwards."""

    def __init__(self, folder: Path, *command: str, environment: Mapping[str, str] | None = None) -> None:
        self.log = folder / f"{next(_NUMBERS)}.log"
        with self.log.open("xb") as output:
            self.process = subprocess.Popen(
                command, cwd=folder, env={**os.environ, **(environment or {})}, stdin=subprocess.DEVNULL, stdout=output, stderr=output
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.kill()

    @property
    def is_running(self) -> bool:
        """Whether it has not ended yet."""
        return self.process.poll() is None

    def kill(self) -> bool:
        """End it as kill -9 does; False where it had ended by itself."""
        was_running = self.is_running
        self.process.kill()
        return self.process.wait() == -signal.SIGKILL and was_running

    def tell(self, number: signal.Signals) -> None:
        """Send a signal."""
        self.process.send_signal(number)

    def wait(self, seconds: float = 120.0) -> int:
        """Its exit code, once it has ended by itself."""
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"it has not ended after {seconds:.0f} s: {self.said()}") from None

    def said(self) -> str:
        """All that it has said so far."""
        return self.log.read_text()


class Daemon(Program):
    """`serve` on loopback."""

    def __init__(
        self,
        config_file: Path,
        *flags: str,
        port: int | None = None,
        environment: Mapping[str, str] | None = None,
        program: Sequence[str] = EXPORTER,
    ) -> None:
        self.port = port or free_port()
        address = f"127.0.0.1:{self.port}"
        command = (*program, "serve", "--config.file", str(config_file), "--web.listen-address", address, *flags)
        super().__init__(config_file.parent, *command, environment={**PYTHON_PATH, **(environment or {})})
        self.url = f"http://{address}"

    def wait_until_ready(self) -> None:
        """Return once the last values are restored."""
        wait_until(lambda: self.status("/-/ready") == 200 or not self.is_running, 120, "the daemon is ready")
        assert self.is_running, self.said()

    def status(self, path: str) -> int:
        """The status of a GET; 0 where nobody answers."""
        try:
            return _CLIENT.get(self.url + path).status_code
        except httpx.TransportError:
            return 0

    def text(self, path: str) -> str:
        """What a GET is answered with."""
        return _CLIENT.get(self.url + path).text

    def series(self) -> dict[str, str]:
        """Every sample on /metrics by its name and labels."""
        return series_of(self.text("/metrics"))

    def reload(self) -> httpx.Response:
        """POST /-/reload."""
        return _CLIENT.post(f"{self.url}/-/reload")


PYTHON_PATH = {"PYTHONPATH": str(ROOT)}
_CLIENT = httpx.Client(trust_env=False, timeout=60, limits=httpx.Limits(max_keepalive_connections=0))


def run_check(config_file: Path) -> Program:
    """`check` of every target, under way."""
    return Program(config_file.parent, *EXPORTER, "check", "--config.file", str(config_file), environment=PYTHON_PATH)


def series_of(text: str) -> dict[str, str]:
    """The samples of an exposition."""
    return dict(line.rsplit(" ", 1) for line in text.splitlines() if line and not line.startswith("#"))


def wait_until(condition: Callable[[], bool], seconds: float, what: str, *, pause_seconds: float = _PAUSE_SECONDS) -> None:
    """Return as soon as `condition` holds; fail where it does not within `seconds`."""
    for _ in range(max(1, round(seconds / pause_seconds))):
        if condition():
            return
        pause(pause_seconds)
    raise AssertionError(f"not within {seconds:.0f} s: {what}")


def pause(seconds: float) -> None:
    """Let time pass: only to look again, or to come at a moment that nothing announces."""
    threading.Event().wait(seconds)
