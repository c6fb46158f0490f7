"""Ports of loopback for programs that are told theirs before they begin."""

from __future__ import annotations

import random
import socket
from pathlib import Path

_LOWEST = 12_000  # browsers ask nobody on some of those below
_HANDED_OUT = Path("/proc/sys/net/ipv4/ip_local_port_range")


def free_port() -> int:
    """A port that nobody has, and that no connection or server of another test is handed by the system before it is used."""
    chance = random.SystemRandom()
    while True:
        port = chance.randrange(_LOWEST, _find_end())
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        return port


def _find_end() -> int:
    """The first port that is handed out to who asks for any; where that cannot be told, or nothing is below, the end of all."""
    first = int(_HANDED_OUT.read_text().split()[0]) if _HANDED_OUT.exists() else 0
    return first if first > _LOWEST + 1000 else 65_536
