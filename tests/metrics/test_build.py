from __future__ import annotations

import platform
from pathlib import Path

import pytest

import exporter
from exporter.metrics import build


def test_a_source_tree_has_no_revision() -> None:
    assert build.read_build() == build.Build(exporter.__version__, "unknown", platform.python_version())


def test_a_release_build_names_its_revision(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "revision.txt").write_text("0123abc\n")
    monkeypatch.setattr(build.resources, "files", lambda _package: tmp_path)
    assert build.read_build().revision == "0123abc"
