"""A URL as it is asked: nothing in it is written in another way than the user wrote it, but for what no request line can carry."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import dataclass
from string import ascii_letters, digits
from urllib.parse import quote, unquote, urlsplit

from yarl import URL

_LONGEST_URL = 65_536
_LONGEST_LABEL = 63
_PATH_SAFE = ascii_letters + digits + "!$%&'()*+,-./:;=@[\\]^_|~"
_QUERY_SAFE = _PATH_SAFE + "?`{}"
"""What stands in a path and in a query as it is; url.spec.whatwg.org/#percent-encoded-bytes. % is in them: what is encoded stays so."""


class UnaskableUrlError(Exception):
    """A URL is none of HTTP. Holds nothing of it."""


class UnresolvableHostError(Exception):
    """A host has a name that the domain name system cannot hold: a part of it is empty or too long. Holds nothing of it."""


@dataclass(frozen=True, slots=True)
class Address:
    """Where a request goes. `authorization` is the header that a name and a password in the URL come to; `url` holds neither."""

    url: URL
    authorization: str | None

    @property
    def host(self) -> str:
        """The host's name or number, without brackets."""
        return self.url.raw_host or ""

    @property
    def port(self) -> int:
        """The port, also where the URL names none."""
        return self.url.port or 0


def read_address(url: str) -> Address:
    """What a URL comes to. Raises UnaskableUrlError or UnresolvableHostError."""
    if len(url) > _LONGEST_URL or any(character.isascii() and not character.isprintable() for character in url):
        raise UnaskableUrlError
    try:
        parts = urlsplit(url)
        server = URL.build(scheme=parts.scheme, host=parts.hostname or "", port=parts.port)
    except ValueError:
        raise UnaskableUrlError from None
    if parts.scheme not in ("http", "https") or not server.raw_host:
        raise UnaskableUrlError
    if not all(0 < len(label) <= _LONGEST_LABEL for label in server.raw_host.removesuffix(".").split(".")):
        raise UnresolvableHostError
    path = quote(_without_dots(parts.path), safe=_PATH_SAFE) or "/"
    query = f"?{quote(parts.query, safe=_QUERY_SAFE)}" if parts.query else ""
    named = parts.username or parts.password
    return Address(
        url=URL(f"{server}".removesuffix("/") + path + query, encoded=True),
        authorization=basic_authorization(parts.username, parts.password) if named else None,
    )


def basic_authorization(name: str | None, password: str | None) -> str:
    """The header for a name and a password as they stand in a URL."""
    return "Basic " + b64encode(f"{unquote(name or '')}:{unquote(password or '')}".encode()).decode()


def _without_dots(path: str) -> str:
    """The path without its segments . and .. (rfc-editor.org/rfc/rfc3986#section-5.2.4)."""
    kept: list[str] = []
    for segment in path.split("/"):
        if segment == ".." and len(kept) > 1:
            kept.pop()
        elif segment not in (".", ".."):
            kept.append(segment)
    return "/".join(kept)
