"""Certificates to the TLS of a server. What OpenSSL does not take is told in words, and never with a part of a key."""

from __future__ import annotations

import os
import ssl
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

from exporter.config.web_model import CURVES, TLS12_SUITES, TlsServer

_VERSIONS = {"TLS12": ssl.TLSVersion.TLSv1_2, "TLS13": ssl.TLSVersion.TLSv1_3}
_CLIENTS = {
    "NoClientCert": ssl.CERT_NONE,
    "VerifyClientCertIfGiven": ssl.CERT_OPTIONAL,
    "RequireAndVerifyClientCert": ssl.CERT_REQUIRED,
}


class TlsFaultError(Exception):
    """What OpenSSL does not take: `part` is certificate, key, client_ca or cipher_suites."""

    def __init__(self, part: str, what: str, fix: str) -> None:
        super().__init__(what)
        self.part, self.what, self.fix = part, what, fix


def server_context(tls: TlsServer, certificate: bytes, key: bytes, client_ca: bytes | None) -> ssl.SSLContext:
    """TLS as configured, of texts in PEM. Raises TlsFaultError."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version, context.maximum_version = _VERSIONS[tls.min_version], _VERSIONS[tls.max_version]
    context.options |= ssl.OP_NO_RENEGOTIATION
    if not tls.prefer_server_cipher_suites:
        context.options &= ~ssl.OP_CIPHER_SERVER_PREFERENCE
    context.set_alpn_protocols(["http/1.1"])
    _choose_suites(context, [TLS12_SUITES[name] for name in tls.cipher_suites if name in TLS12_SUITES])
    for curve in tls.curve_preferences:
        context.set_ecdh_curve(CURVES[curve])
    _load_certificate(context, certificate, key)
    if client_ca is not None:
        _load_authorities(context, client_ca, "client_ca")
        # As in Go, whatever is in the file is trusted, be it an intermediate certificate.
        context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
    context.verify_mode = _CLIENTS[tls.client_auth_type]
    return context


def _choose_suites(context: ssl.SSLContext, suites: list[str]) -> None:
    if not suites:
        return
    try:
        context.set_ciphers(":".join(suites))
    except ssl.SSLError:
        offered: set[str] = set()
    else:
        offered = {cipher["name"] for cipher in context.get_ciphers()}
    if missing := [suite for suite in suites if suite not in offered]:
        raise TlsFaultError("cipher_suites", f"OpenSSL here does not offer {', '.join(missing)} (its own names)", "remove them")


def _load_certificate(context: ssl.SSLContext, certificate: bytes, key: bytes) -> None:
    _load_authorities(ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER), certificate, "certificate")
    if b"PRIVATE KEY-----" not in key:
        raise TlsFaultError("key", "holds no private key in PEM form", "name the file that starts with -----BEGIN … PRIVATE KEY-----")
    if b"ENCRYPTED" in key:
        raise TlsFaultError("key", "is locked with a passphrase that nobody types in here", "store it without: openssl pkey -in …")
    try:
        with _as_path(certificate) as certificate_path, _as_path(key) as key_path:
            context.load_cert_chain(certificate_path, key_path, password="")
    except ssl.SSLError as error:
        if error.reason == "KEY_VALUES_MISMATCH":
            raise TlsFaultError("key", "does not belong to the certificate", "name the two that were made together") from None
        if error.reason is not None:
            said = error.reason.lower().replace("_", " ")
            raise TlsFaultError("certificate", f"is not taken by OpenSSL ({said})", "make a stronger one") from None
        raise TlsFaultError("key", "is damaged", "put the whole key into it, as it was made") from None


def _load_authorities(context: ssl.SSLContext, certificates: bytes, part: str) -> None:
    try:
        context.load_verify_locations(cadata=certificates.decode("ascii", "replace"))
    except ssl.SSLError:
        held = "holds a damaged certificate" if b"-----BEGIN CERTIFICATE-----" in certificates else "holds no certificate in PEM form"
        raise TlsFaultError(part, held, "name a file with one or more -----BEGIN CERTIFICATE----- blocks") from None


@contextmanager
def _as_path(data: bytes) -> Iterator[str]:
    """A path to read `data` from, once: OpenSSL takes a certificate of its own and its key by path only. Nobody else can open it."""
    # Where Linux can, not even a disk sees it, and a read-only system has room for it.
    with os.fdopen(os.memfd_create("pem"), "w+b") if hasattr(os, "memfd_create") else tempfile.TemporaryFile() as file:
        file.write(data)
        file.flush()
        file.seek(0)
        yield f"/dev/fd/{file.fileno()}"
