"""Programs that some tests run. Where one is missing the test is skipped, or fails if the tools were promised."""

from __future__ import annotations

import os
import shutil

import pytest

REQUIRE_TOOLS = "MODEL_DRIFT_REQUIRE_TOOLS"


def require_tool(name: str) -> str:
    """The path of a program on PATH. Without it: skip, or fail where MODEL_DRIFT_REQUIRE_TOOLS=1."""
    path = shutil.which(name)
    if path is not None:
        return path
    word = f"{name} is not on PATH"
    if os.environ.get(REQUIRE_TOOLS) == "1":
        pytest.fail(f"{word}, and {REQUIRE_TOOLS}=1 says that it has to be", pytrace=False)
    pytest.skip(f"{word}; install it to run this test")
