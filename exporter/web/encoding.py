"""Whether a response may be compressed."""

from __future__ import annotations


def accepts_gzip(accept_encoding: str) -> bool:
    """True where an Accept-Encoding header allows gzip, by name or by `*`."""
    qualities: dict[str, float] = {}
    for entry in accept_encoding.split(","):
        coding, _, parameter = entry.partition(";")
        name, _, value = parameter.partition("=")
        try:
            qualities[coding.strip().lower()] = float(value) if name.strip().lower() == "q" else 1.0
        except ValueError:
            qualities[coding.strip().lower()] = 0.0
    return qualities.get("gzip", qualities.get("*", 0.0)) > 0
