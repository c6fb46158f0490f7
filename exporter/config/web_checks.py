"""Checks between the keys of the web config file, on plain values, so that no other mistake hides theirs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from exporter.config.crosschecks import Finding
from exporter.config.web_model import TLS13_SUITES

_TLS = "tls_server_config"


def cross_check_web(data: Mapping[str, Any]) -> Iterator[Finding]:
    """Everything wrong between keys: (path, what, how to mend it)."""
    tls = data.get(_TLS)
    if isinstance(tls, dict) and tls:
        yield from _holders(tls)
        yield from _clients(tls)
        yield from _versions(tls)
    rate = data.get("rate_limit")
    if isinstance(rate, dict) and rate.get("interval", 0) not in (0, "0", "0s") and rate.get("burst", 0) == 0:
        yield ("rate_limit",), "allows no request at all: burst is 0", "set burst to at least 1"


def _holders(tls: Mapping[str, Any]) -> Iterator[Finding]:
    for inline, named in (("cert", "cert_file"), ("key", "key_file"), ("client_ca", "client_ca_file")):
        if tls.get(inline) and tls.get(named):
            yield (_TLS, inline), f"is there beside {named}", "keep one of the two"
    for inline, named in (("cert", "cert_file"), ("key", "key_file")):
        if not tls.get(inline) and not tls.get(named):
            yield (_TLS, named), "missing", f"add it, or {inline}; without tls_server_config HTTP is spoken in the clear"


def _clients(tls: Mapping[str, Any]) -> Iterator[Finding]:
    asked = tls.get("client_auth_type", "NoClientCert")
    holder = next((key for key in ("client_ca_file", "client_ca") if tls.get(key)), None)
    if asked == "NoClientCert" and holder is not None:
        yield (_TLS, holder), "is of no use: no client is asked for a certificate", "set client_auth_type: RequireAndVerifyClientCert"
    if asked in ("VerifyClientCertIfGiven", "RequireAndVerifyClientCert") and holder is None:
        yield (_TLS, "client_auth_type"), f"{asked} needs to know whose certificates are good", "add client_ca_file"
    if tls.get("client_allowed_sans") and asked != "RequireAndVerifyClientCert":
        fix = "set client_auth_type: RequireAndVerifyClientCert"
        yield (_TLS, "client_allowed_sans"), "a client may come without a certificate, and so without a name", fix


def _versions(tls: Mapping[str, Any]) -> Iterator[Finding]:
    oldest, newest = tls.get("min_version", "TLS12"), tls.get("max_version", "TLS13")
    if (oldest, newest) == ("TLS13", "TLS12"):
        yield (_TLS, "max_version"), "is older than min_version", "raise it, or lower min_version"
    suites, curves = tls.get("cipher_suites"), tls.get("curve_preferences")
    named = {name for name in suites if isinstance(name, str)} if isinstance(suites, list) else set()
    if named & TLS13_SUITES and not named >= TLS13_SUITES:
        what = "names some suites of TLS 1.3, which can only be had all three together"
        yield (_TLS, "cipher_suites"), what, f"name all three ({', '.join(sorted(TLS13_SUITES))}), or none of them"
    if named - TLS13_SUITES and oldest == "TLS13":
        yield (_TLS, "cipher_suites"), "names suites of TLS 1.2, which min_version rules out", "remove them"
    if isinstance(curves, list) and len(curves) > 1:
        yield (
            (_TLS, "curve_preferences"),
            "names several curves, of which Python's TLS can offer one",
            "name one, or remove the line",
        )
