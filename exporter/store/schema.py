"""The tables' own version: brought up to date when a store is opened, refused where it is not ours to change."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Column, Connection, MetaData, String, Table, false, inspect

from exporter.errors import Problem, StoreCorruptError, StoreMissingError, StoreVersionError
from exporter.store.database import Database
from exporter.store.locks import lock, take_time
from exporter.store.sqlite import SqliteBackend

VERSION_TABLE = "model_drift_schema"
"""Where alembic keeps the version. A name of our own: a database of another program that uses alembic is never mistaken for ours."""

_VERSIONS = Table(VERSION_TABLE, MetaData(), Column("version_num", String))
_MIGRATIONS = Path(__file__).parent / "migrations"


def migrate(database: Database) -> None:
    """Bring the tables to the newest version: all steps or none. Of several programs at once one does, the others wait for it.

    Raises StoreVersionError for a store of a newer program, StoreCorruptError for a database of another one.
    """
    with database.read("open") as connection:
        current = current_version(connection, database.where)
    if current is None and isinstance(database.backend, SqliteBackend):
        with database.guard("open"):
            database.backend.write_ahead()
    # Also with nothing to do, a write transaction: a store that cannot be written is told now, not at the first answer.
    with database.write("open") as connection:
        if current == newest_version():
            connection.execute(_VERSIONS.update().where(false()).values(version_num=""))
            return
        take_time(connection)
        lock(connection, "migration")
        if current_version(connection, database.where) != newest_version():
            config = _alembic_config()
            config.attributes["connection"] = connection
            command.upgrade(config, "head")


def require_newest(database: Database) -> None:
    """Raise StoreVersionError unless the tables are of the newest version, StoreMissingError where there are none."""
    with database.read("open") as connection:
        current = current_version(connection, database.where)
    if current is None:
        raise StoreMissingError(database.backend.missing)
    if current != newest_version():
        raise StoreVersionError(
            Problem(database.where, "was written by an older version of this program", "run serve or check once, they bring it up to date")
        )


@cache
def newest_version() -> str:
    """The revision that this program's tables are at."""
    return str(_scripts().get_current_head())


def current_version(connection: Connection, where: str) -> str | None:
    """The version that the tables are at; None where there are none yet.

    Raises StoreVersionError for a store of a newer program, StoreCorruptError for a database of another one.
    """
    context = MigrationContext.configure(connection, opts={"version_table": VERSION_TABLE})
    current = context.get_current_revision()
    if current is None and inspect(connection).get_table_names():
        raise StoreCorruptError(Problem(where, "is the database of another program", "name another file"))
    if current is not None and current not in {script.revision for script in _scripts().walk_revisions()}:
        what = f"was written by a newer version of this program (schema {current})"
        raise StoreVersionError(Problem(where, what, "install that version again, or name another file"))
    return current


def _alembic_config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    return config


@cache
def _scripts() -> ScriptDirectory:
    return ScriptDirectory.from_config(_alembic_config())
