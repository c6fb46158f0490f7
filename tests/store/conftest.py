from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from exporter.store import Store, open_store

pytest.register_assert_rewrite("tests.store.facts")


class SqliteBackend:
    """A store file that can be opened any number of times."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def url(self) -> str:
        return f"sqlite:///{self.path}"

    def open(self, *, busy_timeout_seconds: float = 5.0) -> Store:
        return open_store(self.url, busy_timeout_seconds=busy_timeout_seconds)


@pytest.fixture(scope="session")
def fresh_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated, empty store, to be copied: migrating is the slow part of making one."""
    path = tmp_path_factory.mktemp("fresh") / "history.db"
    open_store(f"sqlite:///{path}").close()
    return path


@pytest.fixture(scope="session")
def fast_folder() -> Iterator[Path]:
    """A folder in memory where there is one: what these tests count on survives a kill, not a power cut."""
    memory = Path("/dev/shm")  # noqa: S108 - the folder made in it has a name nobody can guess
    folder = Path(tempfile.mkdtemp(dir=memory if memory.is_dir() else None))
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def backend(fresh_file: Path, fast_folder: Path) -> Iterator[SqliteBackend]:
    folder = Path(tempfile.mkdtemp(dir=fast_folder))
    shutil.copy(fresh_file, folder)
    yield SqliteBackend(folder / fresh_file.name)
    shutil.rmtree(folder)


@pytest.fixture
def store(backend: SqliteBackend) -> Iterator[Store]:
    opened = backend.open()
    yield opened
    opened.close()
