from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from exporter.store import OPERATIONS, Store, faults
from exporter.store.sightings import ERRORS_KEPT, IDENTITIES_KEPT
from exporter.store.tables import metadata
from tests.store.conftest import SqliteBackend
from tests.store.facts import do_check

PAGE = (Path(__file__).parents[2] / "docs" / "storage.md").read_text(encoding="utf-8")
QUERIES = re.findall(r"```sql\n(.*?)```", PAGE, re.DOTALL)


def rows_after(heading: str) -> list[list[str]]:
    section = PAGE.split(heading)[1].split("\n## ")[0]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in section.splitlines() if line.startswith("| `")]


def test_every_table_is_told_of() -> None:
    assert sorted(row[0].strip("`") for row in rows_after("## What is kept")) == sorted(metadata.tables)


def test_every_operation_is_told_of() -> None:
    (line,) = [line for line in PAGE.splitlines() if line.startswith("`model_drift_store_errors_total`")]
    assert tuple(re.findall(r"`(\w+)`", line)[2:]) == OPERATIONS


def test_errors_are_quoted_as_they_are_said() -> None:
    source = "".join(path.read_text(encoding="utf-8") for path in Path(faults.__file__).parent.glob("*.py"))
    quoted = [row[0].strip("`") for row in rows_after("## Errors")]
    assert len(quoted) == 17
    assert [text for text in quoted if text not in source] == []


def test_the_lists_are_as_long_as_is_said() -> None:
    kept = {row[0].strip("`"): row[2] for row in rows_after("## What is kept")}
    assert kept["identities"] == f"the {IDENTITIES_KEPT} seen last, each target"
    assert kept["errors"] == f"the newest {ERRORS_KEPT}, each target, 90 days at the longest"


@pytest.mark.parametrize("query", QUERIES)
def test_every_query_finds_something(store: Store, backend: SqliteBackend, query: str) -> None:
    do_check(store)
    with closing(sqlite3.connect(backend.path)) as connection:
        assert connection.execute(query).fetchall() != []


def test_there_are_queries_to_try() -> None:
    assert len(QUERIES) == 3
