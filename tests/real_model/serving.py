"""A real model's server, swapped for another behind the same address."""

from __future__ import annotations

import subprocess
import threading
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType

import httpx

SERVE = Path(__file__).parents[2] / "scripts" / "real_model" / "serve.py"
NAME = "smollm2"
_TRIES, _PAUSE_SECONDS = 240, 0.25


class ModelServer:
    """Serves one model at a time under one name. The port is chosen at the first start and kept."""

    def __init__(self, paths: Mapping[str, str], log: Path) -> None:
        self._python = paths["python"]
        self._log = log.open("ab")
        self._process: subprocess.Popen[str] | None = None
        self.url = ""

    def __enter__(self) -> ModelServer:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.stop()
        self._log.close()

    def start(self, model: str) -> None:
        """Serve `model` in place of what was served; return when it answers."""
        self.stop()
        port = self.url.rpartition(":")[2] or "0"
        command = [self._python, str(SERVE), model, "--name", NAME, "--port", port]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=self._log, text=True)
        assert self._process.stdout is not None
        self.url = self._process.stdout.readline().strip() or self.url
        pause = threading.Event()
        for _ in range(_TRIES):
            if self._is_ready():
                return
            pause.wait(_PAUSE_SECONDS)
        raise AssertionError(f"the model's server is not ready after {_TRIES * _PAUSE_SECONDS:.0f} s")

    def stop(self) -> None:
        """End the server; its port is free afterwards."""
        if self._process is not None:
            self._process.terminate()
            self._process.communicate()
            self._process = None

    def _is_ready(self) -> bool:
        assert self._process is not None
        assert self._process.poll() is None, "the model's server has ended"
        try:
            return httpx.get(f"{self.url}/health", trust_env=False, timeout=60).status_code == 200
        except httpx.TransportError:
            return False
