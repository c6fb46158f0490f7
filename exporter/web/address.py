"""Listen addresses as Prometheus writes them: ":10201", "127.0.0.1:10201", "[::1]:10201"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from ipaddress import IPv6Address

from exporter.errors import Problem, UsageError

FLAG = "--web.listen-address"

_HOST = re.compile(r"[A-Za-z0-9._-]*")
_EXAMPLES = "write host:port, such as :10201, 127.0.0.1:10201 or [::1]:10201"


@dataclass(frozen=True, slots=True)
class ListenAddress:
    """Where to listen. An empty host is every address of the machine, IPv4 and IPv6; port 0 is any free one."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def parse_listen_address(text: str) -> ListenAddress:
    """Read one address. Raises UsageError that says what is wrong with it."""
    host, colon, port = text.rpartition(":")
    if not colon or text.endswith("]"):
        raise _problem(text, "has no port")
    if host.startswith("[") and host.endswith("]"):
        host = host[1:-1]
        try:
            IPv6Address(host)
        except ValueError:
            raise _problem(text, f"{host!r} is no IPv6 address") from None
    elif ":" in host and "//" not in host:
        raise _problem(text, "an IPv6 address needs brackets around it")
    elif not _HOST.fullmatch(host):
        raise _problem(text, f"{host!r} is no host name or address")
    if not (port.isascii() and port.isdigit() and int(port) <= 65535):
        raise _problem(text, f"{port!r} is no port: a number from 0 to 65535")
    return ListenAddress(host, int(port))


def _problem(text: str, what: str) -> UsageError:
    return UsageError(Problem(f"{FLAG} {text!r}", what, _EXAMPLES))
