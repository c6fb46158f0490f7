"""What is running: version, source revision, Python."""

from __future__ import annotations

import platform
from dataclasses import dataclass
from importlib import resources

import exporter

REVISION_FILE = "revision.txt"
"""Package data that a release build writes into the top package; a source tree has none."""


@dataclass(frozen=True, slots=True)
class Build:
    """The running program. `revision` is "unknown" where the build did not record one."""

    version: str
    revision: str
    python_version: str


def read_build() -> Build:
    """Read it from the package. Does not run git, nor read anything outside the package."""
    try:
        revision = resources.files(exporter).joinpath(REVISION_FILE).read_text(encoding="utf-8").strip()
    except OSError:
        revision = ""
    return Build(exporter.__version__, revision or "unknown", platform.python_version())
