from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from exporter.store import Store, open_store
from tests.postgres import PostgresServer

pytest.register_assert_rewrite("tests.store.facts")


class SqliteBackend:
    """A store file that can be opened any number of times."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def url(self) -> str:
        return f"sqlite:///{self.path}"

    def open(self, *, busy_timeout_seconds: float = 60.0) -> Store:
        return open_store(self.url, busy_timeout_seconds=busy_timeout_seconds)


class PostgresBackend:
    """A store on a server that can be opened any number of times."""

    def __init__(self, server: PostgresServer, url: str) -> None:
        self.server = server
        self.url = url

    def open(self, *, busy_timeout_seconds: float = 60.0) -> Store:
        return open_store(self.url, busy_timeout_seconds=busy_timeout_seconds)


AnyBackend = SqliteBackend | PostgresBackend


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


@pytest.fixture(scope="session")
def migrated_database(postgres: PostgresServer) -> str:
    """The URL of a database with our tables."""
    url = postgres.make_database("history")
    open_store(url).close()
    return url


@pytest.fixture
def sqlite_backend(fresh_file: Path, fast_folder: Path) -> Iterator[SqliteBackend]:
    folder = Path(tempfile.mkdtemp(dir=fast_folder))
    shutil.copy(fresh_file, folder)
    yield SqliteBackend(folder / fresh_file.name)
    shutil.rmtree(folder)


@pytest.fixture
def postgres_backend(postgres: PostgresServer, migrated_database: str) -> PostgresBackend:
    empty(postgres)
    return PostgresBackend(postgres, migrated_database)


@pytest.fixture
def backend(sqlite_backend: SqliteBackend) -> SqliteBackend:
    """SQLite, but in the folder `contract`."""
    return sqlite_backend


@pytest.fixture
def store(backend: AnyBackend) -> Iterator[Store]:
    opened = backend.open()
    yield opened
    opened.close()


def empty(server: PostgresServer) -> None:
    """Empty all tables but the version's; ids start at 1 again."""
    with server.connect("history") as connection:
        names = [name for (name,) in connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall()]
        connection.execute(f"TRUNCATE {', '.join(name for name in names if name != 'model_drift_schema')} RESTART IDENTITY CASCADE")
