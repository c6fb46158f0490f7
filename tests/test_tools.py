from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.tools import REQUIRE_TOOLS, require_tool


def test_a_tool_on_path_is_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "promtool").symlink_to(sys.executable)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert require_tool("promtool") == str(tmp_path / "promtool")


def test_a_missing_tool_skips_the_test(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv(REQUIRE_TOOLS, raising=False)
    with pytest.raises(pytest.skip.Exception, match="promtool is not on PATH; install it to run this test"):
        require_tool("promtool")


def test_a_missing_tool_fails_the_test_where_tools_were_promised(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv(REQUIRE_TOOLS, "1")
    with pytest.raises(pytest.fail.Exception, match="promtool is not on PATH, and MODEL_DRIFT_REQUIRE_TOOLS=1 says that it has to be"):
        require_tool("promtool")
