from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from exporter.store import open_store
from tests.store.facts import DAY_SECONDS, NOW, do_check

PAGE = (Path(__file__).parents[2] / "docs" / "storage.md").read_text(encoding="utf-8")
(RESCUE,) = re.findall(r"```sh\n((?:(?!```).)*damaged\.db.*?)```", PAGE, re.DOTALL)


@pytest.mark.skipif(shutil.which("sqlite3") is None, reason="needs the program sqlite3")
def test_what_can_be_read_of_a_damaged_store_is_rescued_as_the_page_says(tmp_path: Path, fresh_file: Path) -> None:
    """Three pages in the middle of the file are gone."""
    path = tmp_path / "damaged.db"
    shutil.copy(fresh_file, path)
    store = open_store(f"sqlite:///{path}")
    for day in range(200):
        with store.batch():
            do_check(store, due_at=NOW + day * DAY_SECONDS)
    store.close()
    content = bytearray(path.read_bytes())
    middle = len(content) // 8192 * 4096
    content[middle : middle + 3 * 4096] = bytes(3 * 4096)
    path.write_bytes(bytes(content))
    subprocess.run(["sh", "-c", RESCUE], cwd=tmp_path, check=False, capture_output=True)
    rescued = open_store(f"sqlite:///{tmp_path}/rescued.db")
    assert len(rescued.checks("bot", 1000)) == 200
    assert 150 < sum(check.verdict is not None for check in rescued.history("bot")) < 200
    assert rescued.verify() != ()
    do_check(rescued, due_at=NOW + 300 * DAY_SECONDS)
    rescued.close()
    assert path.read_bytes() == bytes(content)
