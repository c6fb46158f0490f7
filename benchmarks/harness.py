"""What the benchmarks share: processes of their own that end with them, what a process has used, and the line that is printed."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from statistics import median

LOOPBACK = "127.0.0.1"
TOP = Path(__file__).parents[1]
_TICKS_A_SECOND = os.sysconf("SC_CLK_TCK")


@contextlib.contextmanager
def running(arguments: Sequence[str], folder: Path, name: str) -> Iterator[subprocess.Popen[bytes]]:
    """A program that runs in `folder` and is ended when the block is left; what it says goes to `<name>.log` there."""
    with (folder / f"{name}.log").open("wb") as log:
        process = subprocess.Popen(arguments, stdout=log, stderr=subprocess.STDOUT, cwd=folder, env={**os.environ, "PYTHONPATH": str(TOP)})
        try:
            yield process
        finally:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


@contextlib.contextmanager
def running_daemon(config_file: Path, folder: Path) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """The exporter on a port of its own, as soon as the process is started; `wait_until_ready` waits for more."""
    port = free_port()
    arguments = [sys.executable, "-m", "exporter", "serve", f"--config.file={config_file}", f"--web.listen-address={LOOPBACK}:{port}"]
    with running(arguments, folder, "daemon") as process:
        yield process, port


def wait_until_ready(process: subprocess.Popen[bytes], port: int, path: str = "/-/ready", seconds: float = 120.0) -> float:
    """Wait until `path` answers 200; returns how long that took. Raises RuntimeError where it does not come to it."""
    started = time.perf_counter()
    while time.perf_counter() - started < seconds:
        if process.poll() is not None:
            raise RuntimeError(f"{process.args!r} ended with {process.returncode}")
        with contextlib.suppress(OSError, http.client.HTTPException):
            if get(port, path)[0] == 200:
                return time.perf_counter() - started
        time.sleep(0.01)
    raise RuntimeError(f"{process.args!r} was not ready within {seconds:g} s")


def get(port: int, path: str, headers: dict[str, str] | None = None) -> tuple[int, bytes]:
    """Status and body of one request on loopback, on a connection of its own."""
    connection = http.client.HTTPConnection(LOOPBACK, port, timeout=60)
    try:
        connection.request("GET", path, headers=headers or {})
        response = connection.getresponse()
        return response.status, response.read()
    finally:
        connection.close()


def free_port() -> int:
    """A port that nobody has at this moment."""
    with socket.socket() as listener:
        listener.bind((LOOPBACK, 0))
        port: int = listener.getsockname()[1]
        return port


def cpu_seconds(pid: int) -> float:
    """Processor time that a process and all its threads have used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS_A_SECOND


def memory_mb(pid: int, field: str = "VmRSS") -> float:
    """Resident memory in MB (10^6 bytes): VmRSS is that of now, VmHWM the most there ever was."""
    found = re.search(rf"^{field}:\s+(\d+) kB$", Path(f"/proc/{pid}/status").read_text(), re.MULTILINE)
    if found is None:
        raise RuntimeError(f"/proc/{pid}/status has no {field}")
    return int(found.group(1)) * 1024 / 1e6


def count_samples(exposition: bytes) -> int:
    """Sample lines of a text in either exposition format."""
    return sum(1 for line in exposition.split(b"\n") if line and not line.startswith(b"#"))


def own_cpu_seconds(work: Callable[[], object]) -> float:
    """Processor time that `work` takes in this thread."""
    started = time.thread_time()
    work()
    return time.thread_time() - started


def loop() -> None:
    """A fixed piece of plain Python that times are held against."""
    total = 0
    for number in range(100_000):
        total += number * number % 7


def middle(values: Iterable[float], digits: int = 2) -> float:
    """The median, rounded."""
    return round(median(values), digits)


@contextlib.contextmanager
def scratch() -> Iterator[Path]:
    """A folder that is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="model-drift-benchmark-") as folder:
        yield Path(folder)


def tell(benchmark: str, figures: dict[str, object]) -> None:
    """Print the line. `load` is how many processes wanted a core lately, those of others included."""
    print(json.dumps({"benchmark": benchmark, "load": round(os.getloadavg()[0], 2), **figures}))
