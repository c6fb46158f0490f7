"""What the system says of the connections that a server in this process accepts."""

from __future__ import annotations

import asyncio
import socket

import pytest
from uvicorn.protocols.http.h11_impl import H11Protocol


def note_undelayed(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """For each connection that is accepted from now on, whether what is written goes out without waiting for an ACK."""
    noted: list[bool] = []
    connection_made = H11Protocol.connection_made

    def note(protocol: H11Protocol, transport: asyncio.Transport) -> None:
        noted.append(transport.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) != 0)
        connection_made(protocol, transport)

    monkeypatch.setattr(H11Protocol, "connection_made", note)
    return noted
