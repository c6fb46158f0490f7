from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from exporter.metrics import FAMILIES
from tests.metrics.docs_table import DOCS, replace_made
from tests.tools import require_tool

NAME = re.compile(r"\bmodel_drift_[a-z_]+")
QUERY_BLOCK = re.compile(r"```promql\n(.*?)```", re.DOTALL)


def queries() -> list[str]:
    return [line for block in QUERY_BLOCK.findall(DOCS.read_text(encoding="utf-8")) for line in block.splitlines()]


def test_the_tables_are_those_of_the_catalogue() -> None:
    text = DOCS.read_text(encoding="utf-8")
    assert text == replace_made(text), "run: python -m tests.metrics.docs_table"


def test_a_document_without_the_marks_is_refused() -> None:
    with pytest.raises(ValueError, match=r"metrics\.md needs the lines"):
        replace_made("# Metrics\n")


def test_the_document_names_no_series_that_does_not_exist() -> None:
    known = {name for family in FAMILIES for name in (family.name, *family.series_names)}
    assert set(NAME.findall(DOCS.read_text(encoding="utf-8"))) <= known


def test_every_query_is_one_that_prometheus_understands(tmp_path: Path) -> None:
    promtool = require_tool("promtool")
    rules = ["groups:", "- name: docs", "  rules:"]
    for number, query in enumerate(queries()):
        rules += [f"  - record: docs:query_{number}", f"    expr: {query!r}" if "'" not in query else f'    expr: "{query}"']
    (tmp_path / "rules.yml").write_text("\n".join(rules))
    done = subprocess.run([promtool, "check", "rules", "rules.yml"], cwd=tmp_path, capture_output=True, text=True, timeout=30, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert f"{len(queries())} rules found" in done.stdout
    assert len(queries()) > 15
