"""One connection to a client, which gets no more time than it needs. Uvicorn knows a limit only for the pause between requests."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

import h11
from uvicorn import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from exporter.config.web_file import normal_san

_BUFFER_BYTES = 64 << 10
_MOST_REQUEST_BYTES = 1 << 20
_LAST_FAREWELL_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Limits:
    """How long, in seconds, and how many, clients may keep this server waiting.

    `handshake`: for TLS. `request`: from connecting, or from the first byte of a further request, to its end. `response`: for a
    client to take what is sent. `idle`: between two requests. `farewell`: to close.
    """

    connections: int = 256
    handshake: float = 10.0
    request: float = 10.0
    response: float = 60.0
    idle: int = 75  # longer than a usual scrape interval, so that a scraper keeps its connection
    farewell: float = 5.0


class Standing(IntEnum):
    """What a connection is at. Where there are too many, those go first that come first here; the busy ones stay."""

    SILENT = 0
    """It has not sent a whole request yet, or is in the middle of one."""
    SLOW = 1
    """It does not take its response."""
    KEPT = 2
    """It waits for its next request."""
    BUSY = 3


class Connection(H11Protocol):
    """Uvicorn's protocol with an end to everything. `gone` is called once, when it is lost."""

    def __init__(
        self, config: Config, server_state: ServerState, limits: Limits, allowed_sans: Collection[str], gone: Callable[[Connection], None]
    ) -> None:
        super().__init__(config, server_state, app_state={})
        self.since = self.loop.time()
        self.is_met = False
        self._limits = limits
        self._allowed_sans = allowed_sans
        self._gone = gone
        self._received_bytes = 0
        self._is_turned_away = False
        self._request_timer: asyncio.TimerHandle | None = None
        self._response_timer: asyncio.TimerHandle | None = None
        self._farewell_timer: asyncio.TimerHandle | None = None

    @property
    def standing(self) -> Standing:
        """What it is at."""
        if self._response_timer is not None or self._farewell_timer is not None:
            return Standing.SLOW
        if self.transport is None or self._request_timer is not None or self.cycle is None:
            return Standing.SILENT
        return Standing.KEPT if self.cycle.response_complete else Standing.BUSY

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        """A client has connected, its TLS handshake behind it."""
        super().connection_made(transport)
        transport.set_write_buffer_limits(high=_BUFFER_BYTES)
        if self._allowed_sans and not _sans(transport.get_extra_info("peercert")) & set(self._allowed_sans):
            self._is_turned_away = True
            transport.abort()
            return
        self._request_timer = self.loop.call_later(self._limits.request, self._close)

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is over."""
        for timer in (self._request_timer, self._response_timer, self._farewell_timer):
            if timer is not None:
                timer.cancel()
        self._unset_keepalive_if_required()
        super().connection_lost(exc)
        self._gone(self)

    def data_received(self, data: bytes) -> None:
        """A part of a request."""
        if self._is_turned_away:
            return
        if self._request_timer is None and self.conn.their_state is h11.IDLE:
            self.since = self.loop.time()
            self._request_timer = self.loop.call_later(self._limits.request, self._close)
        self._received_bytes += len(data)
        if self._received_bytes > _MOST_REQUEST_BYTES:
            is_answered = self.cycle is not None and self.cycle.response_complete and self.conn.their_state is h11.SEND_BODY
            if (
                not is_answered
            ):  # else the answer would be lost with the connection: for as long as a request may take, the rest is thrown away
                self.transport.abort()
            return
        super().data_received(data)
        self._note_progress()

    def pause_writing(self) -> None:
        """The client takes its response more slowly than it is sent."""
        super().pause_writing()
        if self._response_timer is None:
            self._response_timer = self.loop.call_later(self._limits.response, self.transport.abort)

    def on_response_complete(self) -> None:
        """All of a response has been handed to the system."""
        if self._response_timer is not None:
            self._response_timer.cancel()
            self._response_timer = None
        self.since = self.loop.time()
        super().on_response_complete()
        self._note_progress()
        self._say_farewell(self._limits.response)

    def send_400_response(self, msg: str) -> None:
        """What was sent is no HTTP. Where it is the body of a request that is being answered, there is no room for another answer."""
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            super().send_400_response(msg)
        else:
            self.transport.close()
        if self.cycle is not None and not self.cycle.response_complete:
            # or else the app goes on to answer, and the log says at length that it cannot
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        self._say_farewell(self._limits.farewell)

    def timeout_keep_alive_handler(self) -> None:
        """No further request has come."""
        super().timeout_keep_alive_handler()
        self._say_farewell(self._limits.farewell)

    def shutdown(self) -> None:
        """The server stops: it waits for an answer under way, and hardly for anything else."""
        if self.transport is not None:
            super().shutdown()
            self._say_farewell(min(_LAST_FAREWELL_SECONDS, self._limits.farewell))

    def abort(self) -> None:
        """End it now."""
        if self.transport is not None:
            self.transport.abort()

    def _note_progress(self) -> None:
        """Stop the clock of a request that is whole."""
        if self.conn.their_state not in (h11.IDLE, h11.SEND_BODY) and self._request_timer is not None:
            self._request_timer.cancel()
            self._request_timer = None
            self._received_bytes = 0

    def _close(self) -> None:
        """A request that took too long to come."""
        self.transport.close()
        self._say_farewell(self._limits.farewell)

    def _say_farewell(self, seconds: float) -> None:
        """A transport that is being closed waits, without end, until all is sent: put an end to that."""
        if self.transport.is_closing():
            if self._farewell_timer is not None:
                self._farewell_timer.cancel()
            self._farewell_timer = self.loop.call_later(seconds, self.transport.abort)


def _sans(certificate: dict[str, Any] | None) -> set[str]:
    """The names in a client's certificate, as the web config writes them."""
    return {normal_san(name) for _kind, name in (certificate or {}).get("subjectAltName", ())}
