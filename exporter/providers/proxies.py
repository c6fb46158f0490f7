"""Which proxy the environment asks for: HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY, in capitals or not."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Self
from urllib.parse import urlsplit, urlunsplit
from urllib.request import getproxies

from yarl import URL

from exporter.providers.address import Address, basic_authorization


class UnusableProxyError(Exception):
    """The environment asks for a proxy that does not speak HTTP. Holds nothing of its URL."""


@dataclass(frozen=True, slots=True)
class Proxy:
    """A proxy. `authorization` is the header that a name and a password in its URL come to; `url` holds neither."""

    url: URL
    authorization: str | None


@dataclass(frozen=True, slots=True)
class Exemption:
    """One entry of NO_PROXY. An empty `scheme` is any, and so is a `port` of None."""

    scheme: str
    hosts: re.Pattern[str]
    port: int | None

    @classmethod
    def read(cls, entry: str) -> Self:
        """A name stands for itself and all below it, with a dot in front for these only; a number, localhost and a URL for themselves."""
        scheme, told, place = entry.lower().rpartition("://")
        place = place.partition("/")[0]
        if _is_number(place):
            host, port = place, ""
        elif place.startswith("["):
            host, _, port = place[1:].partition("]")
        else:
            host, _, port = place.partition(":")
        port = port.removeprefix(":")
        if not (told or _is_number(host) or host == "localhost"):
            host = f"*{host}"
        if host.startswith("*."):
            hosts = rf".+\.{re.escape(host[2:])}"
        elif host.startswith("*"):
            hosts = rf"(?:.+\.)?{re.escape(host[1:])}"
        else:
            hosts = re.escape(host)
        return cls("" if scheme == "all" else scheme, re.compile(hosts), int(port) if port.isdecimal() else None)

    def covers(self, address: Address) -> bool:
        """Whether this address is asked without a proxy."""
        return (
            self.scheme in ("", address.url.scheme) and self.port in (None, address.port) and self.hosts.fullmatch(address.host) is not None
        )


@dataclass(frozen=True, slots=True)
class Proxies:
    """The proxies of the environment by scheme; `all` is that of every scheme that has none of its own."""

    by_scheme: Mapping[str, str]
    exemptions: tuple[Exemption, ...]

    @classmethod
    def of_environment(cls) -> Self:
        """The environment as it is now."""
        told = getproxies()
        entries = [entry.strip() for entry in told.get("no", "").split(",") if entry.strip()]
        if "*" in entries:
            return cls({}, ())
        return cls({scheme: told[scheme] for scheme in ("http", "https", "all") if told.get(scheme)}, tuple(map(Exemption.read, entries)))

    def find(self, address: Address) -> Proxy | None:
        """The proxy that this address is asked through, if any. Raises UnusableProxyError."""
        proxy = self.by_scheme.get(address.url.scheme) or self.by_scheme.get("all")
        if proxy is None or any(exemption.covers(address) for exemption in self.exemptions):
            return None
        try:
            parts = urlsplit(proxy if "://" in proxy else f"http://{proxy}")
            server = URL(urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], "", "", "")))
        except ValueError:
            raise UnusableProxyError from None
        if server.scheme not in ("http", "https") or not server.raw_host:
            raise UnusableProxyError
        return Proxy(server, basic_authorization(parts.username, parts.password) if parts.username or parts.password else None)


def _is_number(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True
