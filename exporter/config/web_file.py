"""The web config file (--web.config.file), read with all its errors at once, its certificates and keys with it.

Unlike for the config file no default is shown anywhere, and nothing of it is: it may hold a key.
"""

from __future__ import annotations

import hashlib
import json
import ssl
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from ipaddress import ip_address
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from exporter.config.complaints import Complaints, Shape, explain, value_at
from exporter.config.load import parse_values, read_text
from exporter.config.places import KeyPath
from exporter.config.schema import Key, file_keys, inlined_schema, known_keys
from exporter.config.secrets import is_open_to_all, is_pipe, read_pem_file
from exporter.config.web_checks import cross_check_web
from exporter.config.web_model import TlsServer, WebFile
from exporter.config.web_tls import TlsFaultError, server_context
from exporter.config.words import closest, kind
from exporter.errors import ConfigError, Problem, split_told

FLAG = "--web.config.file"

_LARGEST_MIB = 1
"""The file is read every few seconds; to parse so much, where it has changed, takes about one."""

_TLS = "tls_server_config"
_PARTS = {"certificate": ("cert", "cert_file"), "key": ("key", "key_file"), "client_ca": ("client_ca", "client_ca_file")}
"""What TLS is made of: for each, the key that holds it and the key that names a file of it."""


@dataclass(frozen=True, slots=True)
class WebConfig:
    """Who may connect, how, and what every response is sent with. By default everybody, in the clear.

    `users` are bcrypt hashes by name. One more request is allowed each `rate_interval_seconds` (0: no limit), `rate_burst` at once.
    `digest` is another as soon as any byte is that it was made of; `warnings` do not keep it from being used.
    """

    tls: ssl.SSLContext | None = None
    client_allowed_sans: frozenset[str] = frozenset()
    headers: Mapping[str, str] = field(default_factory=dict)
    users: Mapping[str, str] = field(default_factory=dict, repr=False)
    rate_interval_seconds: float = 0.0
    rate_burst: int = 0
    digest: bytes = b""
    warnings: tuple[str, ...] = ()


def load_web_config(path: Path) -> WebConfig:
    """What a web config file says. Relative paths in it start at its folder. Raises ConfigError with all that is wrong."""
    return WebConfigReader(path).read()


class WebConfigReader:
    """Reads a web config file again and again, each time with the certificates and keys that it names; parses and checks what has changed.

    What was read is told apart by its bytes, so that neither links nor clocks matter; of it only digests are kept.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._digests: dict[tuple[Path, str], bytes] = {}
        self._found: WebConfig | ConfigError | None = None

    def read(self) -> WebConfig:
        """What the file says: the same object until a byte of it changes. Raises ConfigError with all that is wrong."""
        if self._found is None or any(self._has_changed(*named) for named in self._digests):
            self._digests, self._found = {}, None
            try:
                self._found = self._load()
            except ConfigError as error:
                self._found = error
        if isinstance(self._found, ConfigError):
            raise ConfigError(self._found.problems)
        return self._found

    def _has_changed(self, path: Path, part: str) -> bool:
        before = self._digests[path, part]
        with suppress(ConfigError, ValueError):
            self._read_file(path, part)
        return self._digests[path, part] != before

    def _read_file(self, path: Path, part: str = "") -> bytes:
        """What a file holds: a part of TLS, or without `part` the web config. Raises ConfigError or ValueError where it cannot be read."""
        try:
            data = read_pem_file(path, part.replace("_", " ")) if part else _read_web_file(path)
        except (ConfigError, ValueError) as error:
            self._digests[path, part] = str(error).encode()
            raise
        self._digests[path, part] = hashlib.sha256(data).digest()
        return data

    def _load(self) -> WebConfig:
        path, complaints = self._path, Complaints(str(self._path))
        data = parse_values(self._read_file(path).decode(), complaints)
        if not isinstance(data, dict):
            # A file that is empty for a moment, while it is written, must not open the door.
            what, fix = (
                ("empty", "write {} into it if nothing is to be set") if data is None else (f"must be a mapping, not {kind(data)}", "")
            )
            complaints.add((), what, fix)
            raise complaints.error()
        file = _validated(data, complaints)
        for found in cross_check_web(data):
            complaints.add(*found)
        tls = None
        if isinstance(block := data.get(_TLS), dict) and block:
            parts = self._read_parts(block, complaints)
            if not complaints:
                tls = _build(file.tls_server_config, parts, block, complaints)
        if complaints:
            raise complaints.error()
        return WebConfig(
            tls=tls,
            client_allowed_sans=frozenset(map(normal_san, file.tls_server_config.client_allowed_sans or ())),
            headers=file.http_server_config.headers.model_dump(by_alias=True, exclude_none=True),
            users=file.basic_auth_users,
            rate_interval_seconds=file.rate_limit.interval,
            rate_burst=file.rate_limit.burst,
            digest=hashlib.sha256(b"".join(self._digests.values())).digest(),
            warnings=tuple(_warnings(file.tls_server_config, path, complaints)),
        )

    def _read_parts(self, block: Mapping[str, Any], complaints: Complaints) -> dict[str, bytes]:
        """Certificate, key and the clients' CAs, as far as they are there; a complaint for each file that cannot be read."""
        parts: dict[str, bytes] = {}
        for part, (inline, named) in _PARTS.items():
            if isinstance(text := block.get(inline), str) and text:
                parts[part] = text.encode()
            elif isinstance(name := block.get(named), str) and name:
                try:
                    parts[part] = self._read_file(self._path.parent / name, part)
                except ValueError as error:
                    complaints.add((_TLS, named), *split_told(error))
        return parts


def web_keys() -> tuple[Key, ...]:
    """Every setting of the file, in the order of the model."""
    return file_keys(_web_schema())


def normal_san(name: str) -> str:
    """A name as certificates are compared by: an address in its shortest form, anything else letter for letter."""
    try:
        return str(ip_address(name.strip()))
    except ValueError:
        return name


def _read_web_file(path: Path) -> bytes:
    if is_pipe(path):
        raise ConfigError(Problem(str(path), "is a pipe", "name a file"))  # to read it would be to wait for whoever writes
    return read_text(path, f"name another with {FLAG}", largest_mib=_LARGEST_MIB).encode()


@cache
def _web_schema() -> dict[str, Any]:
    return inlined_schema(WebFile)


def _unknown(path: KeyPath) -> tuple[str, str]:
    key = str(path[-1])
    if elsewhere := [known for known in web_keys() if known.path[-1] == key]:
        return "unknown key here", f"it belongs at {'.'.join(elsewhere[0].path)}"
    near = closest(key, known_keys(path[:-1], _web_schema()))
    return "unknown key", f"did you mean {near}?" if near else "remove it; docs/web.md lists every key"


def _validated(data: Mapping[str, Any], complaints: Complaints) -> WebFile:
    """The model's own checks; a complaint for each that fails, and then an empty file."""
    shape = Shape(_unknown, frozenset({"key", "cert", "client_ca", "basic_auth_users"}), _web_schema())
    try:
        return WebFile.model_validate_json(json.dumps(data), strict=True)
    except ValidationError as error:
        for fault in error.errors(include_url=False):
            path = fault["loc"][:-1] if fault["loc"][-1:] == ("[key]",) else fault["loc"]
            if not (fault["type"] == "too_short" and value_at(data, path)):
                complaints.add(path, *explain(fault, path, data, shape))
    return WebFile()


def _build(tls: TlsServer, parts: Mapping[str, bytes], block: Mapping[str, Any], complaints: Complaints) -> ssl.SSLContext | None:
    try:
        return server_context(tls, parts["certificate"], parts["key"], parts.get("client_ca"))
    except TlsFaultError as fault:
        keys = _PARTS.get(fault.part, (fault.part,))
        complaints.add((_TLS, next(key for key in keys if block.get(key))), fault.what, fault.fix)
    return None


def _warnings(tls: TlsServer, path: Path, complaints: Complaints) -> list[str]:
    holders = {("key_file",): None if tls.key_file is None else path.parent / tls.key_file, ("key",): None if tls.key is None else path}
    return [
        str(Problem(complaints.places.locate(_TLS, *key), "everybody on this machine may read the file", "chmod 600 it"))
        for key, holder in holders.items()
        if holder is not None and is_open_to_all(holder)
    ]
