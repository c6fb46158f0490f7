"""Basic authentication: names and bcrypt hashes, at a price that nobody can make others pay.

bcrypt is slow by intent, so it runs off the loop, few at once, and never for credentials that were right before. Whether a name
exists cannot be told from the time an answer takes.
"""

from __future__ import annotations

import asyncio
import binascii
import math
import secrets
from base64 import b64decode
from collections import OrderedDict
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from hashlib import blake2b
from ipaddress import IPv6Address, ip_address

import bcrypt

from exporter.clock import Clock
from exporter.web.bucket import Bucket

TRIES = 10
"""Wrong passwords that an address may send at once."""

SECONDS_A_TRY = 6.0
"""After them an address has one more try each so many seconds."""

AT_ONCE = 2
"""Passwords that are looked at at the same time."""

_LOOKING = ThreadPoolExecutor(max_workers=AT_ONCE, thread_name_prefix="logins")
"""Threads of their own: those of the store may all be waiting for a database that is away, and a scraper must still come in."""

_MOST_WAITING = 32
_MOST_REMEMBERED = 1024
_MOST_ADDRESSES = 4096
_LONGEST_PASSWORD_BYTES = 72  # of which bcrypt takes account; the hash of a longer one was made of as many
_CHALLENGE = {"WWW-Authenticate": 'Basic realm="model-drift-exporter", charset="UTF-8"'}
_NETWORK_BITS = 64


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a request is not let in, as HTTP says it."""

    status: int
    sentence: str
    headers: Mapping[str, str] = field(default_factory=dict)


def too_many(wait_seconds: float, of_what: str) -> Refusal:
    """429, and when to come again."""
    return Refusal(429, f"too many {of_what}; try again later", {"Retry-After": str(max(1, math.ceil(wait_seconds)))})


class Logins:
    """Who may log in. `users` are bcrypt hashes by name."""

    def __init__(self, users: Mapping[str, str], clock: Clock) -> None:
        self.users = users
        self._clock = clock
        self._salt = secrets.token_bytes(32)
        self._remembered: OrderedDict[bytes, str] = OrderedDict()
        self._tries: OrderedDict[str, Bucket] = OrderedDict()
        self._looking: dict[bytes, asyncio.Task[bool]] = {}
        self._costs = sorted({user_hash[4:6] for user_hash in users.values()})

    def with_users(self, users: Mapping[str, str]) -> Logins:
        """The same for other users: whoever is known by a hash that stays is known still, and wrong passwords count on."""
        logins = Logins(users, self._clock)
        logins._salt, logins._tries = self._salt, self._tries
        logins._remembered = OrderedDict((known, name) for known, name in self._remembered.items() if users.get(name) == self.users[name])
        return logins

    async def admit(self, authorization: str | None, address: str) -> Refusal | str:
        """The name of whoever may come in, with this Authorization header and from this address."""
        sent = _credentials(authorization)
        if sent is None:
            return Refusal(401, "a name and a password are needed", _CHALLENGE)
        fingerprint = self._fingerprint(*sent)
        name = sent[0].decode()
        if self._remembers(fingerprint):
            return name
        looking = self._looking.get(fingerprint)
        if looking is None:
            bucket = self._bucket(address)
            if wait_seconds := bucket.take(self._clock.monotonic()):
                return too_many(wait_seconds, "wrong passwords")
            if len(self._looking) >= _MOST_WAITING:
                bucket.give_back()
                return too_many(1, "logins at once")
            looking = self._looking[fingerprint] = asyncio.create_task(self._look(fingerprint, sent, bucket))
            looking.add_done_callback(lambda _: self._looking.pop(fingerprint))
        # One look is for all who send the same meanwhile, so it outlives who was the first of them.
        return name if await asyncio.shield(looking) else Refusal(401, "wrong name or password", _CHALLENGE)

    async def _look(self, fingerprint: bytes, sent: tuple[bytes, bytes], bucket: Bucket) -> bool:
        """Whether name and password belong together. If so that is remembered, and was no wrong try."""
        is_right = await asyncio.get_running_loop().run_in_executor(_LOOKING, self._check, *sent)
        if is_right:
            bucket.give_back()
            self._remembered[fingerprint] = sent[0].decode()
            if len(self._remembered) > _MOST_REMEMBERED:
                self._remembered.popitem(last=False)
        return is_right

    def _check(self, name: bytes, password: bytes) -> bool:
        """Takes as long for a name that there is not as for one that there is: each has the cost of some user's hash."""
        known = {user.encode(): user_hash for user, user_hash in self.users.items()}
        cost = self._costs[self._fingerprint(name, b"")[0] % len(self._costs)]
        user_hash = known.get(name, f"$2b${cost}${'.' * 53}")
        return bcrypt.checkpw(password[:_LONGEST_PASSWORD_BYTES], user_hash.encode()) and name in known

    def _remembers(self, fingerprint: bytes) -> bool:
        if fingerprint not in self._remembered:
            return False
        self._remembered.move_to_end(fingerprint)
        return True

    def _fingerprint(self, name: bytes, password: bytes) -> bytes:
        return blake2b(len(name).to_bytes(4, "big") + name + password, key=self._salt).digest()

    def _bucket(self, address: str) -> Bucket:
        now = self._clock.monotonic()
        network = _network(address)
        bucket = self._tries.setdefault(network, Bucket(SECONDS_A_TRY, TRIES, now))
        self._tries.move_to_end(network)
        while len(self._tries) > _MOST_ADDRESSES:
            self._tries.popitem(last=False)
        return bucket


def _credentials(authorization: str | None) -> tuple[bytes, bytes] | None:
    """Name and password; None where the header is none of basic authentication."""
    scheme, _, encoded = (authorization or "").partition(" ")
    if scheme.lower() != "basic":
        return None
    try:
        name, colon, password = b64decode(encoded.strip(), validate=True).partition(b":")
        name.decode()
    except (binascii.Error, ValueError):
        return None
    return (name, password) if colon else None


def _network(address: str) -> str:
    """Who counts as one: an IPv4 address, or the network of an IPv6 address, of which one machine has as many as it likes."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return address
    if not isinstance(parsed, IPv6Address):
        return address
    return str(parsed.ipv4_mapped or IPv6Address(int(parsed) >> _NETWORK_BITS << _NETWORK_BITS))
