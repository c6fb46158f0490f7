from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from exporter.errors import (
    StoreCorruptError,
    StoreError,
    StoreMissingError,
    StoreVersionError,
)
from exporter.store import open_store
from tests.store import damage
from tests.store.conftest import SqliteBackend

URL_OF_NO_FILE = [
    ("history.db", "storage: is not a database URL; write sqlite:///data/history.db"),
    ("", "storage: is not a database URL; write sqlite:///data/history.db"),
    ("sqlite://", "storage sqlite://: names no file, and a store must outlive the program; write sqlite:///data/history.db"),
    ("sqlite:///", "storage sqlite:///: names no file, and a store must outlive the program; write sqlite:///data/history.db"),
    (
        "sqlite:///:memory:",
        "storage sqlite:///:memory:: names no file, and a store must outlive the program; write sqlite:///data/history.db",
    ),
    ("sqlite:///a.db?mode=ro", "storage sqlite:///a.db?mode=ro: parameters after ? are not supported; leave them out"),
    (
        "mysql://drift:hunter2@db/history",
        "storage mysql://drift:***@db/history: this kind of database is not supported; write sqlite:///data/history.db",
    ),
]

ANEW = "move it away to start anew"
BROKEN: list[tuple[Callable[[Path], None], bool, type[StoreError], str]] = [
    (damage.be_text, False, StoreCorruptError, "is not a database; name another file, or move this one away to start anew"),
    (damage.be_text, True, StoreCorruptError, "is not a database; name another file, or move this one away to start anew"),
    (damage.be_cut_off, False, StoreCorruptError, "is damaged; restore it from a backup, or move it away to start anew"),
    (damage.be_scribbled_over, False, StoreCorruptError, "is damaged; restore it from a backup, or move it away to start anew"),
    (damage.be_another_programs, False, StoreCorruptError, "is the database of another program; name another file"),
    (damage.be_another_programs, True, StoreCorruptError, "is the database of another program; name another file"),
    (
        damage.be_newer,
        False,
        StoreVersionError,
        "was written by a newer version of this program (schema 0999); install that version again, or name another file",
    ),
    (
        damage.be_newer,
        True,
        StoreVersionError,
        "was written by a newer version of this program (schema 0999); install that version again, or name another file",
    ),
    (damage.be_a_folder, False, StoreError, "is a folder; name a file in it"),
    (damage.be_a_folder, True, StoreError, "is a folder; name a file in it"),
    (damage.be_gone, True, StoreMissingError, "there is no such file; run serve or check first, they create it"),
    (damage.be_empty, True, StoreMissingError, "there is nothing in the file yet; run serve or check first, they fill it"),
]


@pytest.mark.parametrize(("url", "message"), URL_OF_NO_FILE)
@pytest.mark.parametrize("read_only", [False, True])
def test_a_url_that_names_no_file_is_refused(url: str, message: str, read_only: bool) -> None:
    with pytest.raises(StoreError) as refused:
        open_store(url, read_only=read_only)
    assert str(refused.value) == message


@pytest.mark.parametrize(("harm", "read_only", "kind", "message"), BROKEN)
def test_a_broken_store_is_named_and_left_as_it_is(
    backend: SqliteBackend, harm: Callable[[Path], None], read_only: bool, kind: type[StoreError], message: str
) -> None:
    harm(backend.path)
    before = _contents(backend.path)
    with pytest.raises(kind) as refused:
        open_store(backend.url, read_only=read_only)
    assert type(refused.value) is kind
    assert str(refused.value) == f"storage {backend.url}: {message}"
    assert _contents(backend.path) == before


def test_a_reader_of_a_missing_store_makes_no_folder(tmp_path: Path) -> None:
    with pytest.raises(StoreMissingError):
        open_store(f"sqlite:///{tmp_path}/data/history.db", read_only=True)
    assert list(tmp_path.iterdir()) == []


def test_a_store_that_nobody_wrote_makes_its_folders(tmp_path: Path) -> None:
    open_store(f"sqlite:///{tmp_path}/a/b #c%/history.db").close()
    assert [path.name for path in tmp_path.glob("a/*/*")] == ["history.db"]


def test_a_relative_path_is_of_the_folder_it_was_opened_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    store = open_store("sqlite:///data/history.db")
    monkeypatch.chdir("/")
    assert store.targets() == []
    store.close()
    assert (tmp_path / "data" / "history.db").is_file()


def _contents(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None
