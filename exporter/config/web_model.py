"""The web config file, one class per block: the format that Prometheus and its exporters share, key for key.

What they allow and Python's TLS cannot do is refused here by name. Descriptions are read by people, in docs/web.md.
"""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from exporter.config.model import Block
from exporter.config.scalars import Duration, HeaderValue, Once

HIGHEST_COST = 16
"""Of bcrypt: one try at it takes some seconds, and with each step twice as long."""

TLS12_SUITES = {
    f"TLS_ECDHE_{key}_WITH_{go}": f"ECDHE-{key}-{openssl}"
    for key in ("ECDSA", "RSA")
    for go, openssl in (
        ("AES_128_GCM_SHA256", "AES128-GCM-SHA256"),
        ("AES_256_GCM_SHA384", "AES256-GCM-SHA384"),
        ("CHACHA20_POLY1305_SHA256", "CHACHA20-POLY1305"),
        ("AES_128_CBC_SHA", "AES128-SHA"),
        ("AES_256_CBC_SHA", "AES256-SHA"),
    )
}
"""Cipher suites of TLS 1.2 by their names in Go, and OpenSSL's names for them."""

TLS13_SUITES = frozenset({"TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256"})

CURVES = {"CurveP256": "prime256v1", "CurveP384": "secp384r1", "CurveP521": "secp521r1", "X25519": "X25519"}
"""Curves by their names in Go, and OpenSSL's names for them."""

_VERSIONS = ("TLS12", "TLS13")
_AUTH_TYPES = ("NoClientCert", "VerifyClientCertIfGiven", "RequireAndVerifyClientCert")
_UNVERIFIED = ("RequestClientCert", "RequireAnyClientCert", "RequireClientCert")
_HASH = re.compile(r"\$2[aby]\$([0-9]{2})\$[./A-Za-z0-9]{53}")
_MAKE_HASH = "make one with: htpasswd -nBC 10 '' | tr -d ':\\n'"


def _version(name: str) -> str:
    if name in ("TLS10", "TLS11"):
        raise ValueError(f"{name} is not offered: it is broken, and OpenSSL has it switched off; write TLS12 or TLS13")
    return _one_of(name, _VERSIONS)


def _auth_type(name: str) -> str:
    if name in _UNVERIFIED:
        raise ValueError(f"{name} would take any certificate unverified, which Python's TLS cannot; write RequireAndVerifyClientCert")
    return _one_of(name, _AUTH_TYPES)


def _suite(name: str) -> str:
    if name not in TLS12_SUITES and name not in TLS13_SUITES:
        raise ValueError("is no cipher suite that is offered; docs/web.md lists them")
    return name


def _one_of(name: str, known: tuple[str, ...]) -> str:
    if name not in known:
        raise ValueError(f"must be one of {', '.join(known)}; write one of them")
    return name


def _user(name: str) -> str:
    if ":" in name or not name.isprintable():
        raise ValueError("is no user name that could be sent: it holds a colon or a control character; choose another")
    return name


def _hash(text: str) -> str:
    found = _HASH.fullmatch(text)
    if found is None or not 4 <= int(found[1]) <= 31:
        raise ValueError(f"is not a bcrypt hash ($2a$, $2b$ or $2y$); {_MAKE_HASH}")
    if int(found[1]) > HIGHEST_COST:
        raise ValueError(f"has cost {found[1]}, with which one login would take minutes; hash it with a cost of 10 to 14")
    return text


def _http2(wanted: bool) -> bool:
    if wanted:
        raise ValueError("HTTP/2 is not spoken here, only HTTP/1.1; remove the line, or write false")
    return wanted


_Text = Annotated[str, Field(min_length=1)]
_Version = Annotated[str, AfterValidator(_version)]


class TlsServer(Block):
    """Certificates, and who may connect."""

    cert_file: _Text | None = Field(None, description="File with the certificate of this server, then any intermediate ones (PEM).")
    key_file: _Text | None = Field(None, description="File with its private key, without a passphrase (PEM).")
    cert: _Text | None = Field(None, description="The certificate itself, in place of `cert_file`.")
    key: _Text | None = Field(None, repr=False, description="The key itself, in place of `key_file`; then this file is a secret.")
    client_auth_type: Annotated[str, AfterValidator(_auth_type)] = Field(
        "NoClientCert",
        description="`NoClientCert`, `VerifyClientCertIfGiven` or `RequireAndVerifyClientCert`: whether clients show a certificate.",
    )
    client_ca_file: _Text | None = Field(None, description="File with the CAs that clients' certificates must come from (PEM).")
    client_ca: _Text | None = Field(None, description="The CAs themselves, in place of `client_ca_file`.")
    client_allowed_sans: Annotated[tuple[_Text, ...], Field(min_length=1), Once] | None = Field(
        None, description="Names of which a client's certificate must bear one: DNS, IP, e-mail or URI, letter for letter; null: any."
    )
    min_version: _Version = Field("TLS12", description="Oldest version of TLS that is accepted: `TLS12` or `TLS13`.")
    max_version: _Version = Field("TLS13", description="Newest version of TLS that is offered: `TLS12` or `TLS13`.")
    cipher_suites: Annotated[tuple[Annotated[str, AfterValidator(_suite)], ...], Once] = Field(
        (), description="Cipher suites of TLS 1.2 that are offered, by their names in Go, in order; none: OpenSSL's own choice."
    )
    prefer_server_cipher_suites: bool = Field(True, description="Whether the order of `cipher_suites` counts, not the client's.")
    curve_preferences: Annotated[tuple[Literal["CurveP256", "CurveP384", "CurveP521", "X25519"], ...], Once] = Field(
        (), description="The one curve that is offered; none: OpenSSL's own choice."
    )


class Headers(Block):
    """Headers that are added to every response, the only ones that can be set."""

    content_security_policy: HeaderValue | None = Field(
        None, alias="Content-Security-Policy", description="In place of the one that every page is sent with."
    )
    x_frame_options: Literal["deny", "sameorigin"] | None = Field(
        None,
        alias="X-Frame-Options",
        description="In place of `DENY`. For a frame `Content-Security-Policy` must allow it too.",
    )
    x_content_type_options: Literal["nosniff"] | None = Field(None, alias="X-Content-Type-Options", description="Is sent in any case.")
    x_xss_protection: HeaderValue | None = Field(None, alias="X-XSS-Protection", description="For old browsers.")
    strict_transport_security: HeaderValue | None = Field(
        None,
        alias="Strict-Transport-Security",
        description="Makes browsers use HTTPS for the whole host, whatever else is served there: with care.",
    )


class HttpServer(Block):
    """How HTTP is spoken."""

    http2: Annotated[bool, AfterValidator(_http2)] = Field(False, description="HTTP/2 is not spoken here, so `true` is refused.")
    headers: Headers = Field(Headers(), description="Headers to add to every response.")


class RateLimit(Block):
    """A limit on requests, over all clients together."""

    interval: Duration = Field(0.0, description="Time in which one more request is allowed; 0: no limit.")
    burst: Annotated[int, Field(ge=0)] = Field(0, description="Requests that are allowed at once, at least 1 where there is an `interval`.")


class WebFile(Block):
    """The whole file."""

    tls_server_config: TlsServer = Field(TlsServer(), description="TLS; without a key in it HTTP is spoken in the clear.")
    http_server_config: HttpServer = Field(HttpServer(), description="How HTTP is spoken.")
    basic_auth_users: dict[Annotated[str, Field(min_length=1), AfterValidator(_user)], Annotated[str, AfterValidator(_hash)]] = Field(
        {}, repr=False, description="Who may log in: a name, and the bcrypt hash of the password. None: everybody may read."
    )
    rate_limit: RateLimit = Field(RateLimit(), description="A limit on requests, over all clients together.")
