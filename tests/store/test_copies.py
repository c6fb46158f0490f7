from __future__ import annotations

from pathlib import Path

from exporter.records import CheckKind
from exporter.store import open_store


def test_a_copy_has_everything_and_is_a_store_of_its_own(tmp_path: Path) -> None:
    original = open_store(f"sqlite:///{tmp_path}/history.db")
    original.claim_check("bot", CheckKind.MANUAL, 1.0, 1.0)
    original.copy_to(tmp_path / "copy.db")
    copy = open_store(f"sqlite:///{tmp_path}/copy.db")
    copy.claim_check("bot", CheckKind.MANUAL, 2.0, 2.0)
    assert [check.due_at for check in copy.checks("bot", 10)] == [2.0, 1.0]
    assert [check.due_at for check in original.checks("bot", 10)] == [1.0]
    copy.close()
    original.close()


def test_a_store_that_may_only_be_read_can_be_copied_while_another_program_has_it_open(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/history.db"
    writer, reader = open_store(url), open_store(url, read_only=True)
    writer.claim_check("bot", CheckKind.MANUAL, 1.0, 1.0)
    reader.copy_to(tmp_path / "copy.db")
    copy = open_store(f"sqlite:///{tmp_path}/copy.db", read_only=True)
    assert copy.targets() == ["bot"]
    for store in (copy, reader, writer):
        store.close()
