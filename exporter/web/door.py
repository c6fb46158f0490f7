"""Who is let in: the web config in use, and each request before anything else looks at it."""

from __future__ import annotations

import ssl
from collections.abc import Mapping

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from exporter.clock import Clock, SystemClock
from exporter.config import WebConfig
from exporter.web.bucket import Bucket
from exporter.web.logins import Logins, Refusal, too_many
from exporter.web.security import USER

MOST_BODY_BYTES = 64 << 10
"""Of a request. None has use for as much."""


class Door:
    """The web config in use. Another one is adopted whole; connections that stand are not touched."""

    def __init__(self, config: WebConfig | None = None, clock: Clock | None = None) -> None:
        self._clock = clock or SystemClock()
        self._config = config or WebConfig()
        self._logins = self._new_logins()
        self._bucket = self._new_bucket()

    def adopt(self, config: WebConfig) -> None:
        """Use another config from now on. Who was known stays known for as long as the hash of the password stays."""
        before, self._config = self._config, config
        if config.users != before.users:
            self._logins = self._new_logins(self._logins)
        if (config.rate_interval_seconds, config.rate_burst) != (before.rate_interval_seconds, before.rate_burst):
            self._bucket = self._new_bucket()

    @property
    def tls(self) -> ssl.SSLContext | None:
        """For the next connection; None where HTTP is spoken in the clear."""
        return self._config.tls

    @property
    def client_allowed_sans(self) -> frozenset[str]:
        """Names of which a client's certificate must bear one; empty: any."""
        return self._config.client_allowed_sans

    @property
    def headers(self) -> Mapping[str, str]:
        """What every response carries beside its own headers."""
        return self._config.headers

    async def admit(self, authorization: str | None, address: str) -> Refusal | str | None:
        """The name of whoever sends a request that may come in, from this address and with this Authorization header.

        None where nobody needs to say a name.
        """
        if self._bucket is not None and (wait_seconds := self._bucket.take(self._clock.monotonic())):
            return too_many(wait_seconds, "requests")
        return None if self._logins is None else await self._logins.admit(authorization, address)

    def _new_logins(self, before: Logins | None = None) -> Logins | None:
        users = self._config.users
        if not users:
            return None
        return Logins(users, self._clock) if before is None else before.with_users(users)

    def _new_bucket(self) -> Bucket | None:
        interval = self._config.rate_interval_seconds
        return Bucket(interval, self._config.rate_burst, self._clock.monotonic()) if interval else None


class Doorkeeper:
    """Middleware that asks the door about every request, whatever its path, and adds the headers of the web config."""

    def __init__(self, app: ASGIApp, door: Door) -> None:
        self._app = app
        self._door = door

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it."""

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(self._door.headers)
            await send(message)

        headers = Headers(scope=scope)
        if "content-length" in headers and "transfer-encoding" in headers:
            # a proxy may have believed the other of the two, and what it took for a body be taken for a request here
            admitted: Refusal | str | None = Refusal(400, "a body has one length", {"Connection": "close"})
        else:
            admitted = await self._door.admit(headers.get("authorization"), (scope.get("client") or ("",))[0])
        if not isinstance(admitted, Refusal) and _announced_bytes(headers) > MOST_BODY_BYTES:
            admitted = Refusal(413, f"nothing that is sent here has more than {MOST_BODY_BYTES >> 10} KiB")
        if isinstance(admitted, Refusal):
            response = PlainTextResponse(f"{admitted.sentence}\n", admitted.status, headers=dict(admitted.headers))
            await response(scope, receive, send_with_headers)
        else:
            await self._app({**scope, USER: admitted}, receive, send_with_headers)


def _announced_bytes(headers: Headers) -> int:
    length = headers.get("content-length", "0")
    return int(length) if length.isascii() and length.isdigit() else 0
