"""The web config file (--web.config.file), read with all its errors at once, its certificates and keys with it.

Unlike for the config file no default is shown anywhere, and nothing of it is: it may hold a key.
"""

from __future__ import annotations

import hashlib
import json
import ssl
from collections.abc import Mapping
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
from exporter.errors import Problem, split_told

FLAG = "--web.config.file"

_LARGEST_MIB = 1
"""The file is parsed every few seconds, and to parse so much takes about one."""

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
    complaints = Complaints(str(path))
    if is_pipe(path):
        # It is read again and again, and reading would wait for whoever writes.
        complaints.add((), "is a pipe", "name a file")
        raise complaints.error()
    text = read_text(path, f"name another with {FLAG}", largest_mib=_LARGEST_MIB)
    data = parse_values(text, complaints)
    if not isinstance(data, dict):
        # A file that is empty for a moment, while it is written, must not open the door.
        what, fix = ("empty", "write {} into it if nothing is to be set") if data is None else (f"must be a mapping, not {kind(data)}", "")
        complaints.add((), what, fix)
        raise complaints.error()
    file = _validated(data, complaints)
    parts: dict[str, bytes] = {}
    for found in cross_check_web(data):
        complaints.add(*found)
    tls = None
    if isinstance(block := data.get(_TLS), dict) and block:
        parts = _read_parts(block, path.parent, complaints)
        if not complaints:
            tls = _build(file.tls_server_config, parts, block, complaints)
    if complaints:
        raise complaints.error()
    digest = hashlib.sha256(text.encode())
    for part in parts.values():
        digest.update(hashlib.sha256(part).digest())
    return WebConfig(
        tls=tls,
        client_allowed_sans=frozenset(map(normal_san, file.tls_server_config.client_allowed_sans or ())),
        headers=file.http_server_config.headers.model_dump(by_alias=True, exclude_none=True),
        users=file.basic_auth_users,
        rate_interval_seconds=file.rate_limit.interval,
        rate_burst=file.rate_limit.burst,
        digest=digest.digest(),
        warnings=tuple(_warnings(file.tls_server_config, path, complaints)),
    )


def web_keys() -> tuple[Key, ...]:
    """Every setting of the file, in the order of the model."""
    return file_keys(_web_schema())


def normal_san(name: str) -> str:
    """A name as certificates are compared by: an address in its shortest form, anything else letter for letter."""
    try:
        return str(ip_address(name.strip()))
    except ValueError:
        return name


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


def _read_parts(block: Mapping[str, Any], folder: Path, complaints: Complaints) -> dict[str, bytes]:
    """Certificate, key and the clients' CAs, as far as they are there; a complaint for each file that cannot be read."""
    parts: dict[str, bytes] = {}
    for part, (inline, named) in _PARTS.items():
        if isinstance(text := block.get(inline), str) and text:
            parts[part] = text.encode()
        elif isinstance(name := block.get(named), str) and name:
            try:
                parts[part] = read_pem_file(folder / name, part.replace("_", " "))
            except ValueError as error:
                complaints.add((_TLS, named), *split_told(error))
    return parts


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
