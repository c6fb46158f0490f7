from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
import trustme

from exporter.errors import StoreUnreachableError
from exporter.store import open_store
from tests.store.conftest import PostgresBackend


@pytest.fixture
def encrypted(backend: PostgresBackend, tmp_path: Path) -> Iterator[Path]:
    """The server speaks TLS; the certificate of who vouches for it, and beside it `other.pem` of who does not."""
    authority = trustme.CA()
    data = backend.server.folder / "data"
    certificate = authority.issue_cert("127.0.0.1")
    certificate.cert_chain_pems[0].write_to_path(data / "server.crt")
    certificate.private_key_pem.write_to_path(data / "server.key")
    owner = data.stat()
    for name in ("server.crt", "server.key"):
        (data / name).chmod(0o600)
        os.chown(data / name, owner.st_uid, owner.st_gid)
    authority.cert_pem.write_to_path(tmp_path / "ca.pem")
    trustme.CA().cert_pem.write_to_path(tmp_path / "other.pem")
    with backend.server.connect() as admin:
        admin.execute("ALTER SYSTEM SET ssl = on")
        admin.execute("SELECT pg_reload_conf()")
        while admin.execute("SHOW ssl").fetchone() != ("on",):
            continue
        yield tmp_path / "ca.pem"
        admin.execute("ALTER SYSTEM RESET ssl")
        admin.execute("SELECT pg_reload_conf()")


def test_a_server_is_trusted_for_its_certificate(backend: PostgresBackend, encrypted: Path) -> None:
    store = open_store(f"{backend.url}?sslmode=verify-full&sslrootcert={encrypted}")
    with store._database.read() as connection:
        assert connection.exec_driver_sql("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()").scalar_one() is True
    store.close()


def test_a_server_that_nobody_vouches_for_is_not_spoken_to(backend: PostgresBackend, encrypted: Path) -> None:
    with pytest.raises(StoreUnreachableError) as refused:
        open_store(f"{backend.url}?sslmode=verify-full&sslrootcert={encrypted.parent / 'other.pem'}")
    assert "cannot be reached: certificate verify failed; check host, port and TLS" in str(refused.value)
