"""Certificates that tests are served with, and the authority that they come from. Made once a process."""

from __future__ import annotations

import ssl
from functools import cache
from pathlib import Path

import trustme


@cache
def authority(name: str = "ours") -> trustme.CA:
    """An authority; another one for each name."""
    return trustme.CA(organization_name=name)


@cache
def certificate(*names: str, by: str = "ours") -> trustme.LeafCert:
    """A certificate of the authority `by`; for this machine where no names are given."""
    return authority(by).issue_cert(*(names or ("localhost", "127.0.0.1")))


def write_certificate(folder: Path, by: str = "ours") -> None:
    """`tls.crt` and `tls.key` of this machine, and `ca.crt`."""
    leaf = certificate(by=by)
    (folder / "tls.crt").write_bytes(b"".join(part.bytes() for part in leaf.cert_chain_pems))
    (folder / "tls.key").write_bytes(leaf.private_key_pem.bytes())
    (folder / "tls.key").chmod(0o600)
    authority(by).cert_pem.write_to_path(str(folder / "ca.crt"))


def client_context(by: str = "ours", *, shown: trustme.LeafCert | None = None) -> ssl.SSLContext:
    """The TLS of a client that trusts the authority `by`, and shows a certificate of its own if it has one."""
    context = ssl.create_default_context()
    authority(by).configure_trust(context)
    if shown is not None:
        shown.configure_cert(context)
    return context
