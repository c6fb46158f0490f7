"""A PostgreSQL in the config: its URL without a password, and the file that holds it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from exporter.config import Config, load_config, read_storage_password, shown_config
from exporter.errors import ConfigError

TEXT = """
storage: {url}
storage_password_file: secrets/password
targets:
  - {{name: bot, api: ollama, model: m, price: unknown}}
"""
URLS = [
    "postgresql+psycopg://drift@db.example:5432/history",
    "postgresql://drift@db/history?sslmode=verify-full&sslrootcert=/etc/ssl/ca.pem",
    "postgresql:///history?host=/run/postgresql",
    "postgresql://drift@/history?host=/tmp/a:b",
    "postgresql://drift@/history?host=one:5432&host=two:5432&target_session_attrs=read-write",
]
BAD_FILES = [
    (b"", "the file is empty; write the password into it"),
    (b"\n", "the file is empty; write the password into it"),
    (b"one\ntwo\n", "the file holds more than one line, or a control character; leave only the password in it"),
    (b"\xff\xfe", "the file is not UTF-8 text; leave only the password in it"),
]


def config_with(tmp_path: Path, password: bytes, url: str = URLS[0]) -> Config:
    (tmp_path / "secrets").mkdir()
    (tmp_path / "secrets" / "password").write_bytes(password)
    (tmp_path / "config.yml").write_text(TEXT.format(url=url))
    return load_config(tmp_path / "config.yml")


@pytest.mark.parametrize("url", URLS)
def test_a_url_without_a_password_is_taken_as_it_stands(tmp_path: Path, url: str) -> None:
    assert config_with(tmp_path, b"p", url).storage == url


def test_the_password_is_read_anew_at_each_call_and_shown_nowhere(tmp_path: Path) -> None:
    config = config_with(tmp_path, "pass wörd\n".encode())
    assert read_storage_password(config) == "pass wörd"
    (tmp_path / "secrets" / "password").write_text("another")
    assert read_storage_password(config) == "another"
    assert "another" not in shown_config(config)
    assert f"storage_password_file: {tmp_path}/secrets/password" in shown_config(config)


@pytest.mark.parametrize(("content", "message"), BAD_FILES)
def test_a_file_that_holds_no_password_is_told(tmp_path: Path, content: bytes, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        config_with(tmp_path, content)
    assert str(caught.value) == f"{tmp_path}/config.yml:3: storage_password_file: {message}"


def test_a_file_that_is_gone_by_now_is_told_where_it_is_named(tmp_path: Path) -> None:
    config = config_with(tmp_path, b"p")
    (tmp_path / "secrets" / "password").unlink()
    with pytest.raises(ConfigError) as caught:
        read_storage_password(config)
    where = f"{tmp_path}/config.yml:3: storage_password_file"
    assert str(caught.value) == f"{where}: no such file; a relative path starts at the folder of the config file"


def test_without_a_file_there_is_no_password() -> None:
    assert read_storage_password(Config()) is None


def test_without_the_extra_the_config_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(ConfigError) as caught:
        config_with(tmp_path, b"p")
    assert str(caught.value) == f"{tmp_path}/config.yml:2: storage: needs psycopg; pip install 'model-drift-exporter[postgres]'"
