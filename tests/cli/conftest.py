from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog

from exporter.demo.behaviour import Behaviour
from tests.cli.world import World, provider, suite_text


@pytest.fixture(autouse=True)
def logs_of_nobody() -> Iterator[None]:
    """`serve` and `demo` set up logs for the whole process, into a stream that ends with the test."""
    yield
    structlog.reset_defaults()


@pytest.fixture
def world(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "questions.yml").write_text(suite_text())
    with provider(tmp_path, {"m": Behaviour(), "other": Behaviour(), "third": Behaviour()}) as mock:
        yield World(tmp_path, capsys, mock)
