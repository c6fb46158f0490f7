"""A PostgreSQL server of the tests' own: made in a temporary folder, on a free port of loopback, gone afterwards."""

from __future__ import annotations

import contextlib
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from tests.ports import free_port
from tests.tools import REQUIRE_TOOLS

USER = "postgres"
"""Who the server runs as where the tests run as root, which it refuses to."""

GUARDED_USER, PASSWORD = "guarded", "an-open-secret"

_HBA = f"""host all {GUARDED_USER} 127.0.0.1/32 scram-sha-256
host all all 127.0.0.1/32 trust
host replication all 127.0.0.1/32 trust
"""
_SETTINGS = {
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",
    "fsync": "off",  # what these tests count on survives a kill, not a power cut
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "autovacuum": "off",
    "max_connections": "80",
    "shared_buffers": "32MB",
    "deadlock_timeout": "100ms",
}


def find_program(name: str) -> Path:
    """A program of the server, which Debian does not put on PATH. Without it: skip, or fail where MODEL_DRIFT_REQUIRE_TOOLS=1."""
    on_path = shutil.which(name)
    found = [Path(on_path)] if on_path else sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    if found:
        return found[-1]
    word = f"{name} is neither on PATH nor in /usr/lib/postgresql/*/bin"
    if os.environ.get(REQUIRE_TOOLS) == "1":
        pytest.fail(f"{word}, and {REQUIRE_TOOLS}=1 says that it has to be", pytrace=False)
    pytest.skip(f"{word}; install postgresql to run this test")


class PostgresServer:
    """A server with a user `postgres`, who needs no password, and a user `guarded`, who does; with `primary`, a standby that follows it."""

    def __init__(self, folder: Path, primary: PostgresServer | None = None) -> None:
        self.folder = folder
        self._data = folder / "data"
        self._as_user: dict[str, Any] = {}
        if os.geteuid() == 0:
            account = pwd.getpwnam(USER)
            os.chown(folder, account.pw_uid, account.pw_gid)
            self._as_user = {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}
        self.port = free_port()
        self._process: subprocess.Popen[bytes] | None = None
        if primary is not None:
            self._run("pg_basebackup", "-D", str(self._data), "-d", primary.dsn, "-R", "-X", "stream", "-c", "fast", "--no-sync")
            self.start()
            return
        self._run("initdb", "-D", str(self._data), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync", "-N")
        (self._data / "pg_hba.conf").write_text(_HBA)
        self.start()
        with self.connect() as connection:
            connection.execute(f"CREATE ROLE {GUARDED_USER} LOGIN PASSWORD '{PASSWORD}'")

    @property
    def dsn(self) -> str:
        """How PostgreSQL's own programs reach it."""
        return f"host=127.0.0.1 port={self.port} user=postgres"

    def url(self, database: str, user: str = "postgres") -> str:
        return f"postgresql+psycopg://{user}@127.0.0.1:{self.port}/{database}"

    def connect(self, database: str = "postgres") -> psycopg.Connection[Any]:
        return psycopg.connect(host="127.0.0.1", port=self.port, user="postgres", dbname=database, autocommit=True)

    def make_database(self, name: str, template: str = "template0") -> str:
        """A new database, one of this name dropped before; its URL."""
        with self.connect() as connection:
            connection.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
            connection.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
        return self.url(name)

    def start(self) -> None:
        """Start, and return when connections are taken."""
        settings = [part for name, value in {**_SETTINGS, "port": self.port}.items() for part in ("-c", f"{name}={value}")]
        with (self.folder / "server.log").open("ab") as log:
            self._process = subprocess.Popen(
                [find_program("postgres"), "-D", str(self._data), *settings], stdout=log, stderr=log, cwd="/", **self._as_user
            )
        self._run("pg_isready", "-q", "-h", "127.0.0.1", "-p", str(self.port), "-t", "30", until_ready=True)

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """Stop: SIGINT cuts every connection, SIGQUIT is a crash."""
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(timeout=60)
            self._process = None

    def _run(self, name: str, *arguments: str, until_ready: bool = False) -> None:
        command = [str(find_program(name)), *arguments]
        while True:
            done: subprocess.CompletedProcess[bytes] = subprocess.run(command, capture_output=True, check=False, cwd="/", **self._as_user)
            if done.returncode == 0:
                return
            is_starting = until_ready and self._process is not None and self._process.poll() is None
            assert is_starting, f"{name}: {done.stderr.decode()}{self._read_log()}"

    def _read_log(self) -> str:
        log = self.folder / "server.log"
        return log.read_text() if log.exists() else ""


@contextlib.contextmanager
def postgres_server(primary: PostgresServer | None = None) -> Iterator[PostgresServer]:
    """A server, or a standby of `primary`, for as long as the block lasts, its files in memory where there is some."""
    find_program("initdb")
    memory = Path("/dev/shm")  # noqa: S108 - the folder made in it has a name nobody can guess
    folder = Path(tempfile.mkdtemp(dir=memory if memory.is_dir() else None, prefix="model-drift-postgres-"))
    server = None
    try:
        server = PostgresServer(folder, primary)
        yield server
    finally:
        if server is not None:
            server.stop()
        shutil.rmtree(folder)
