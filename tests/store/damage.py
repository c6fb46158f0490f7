"""Ways to break a store. Each leaves behind what a person may find one morning."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

NOBODY = 65534


def be_text(path: Path) -> None:
    path.write_text("storage: this is a config file, not a database\n" * 40)


def be_cut_off(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:8192])


def be_scribbled_over(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[4096:] = b"\xa5" * len(content[4096:])
    path.write_bytes(bytes(content))


def be_another_programs(path: Path) -> None:
    path.unlink()
    with closing(sqlite3.connect(path)) as other, other:
        other.execute("CREATE TABLE alembic_version (version_num TEXT)")
        other.execute("INSERT INTO alembic_version VALUES ('0001')")


def be_newer(path: Path) -> None:
    with closing(sqlite3.connect(path)) as future, future:
        future.execute("UPDATE model_drift_schema SET version_num = '0999'")


def be_without_an_index(path: Path) -> None:
    """An index whose page is an empty one (type 10, no cells): it knows of none of its table's rows."""
    with closing(sqlite3.connect(path)) as connection:
        (page,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'ix_checks_target_id'").fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    content = bytearray(path.read_bytes())
    content[(page - 1) * size : page * size] = bytes([10, 0, 0, 0, 0, size >> 8, size & 255, 0]) + bytes(size - 8)
    path.write_bytes(bytes(content))


def be_a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def be_empty(path: Path) -> None:
    path.write_bytes(b"")


def be_gone(path: Path) -> None:
    path.unlink()


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """Somebody else is in the middle of writing."""
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


@contextlib.contextmanager
def unprivileged() -> Iterator[None]:
    """Root may write anywhere: for the length of this be somebody who may not."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)
