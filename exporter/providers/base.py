"""The shape of a provider, and of the piece that differs from API to API."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Protocol
from urllib.parse import urlsplit, urlunsplit

from exporter.config.model import Target
from exporter.providers.reply import Reply
from exporter.providers.sse import Event
from exporter.records import Answer, Evidence, Request


class Provider(Protocol):
    """One target's endpoint, open. `evidence` says how far its word about the served model can be trusted."""

    @property
    def evidence(self) -> Evidence:
        """None, weak or strong; see presets."""
        ...

    @property
    def host(self) -> str:
        """Host, and port where there is one."""
        ...

    async def ask(self, request: Request) -> Answer:
        """One request, one answer, within `request.timeout_seconds`. Raises nothing but CancelledError."""
        ...

    async def aclose(self) -> None:
        """Close what is open."""
        ...


@dataclass(frozen=True, slots=True)
class Lookup:
    """A GET below the base URL, and what its reply says of the digest of a model; None where it says nothing."""

    path: str
    read_digest: Callable[[Reply, str], str | None]


@dataclass(frozen=True, slots=True)
class Adapter:
    """One API. Pure functions: what to send for a Request, what a Reply means. Nothing here waits or reads a clock.

    `build_path` gives what follows the base URL, with a query where the API wants one. `build_headers` takes the key (None where
    the target has none). `read_reply` never raises, whatever the reply holds. `is_last` tells the event after which a stream is
    not read further. `lookup`, where there is one, asks once for the digest of the model; without it no identity is known.
    `bearer_elsewhere`: at a host that nobody listed, the key goes as a bearer token too; the API's own vendor takes such a token
    for another kind of key. `evidence` is how far the API's word goes at any host; None: the host decides. `real_servers` are
    those that the adapter was tried on, with their versions: docs/providers.md tells what came of it.
    """

    default_base_url: str
    build_path: Callable[[Request], str]
    key_env: str
    build_headers: Callable[[str | None], Mapping[str, str]]
    build_body: Callable[[Request, Target], dict[str, Any]]
    read_reply: Callable[[Reply], Answer]
    is_last: Callable[[Event], bool]
    lookup: Lookup | None = None
    bearer_elsewhere: bool = False
    evidence: Evidence | None = None
    real_servers: tuple[str, ...] = ()


@lru_cache(maxsize=4096)  # every request of a target has the same
def join_url(base_url: str, path: str) -> str:
    """The URL of an endpoint below a base URL; a query of the base URL stays at the end, after that of the path."""
    parts = urlsplit(base_url)
    path, _, query = path.partition("?")
    queries = "&".join(part for part in (query, parts.query) if part)
    return urlunsplit((parts.scheme, parts.netloc, parts.path.rstrip("/") + path, queries, ""))


def merge(body: dict[str, Any], extra: Mapping[str, Any]) -> dict[str, Any]:
    """A body with extras laid over it: objects are merged, everything else is replaced, and null takes a field away."""
    merged = dict(body)
    for name, value in extra.items():
        if value is None:
            merged.pop(name, None)
        elif isinstance(value, Mapping) and isinstance(merged.get(name), dict):
            merged[name] = merge(merged[name], value)
        else:
            merged[name] = value
    return merged
