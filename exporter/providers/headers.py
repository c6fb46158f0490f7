"""Header lines, both ways: what can be sent as one, and what a server sent."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

_NAME = re.compile(r"[-!#$%&'*+.^_`|~0-9a-zA-Z]+")
_VALUE = re.compile(r"(?:[!-~]+(?:[ \t]+[!-~]+)*)?")
_FRAMING = frozenset({"content-length", "transfer-encoding"})


def check_headers(headers: Mapping[str, str]) -> None:
    """Raises ValueError where a name or a value holds what no header can, or says how long a body is that others write."""
    for name, value in headers.items():
        if not (_NAME.fullmatch(name) and _VALUE.fullmatch(value)) or name in _FRAMING:
            raise ValueError("a header that cannot be sent")


def read_headers(raw: Iterable[tuple[bytes, bytes]]) -> dict[str, str]:
    """Values by name in lower case; what came more than once is joined with commas."""
    lines = list(raw)
    try:
        told = [(name.decode(), value.decode()) for name, value in lines]
    except UnicodeDecodeError:
        told = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in lines]
    headers: dict[str, str] = {}
    for name, value in told:
        lower = name.lower()
        headers[lower] = f"{headers[lower]}, {value}" if lower in headers else value
    return headers
