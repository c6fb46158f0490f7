"""A backup of a store, made while others write in it: of one moment, looked at before it counts, and never over another file."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from sqlalchemy import NullPool, create_engine
from sqlalchemy.exc import SQLAlchemyError

from exporter.errors import Problem, StoreCorruptError, StoreError, StoreFullError, StoreMissingError, StoreReadOnlyError
from exporter.store.audit import recount
from exporter.store.database import Database, connect
from exporter.store.faults import explain_sqlite
from exporter.store.integrity import damages
from exporter.store.schema import current_version, newest_version
from exporter.store.sqlite import SqliteBackend

_TAKEN = "is there already, and is not replaced"
_PAGES_A_STEP = 1024
_WORDS_CHARACTERS = 120
_SIDE_FILES = ("", "-journal", "-wal", "-shm")
_OF_THE_COPY = (StoreFullError, StoreReadOnlyError)

Progress = Callable[[int, int], None]
"""Told how many pages are copied, and of how many."""


@dataclass(frozen=True, slots=True)
class Backup:
    """What was written. `problems` are in the store itself, in a file that is whole: sums that do not add up, a verdict nobody can read."""

    size_bytes: int
    problems: tuple[Problem, ...] = ()


def back_up(url: str, path: Path, *, progress: Progress = lambda done, total: None, busy_timeout_seconds: float = 5.0) -> Backup:
    """Copy the store at `url` to a new file at `path`. It may be of an older version of this program; then nothing is recounted.

    Raises StoreError where there is a file already, the copy cannot be written, or the store is damaged; then no file is left behind.
    """
    database = connect(url, read_only=True, busy_timeout_seconds=busy_timeout_seconds)
    try:
        if not isinstance(database.backend, SqliteBackend):
            what = "is on a server, which keeps its own backups"
            raise StoreError(Problem(database.where, what, "use pg_dump, or store copy to have its history in a file"))
        return _back_up(database, path, progress)
    finally:
        database.engine.dispose()


def _back_up(database: Database, path: Path, progress: Progress) -> Backup:
    where = f"backup {path}"
    if os.path.lexists(path):
        raise StoreError(Problem(where, _TAKEN, "name a new file"))
    part = path.absolute().with_name(f".{path.name}.{os.getpid()}.part")
    try:
        version = _copy(database, part, where, progress)
        problems = _look_at(part, database.where, is_newest=version == newest_version())
        return Backup(_publish(part, path.absolute()), problems)
    except FileExistsError as error:
        raise StoreError(Problem(where, _TAKEN, "name a new file")) from error
    except OSError as error:
        fix = "name a new file in a folder that can be written"
        raise StoreReadOnlyError(Problem(where, f"cannot be written: {error.strerror}", fix)) from error
    finally:
        for suffix in _SIDE_FILES:
            with suppress(OSError):
                Path(f"{part}{suffix}").unlink(missing_ok=True)


def _copy(database: Database, part: Path, where: str, progress: Progress) -> str:
    """Copy page by page within one transaction, which sees one moment, so that a writer does not make it begin again; the version."""
    os.close(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))
    with database.read() as connection:
        version = current_version(connection, database.where)
        if version is None:
            raise StoreMissingError(database.backend.missing)
        original = connection.connection.driver_connection
        assert isinstance(original, sqlite3.Connection)  # noqa: S101 - what an SqliteBackend opens
        try:
            with closing(sqlite3.connect(part)) as copy:
                original.backup(copy, pages=_PAGES_A_STEP, progress=lambda status, left, total: progress(total - left, total))
        except sqlite3.Error as error:
            failed = explain_sqlite(where, error)
            raise (failed if isinstance(failed, _OF_THE_COPY) else database.backend.explain(error)) from error
    return version


def _look_at(part: Path, store: str, *, is_newest: bool) -> tuple[Problem, ...]:
    """What does not add up in the copy. Raises StoreCorruptError where it is damaged: it has every page of the store, which is, too."""

    def open_copy() -> sqlite3.Connection:
        return sqlite3.connect(f"file:{quote(str(part))}?mode=ro&immutable=1", uri=True, check_same_thread=False)

    engine = create_engine("sqlite://", creator=open_copy, poolclass=NullPool)
    problems: tuple[Problem, ...] = ()
    try:
        with closing(open_copy()) as copy:
            found = list(damages(copy))
        if is_newest and not found:
            with engine.connect() as connection:
                problems = tuple(recount(connection, store))
    except (sqlite3.Error, SQLAlchemyError, UnicodeDecodeError) as error:
        found = [f"the file is damaged: {getattr(error, 'orig', error)}"[:_WORDS_CHARACTERS]]
    if found:
        fix = "no backup was written; restore an older one, or rescue what can be read, as docs/storage.md shows"
        raise StoreCorruptError([Problem(store, what, fix) for what in found])
    return problems


def _publish(part: Path, path: Path) -> int:
    """Give the copy its name once it is on the disk; a file that came there meanwhile stays."""
    descriptor = os.open(part, os.O_RDONLY)
    try:
        os.fsync(descriptor)
        size = os.fstat(descriptor).st_size
    finally:
        os.close(descriptor)
    try:
        os.link(part, path)
    except FileExistsError:
        raise
    except OSError:  # some file systems know no second name of a file
        os.rename(part, path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
    return size
