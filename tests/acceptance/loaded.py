"""A history that was exported and loaded into a real Prometheus."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.acceptance.monitoring import is_ready
from tests.acceptance.programs import EXPORTER, PYTHON_PATH, Program, wait_until
from tests.ports import free_port
from tests.tools import require_tool


def load_history(folder: Path, *flags: str) -> None:
    """Export the history of the config in `folder`, and load it month by month."""
    with Program(folder, *EXPORTER, "export", *flags, "--out", "months", environment=PYTHON_PATH) as exporting:
        assert exporting.wait(180) == 0, exporting.said()
    for month in sorted(folder.glob("months/*.om")):
        load_samples(folder, month)
        month.unlink()


def load_samples(folder: Path, file: Path) -> None:
    """Load OpenMetrics text with times."""
    load = (require_tool("promtool"), "tsdb", "create-blocks-from", "openmetrics", "--max-block-duration=744h", str(file), "blocks")
    done = subprocess.run(load, cwd=folder, capture_output=True, text=True, timeout=180, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@contextmanager
def loaded_prometheus(folder: Path) -> Iterator[str]:
    """The URL of a Prometheus over what was loaded in `folder`, for as long as the block lasts."""
    program, port = require_tool("prometheus"), free_port()
    (folder / "prometheus.yml").write_text("{}")
    flags = ("--config.file=prometheus.yml", "--storage.tsdb.path=blocks", "--storage.tsdb.retention.time=100y")
    url = f"http://127.0.0.1:{port}"
    with Program(folder, program, *flags, f"--web.listen-address=127.0.0.1:{port}") as running:
        wait_until(lambda: not running.is_running or is_ready(url), 60, "Prometheus is ready")
        assert running.is_running, running.said()
        yield url
